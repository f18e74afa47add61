import { type BindAddress, parseBindAddress } from '../../reconciler/http/bind-address.ts';
import { LEVELS, type Level } from '../../reconciler/log/log.ts';
import { shardSelector } from '../../reconciler/shard/shard-selector.ts';
import { TenantplaneError } from '../errors.ts';
import { DURATION, durationOf } from './duration.ts';
import { RECONCILER_FLAGS, variableOf } from './flags.ts';

/** The flags as they are meant. */
export interface ReconcilerSettings {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly workers: number;
  /** milliseconds, as the next two */
  readonly passTimeout: number;
  readonly resync: number;
  readonly drainTimeout: number;
  readonly leaderElect: boolean;
  readonly leaseNamespace?: string;
  /** in the one form that selectors have which select the same; undefined where it selects all */
  readonly shard?: string;
  readonly releases?: string;
  readonly facts?: string;
  readonly trustedWriters?: readonly string[];
  readonly trustedGroups?: readonly string[];
  readonly metricsAddress: BindAddress | 'none';
  readonly probeAddress: BindAddress | 'none';
  readonly byTenant: boolean;
  readonly logFormat: 'json' | 'text';
  readonly logLevel: Level;
}

type Texts = Readonly<Record<string, string | undefined>>;

/**
 * A flag, else its environment variable, else what holds otherwise.
 * @param given flags by their name, as they were typed
 * @throws TenantplaneError for a value that makes no sense
 */
export function readSettings(given: Texts, env: Texts): ReconcilerSettings {
  const found = new Map(
    RECONCILER_FLAGS.map((flag) => {
      const variable = variableOf(flag);
      const typed = given[flag.name];
      const set = env[variable] === '' ? undefined : env[variable];
      return [flag.name, { text: typed ?? set ?? flag.fallback, where: typed === undefined ? variable : `--${flag.name}` }] as const;
    }),
  );
  const maybe = (name: string): string | undefined => found.get(name)?.text;
  const read = <T>(name: string, parse: (text: string) => T | undefined, must: string): T => {
    const { text = '', where = name } = found.get(name) ?? {};
    const value = parse(text);
    if (value !== undefined) return value;
    throw new TenantplaneError('usage', `${where} is ${JSON.stringify(text)}: it must be ${must}.`, {
      hint: 'tenantplane reconciler --help',
    });
  };
  const [kubeconfig, context, leaseNamespace] = [maybe('kubeconfig'), maybe('context'), maybe('leader-elect-namespace')];
  const [releases, facts] = [maybe('releases'), maybe('facts')];
  const { text: selector = '', where: whence = '' } = found.get('shard-selector') ?? {};
  const shard = shardOf(selector, whence);
  const [trustedWriters, trustedGroups] = [namesOf(maybe('trusted-writers')), namesOf(maybe('trusted-groups'))];
  return {
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
    ...(leaseNamespace !== undefined && { leaseNamespace }),
    ...(shard !== '' && { shard }),
    ...(releases !== undefined && { releases }),
    ...(facts !== undefined && { facts }),
    ...(trustedWriters !== undefined && { trustedWriters }),
    ...(trustedGroups !== undefined && { trustedGroups }),
    workers: read('workers', workersOf, 'a whole number from 1 to 100'),
    passTimeout: read('pass-timeout', durationOf, DURATION),
    resync: read('resync', durationOf, DURATION),
    drainTimeout: read('drain-timeout', durationOf, DURATION),
    leaderElect: read('leader-elect', booleanOf, 'true or false'),
    metricsAddress: read('metrics-bind-address', parseBindAddress, ADDRESS),
    probeAddress: read('health-probe-bind-address', parseBindAddress, ADDRESS),
    byTenant: read('metrics-tenant-label', booleanOf, 'true or false'),
    logFormat: read('log-format', (text) => (['json', 'text'] as const).find((format) => format === text), 'json or text'),
    logLevel: read('log-level', (text) => LEVELS.find((level) => level === text), 'debug, info, warn or error'),
  };
}

function shardOf(text: string, where: string): string {
  const shard = shardSelector(text);
  if (typeof shard === 'string') return shard;
  throw new TenantplaneError('usage', `${where} is ${JSON.stringify(text)}: at character ${shard.at}, ${shard.problem}.`, {
    hint: 'A label selector is written as for kubectl -l: team=a, team in (a,b), team notin (a), team or !team, joined by commas.',
  });
}

const ADDRESS = 'an address such as :8080, 127.0.0.1:8080 or [::1]:8080, or 0 for none';

/** In their order: policies list them in that of the render. */
function namesOf(text: string | undefined): readonly string[] | undefined {
  return text?.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
}

function booleanOf(text: string): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

function workersOf(text: string): number | undefined {
  return /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 100 ? Number(text) : undefined;
}
