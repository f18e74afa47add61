import { type Amount, parseQuantity } from '../kube/quantity.ts';
import type { ContainerLimits } from '../plan/settings.ts';

/**
 * The limits as the API server keeps them: what a LimitRange of type Container leaves open is filled from its other fields
 * (core/v1 defaults, SetDefaults_LimitRangeItem).
 */
export function effectiveLimits(limits: ContainerLimits): ContainerLimits {
  const limit = { ...limits.max, ...limits.default };
  return { ...limits, default: limit, defaultRequest: { ...limits.min, ...limit, ...limits.defaultRequest } };
}

/**
 * Pairs of fields of which the first may not exceed the second, or the API server refuses the LimitRange. As written: a value
 * that is filled in can break an order only where a written one does too.
 */
const ORDER: readonly (readonly [keyof ContainerLimits, keyof ContainerLimits])[] = [
  ['min', 'defaultRequest'],
  ['min', 'default'],
  ['min', 'max'],
  ['defaultRequest', 'default'],
  ['defaultRequest', 'max'],
  ['default', 'max'],
];

/**
 * What is wrong with a profile's limits, in sentences: quantities that are none, an order that the API server refuses, and
 * defaults or bounds that their own ratio rules out, so that no container could ever start.
 */
export function limitProblems(limits: ContainerLimits): string[] {
  const fields = effectiveLimits(limits);
  const problems: string[] = malformed(limits);
  if (problems.length > 0) return problems;
  for (const resource of resourcesOf(fields)) {
    const text = (field: keyof ContainerLimits) => `${field}.${resource} (${fields[field][resource]})`;
    const amount = (field: keyof ContainerLimits): Amount | undefined => parseQuantity(fields[field][resource]);
    for (const [low, high] of ORDER) {
      const [a, b] = [parseQuantity(limits[low][resource]), parseQuantity(limits[high][resource])];
      if (a !== undefined && b !== undefined && a > b) problems.push(`${text(low)} is more than ${text(high)}`);
    }
    const ratio = amount('maxLimitRequestRatio');
    if (ratio === undefined) continue;
    if (ratio < ONE) problems.push(`${text('maxLimitRequestRatio')} is below 1, so no limit could hold its request`);
    problems.push(...ratioProblems(ratio, text, amount));
  }
  return problems;
}

const ONE: Amount = parseQuantity('1') ?? 1n;

function ratioProblems(
  ratio: Amount,
  text: (field: keyof ContainerLimits) => string,
  amount: (field: keyof ContainerLimits) => Amount | undefined,
): string[] {
  const problems: string[] = [];
  const [request, limit, min, max] = [amount('defaultRequest'), amount('default'), amount('min'), amount('max')];
  if (request !== undefined && limit !== undefined && limit * ONE > request * ratio) {
    problems.push(`${text('default')} is more than ${text('maxLimitRequestRatio')} times ${text('defaultRequest')}`);
  }
  // The API server takes a ratio that the bounds already rule out for a mistake (core validation, ValidateLimitRange).
  if (min !== undefined && min > 0n && max !== undefined && ratio * min > max * ONE) {
    problems.push(`${text('maxLimitRequestRatio')} is more than ${text('max')} over ${text('min')}`);
  }
  return problems;
}

function malformed(limits: ContainerLimits): string[] {
  const problems: string[] = [];
  for (const field of ['defaultRequest', 'default', 'min', 'max', 'maxLimitRequestRatio'] as const) {
    for (const [resource, value] of Object.entries(limits[field])) {
      const amount = parseQuantity(value);
      if (amount === undefined) problems.push(`${field}.${resource} (${value}) is no quantity`);
      else if (amount < 0n) problems.push(`${field}.${resource} (${value}) is negative`);
    }
  }
  return problems;
}

function resourcesOf(limits: ContainerLimits): string[] {
  const names = new Set<string>();
  for (const values of Object.values(limits)) for (const name of Object.keys(values)) names.add(name);
  return [...names].sort();
}
