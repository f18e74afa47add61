import { isObject, type Json, type JsonObject } from '../../core/kube/json.ts';
import { visible } from '../../report/escape.ts';
import { jsonText } from '../../report/json-text.ts';
import { masked } from '../../report/mask-credentials.ts';

export const LEVELS: readonly Level[] = ['debug', 'info', 'warn', 'error'];
export type Level = 'debug' | 'info' | 'warn' | 'error';
/** What is said beside the message, under names that are the same wherever they are said. */
export type Fields = Readonly<Record<string, Json | undefined>>;

/** One line for each thing that happened. Values of Secrets may not be handed in; what looks like a credential is left out all the same. */
export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
  /** the same with fields in each line */
  with(fields: Fields): Log;
}

export interface LogOptions {
  readonly write: (line: string) => void;
  /** milliseconds since 1970 */
  readonly wall: () => number;
  readonly level?: Level;
  readonly format?: 'json' | 'text';
  /** fields of whatever is under way where a line is written: `trace_id` and `span_id` */
  readonly current?: () => Fields;
}

export function makeLog(options: LogOptions): Log {
  return logWith({}, options);
}

function logWith(always: Fields, options: LogOptions): Log {
  const { write, wall, level = 'info', format = 'json', current = () => ({}) } = options;
  const say =
    (of: Level) =>
    (message: string, fields: Fields = {}): void => {
      if (LEVELS.indexOf(of) < LEVELS.indexOf(level)) return;
      const line = {
        time: new Date(wall()).toISOString(),
        level: of,
        msg: message,
        ...given(current()),
        ...given(always),
        ...given(fields),
      };
      write(`${format === 'json' ? jsonText(shown(line)) : textOf(line)}\n`);
    };
  return {
    debug: say('debug'),
    info: say('info'),
    warn: say('warn'),
    error: say('error'),
    with: (fields) => logWith({ ...always, ...fields }, options),
  };
}

/** `2026-01-01T00:00:00.000Z INFO  pass ended tenant=fleet/dev result=success`, for people. */
function textOf({ time, level, msg, ...fields }: JsonObject): string {
  const parts = Object.entries(fields).map(([key, value]) => {
    const text = visible(typeof value === 'string' ? masked(value) : jsonText(shown(value)));
    return `${visible(key)}=${/[\s"=]/.test(text) ? JSON.stringify(text) : text}`;
  });
  return [String(time), String(level).toUpperCase().padEnd(5), visible(masked(String(msg))), ...parts].join(' ');
}

function given(fields: Fields): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

/** Values of Secrets go out of whole objects, credentials out of text. */
function shown(value: Json | undefined): Json {
  if (typeof value === 'string') return masked(value);
  if (Array.isArray(value)) return value.map(shown);
  if (!isObject(value)) return value ?? null;
  const entries = Object.entries(value).map(([key, inner]) => {
    const secret = value['kind'] === 'Secret' && (key === 'data' || key === 'stringData');
    return [key, secret ? '***' : shown(inner)] as const;
  });
  return Object.fromEntries(entries);
}
