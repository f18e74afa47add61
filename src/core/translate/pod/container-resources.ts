import { effectiveLimits } from '../../isolation/limit-problems.ts';
import { type JsonObject, objectAt, own } from '../../kube/json.ts';
import { type Amount, formatQuantity, parseQuantity } from '../../kube/quantity.ts';
import type { ContainerLimits } from '../../plan/settings.ts';

/**
 * Requests and limits of a container as the host's API server sees them: first its own default (a request that is missing takes
 * the limit), then the LimitRange's, then what the LimitRange forbids (plugin/pkg/admission/limitranger).
 */
export interface ResourceOutcome {
  /** limits to stamp, since the LimitRange's default would not fit the request */
  readonly stamps: readonly { readonly resource: string; readonly limit: string }[];
  /** resources about which the container says nothing; the LimitRange supplies both values */
  readonly supplied: readonly { readonly resource: string; readonly request: string; readonly limit: string }[];
  readonly problems: readonly { readonly resource: string; readonly problem: string; readonly min: string; readonly max: string }[];
}

interface ResourceLimits {
  readonly resource: string;
  readonly text: {
    readonly min?: string;
    readonly max?: string;
    readonly ratio?: string;
    readonly request?: string;
    readonly limit?: string;
  };
  readonly min?: Amount;
  readonly max?: Amount;
  readonly ratio?: Amount;
  readonly request?: Amount;
  readonly limit?: Amount;
}

const COMPILED: WeakMap<ContainerLimits, readonly ResourceLimits[]> = new WeakMap();
const ONE: Amount = 1_000_000_000n;
const NOTHING: ResourceOutcome = { stamps: [], supplied: [], problems: [] };

function compile(limits: ContainerLimits): readonly ResourceLimits[] {
  const known = COMPILED.get(limits);
  if (known !== undefined) return known;
  const effective = effectiveLimits(limits);
  const resources = new Set(Object.values(effective).flatMap((values) => Object.keys(values)));
  const compiled = [...resources].sort().map((resource): ResourceLimits => {
    const text = {
      ...pick('min', effective.min[resource]),
      ...pick('max', effective.max[resource]),
      ...pick('ratio', effective.maxLimitRequestRatio[resource]),
      ...pick('request', effective.defaultRequest[resource]),
      ...pick('limit', effective.default[resource]),
    };
    const amounts: Record<string, Amount> = {};
    for (const [field, value] of Object.entries(text)) {
      const amount = parseQuantity(value);
      if (amount !== undefined) amounts[field] = amount;
    }
    return { resource, text, ...amounts };
  });
  COMPILED.set(limits, compiled);
  return compiled;
}

function pick<K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, string>);
}

export function containerResources(container: JsonObject, limits: ContainerLimits): ResourceOutcome {
  const compiled = compile(limits);
  if (compiled.length === 0) return NOTHING;
  const resources = objectAt(container, 'resources');
  const requests = objectAt(resources, 'requests');
  const tenantLimits = objectAt(resources, 'limits');
  const stamps: ResourceOutcome['stamps'][number][] = [];
  const supplied: ResourceOutcome['supplied'][number][] = [];
  const problems: ResourceOutcome['problems'][number][] = [];

  for (const row of compiled) {
    const { resource } = row;
    const requestText = own(requests, resource);
    const limitText = own(tenantLimits, resource);
    const request = parseQuantity(requestText);
    const limit = parseQuantity(limitText);
    const problem = (text: string): void => {
      problems.push({ resource, problem: text, min: row.text.min ?? '0', max: row.text.max ?? 'any amount' });
    };
    if (request === undefined && limit === undefined) {
      if (row.request === undefined) {
        if (row.min !== undefined || row.ratio !== undefined) problem(`no ${resource} request is stated, and the profile has no default`);
      } else supplied.push({ resource, request: row.text.request ?? '', limit: row.text.limit ?? 'none' });
      continue;
    }
    const effectiveRequest = request ?? limit ?? 0n;
    const shownRequest = String(requestText ?? limitText);
    if (limit !== undefined) {
      judge(row, effectiveRequest, limit, shownRequest, String(limitText), problem);
      continue;
    }
    // Only a request. The LimitRange would add its default limit, whether or not that fits.
    const fits = row.limit !== undefined && effectiveRequest <= row.limit && withinRatio(row, effectiveRequest, row.limit);
    if (fits || (row.limit === undefined && row.max === undefined && row.ratio === undefined)) {
      judge(row, effectiveRequest, row.limit, shownRequest, row.text.limit ?? '', problem);
      continue;
    }
    const chosen = row.limit !== undefined && row.limit > effectiveRequest ? largest(row, effectiveRequest, row.limit) : effectiveRequest;
    const text = chosen === effectiveRequest ? shownRequest : formatQuantity(chosen, resource === 'cpu' ? 'decimal' : 'binary');
    if (judge(row, effectiveRequest, chosen, shownRequest, text, problem)) stamps.push({ resource, limit: text });
  }
  return stamps.length + supplied.length + problems.length === 0 ? NOTHING : { stamps, supplied, problems };
}

/** The largest limit that the ratio allows, at most the default; whole millis of a CPU, whole bytes of all else. */
function largest(row: ResourceLimits, request: Amount, limit: Amount): Amount {
  if (row.ratio === undefined) return limit;
  const unit = row.resource === 'cpu' ? 1_000_000n : ONE;
  const most = (request * row.ratio) / ONE;
  const rounded = (most / unit) * unit;
  const chosen = rounded < limit ? rounded : limit;
  return chosen < request ? request : chosen;
}

function withinRatio(row: ResourceLimits, request: Amount, limit: Amount): boolean {
  return row.ratio === undefined || (request > 0n && limit > 0n && limit * ONE <= request * row.ratio);
}

/** Whether the LimitRange takes the pair; says why not. */
function judge(
  row: ResourceLimits,
  request: Amount,
  limit: Amount | undefined,
  requestText: string,
  limitText: string,
  problem: (text: string) => void,
): boolean {
  const { resource, text } = row;
  if (request < 0n || (limit !== undefined && limit < 0n)) problem(`${resource} is negative`);
  else if (limit !== undefined && request > limit) problem(`the ${resource} request ${requestText} is above the limit ${limitText}`);
  else if (row.max !== undefined && request > row.max) problem(`the ${resource} request ${requestText} is above the maximum ${text.max}`);
  else if (row.max !== undefined && limit !== undefined && limit > row.max)
    problem(`the ${resource} limit ${limitText} is above the maximum ${text.max}`);
  else if (row.min !== undefined && request < row.min) problem(`the ${resource} request ${requestText} is below the minimum ${text.min}`);
  else if (limit !== undefined && !withinRatio(row, request, limit))
    problem(`the ${resource} limit ${limitText} is more than ${text.ratio} times the request ${requestText}`);
  else return true;
  return false;
}
