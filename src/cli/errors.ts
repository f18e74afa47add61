/** Exit codes (docs/cli.md): people type these next to `kubectl diff`. */
export const EXIT = { done: 0, findings: 1, usage: 2, environment: 3, integrity: 4, guard: 5, interrupted: 130 } as const;

/** What went wrong, for programs. Closed: a new code is a new row of `EXITS` below. */
export type ErrorCode =
  | 'usage'
  | 'input'
  | 'git'
  | 'unsafe-path'
  | 'busy'
  | 'no-space'
  | 'write-failed'
  | 'system'
  | 'guard'
  | 'interrupted';

const EXITS: Readonly<Record<ErrorCode, number>> = {
  /** a flag or argument that makes no sense */
  usage: EXIT.usage,
  /** a file that cannot be read or is not what it has to be */
  input: EXIT.usage,
  /** a path or link that could lead out of the tree, or two that are one on some disks */
  'unsafe-path': EXIT.usage,
  /** another render is writing the same tree */
  busy: EXIT.environment,
  /** git is missing, or the repository does not hold what is asked for */
  git: EXIT.environment,
  /** the disk is full or a quota is used up */
  'no-space': EXIT.environment,
  /** the disk or its rights do not allow it */
  'write-failed': EXIT.environment,
  /** the system refused something that nobody expected to be refused */
  system: EXIT.environment,
  /** something that has to be meant, and was not said to be */
  guard: EXIT.guard,
  interrupted: EXIT.interrupted,
};

/** The one error that is thrown on purpose. Its message says what, where and why; `hint` is the next step. */
export class TenantplaneError extends Error {
  override readonly name = 'TenantplaneError';
  readonly code: ErrorCode;
  readonly hint: string;

  constructor(code: ErrorCode, message: string, options: { readonly hint?: string; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? '';
  }

  get exitCode(): number {
    return EXITS[this.code];
  }
}

/** Thrown where the parser meets a word that is no command; what was probably meant is worked out once it is needed. */
export class UnknownCommand extends Error {
  override readonly name = 'UnknownCommand';
  readonly word: string;

  constructor(word: string) {
    super(word);
    this.word = word;
  }
}

/** `ENOENT` and the like of an error from Node, or undefined. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** `permission denied (EACCES)`: what the system says, without its call and its path. */
export function systemWords(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const code = systemCode(error);
  if (code === undefined) return text;
  const words = /^[A-Z0-9]+: ([^,]+)/.exec(text)?.[1];
  return words === undefined ? code : `${words} (${code})`;
}

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/**
 * A failed write, said in our words; other errors of ours pass through.
 * @param state what is there now, as a sentence: `Nothing was changed.`
 */
export function writeFailure(error: unknown, what: string, state: string): TenantplaneError {
  if (error instanceof TenantplaneError) return error;
  const code = systemCode(error) ?? 'unknown error';
  if (FULL.has(code)) {
    return new TenantplaneError('no-space', `No space left to write ${what} (${code}). ${state}`, {
      hint: 'Free some space and render again.',
      cause: error,
    });
  }
  if (code === 'EBUSY' || code === 'EXDEV') {
    return new TenantplaneError('write-failed', `${what} is a mount of its own, so it cannot be replaced as a whole (${code}). ${state}`, {
      hint: 'Mount the folder that holds it instead.',
      cause: error,
    });
  }
  return new TenantplaneError('write-failed', `Cannot write ${what}: ${systemWords(error)}. ${state}`, {
    hint: 'Check the rights and the owner of the folder that holds it, and of what is in it.',
    cause: error,
  });
}
