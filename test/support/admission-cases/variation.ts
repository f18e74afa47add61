import type { AdmissionCase } from './case.ts';

/** What no API server shows us: fields behind gates that are off, and objects from before there were policies. */
export const NOT_SENT: number = Number.POSITIVE_INFINITY;

export const is = (
  name: string,
  object: AdmissionCase['object'],
  rules: readonly string[],
  fields: Partial<AdmissionCase> = {},
): AdmissionCase => ({
  name: `variation: ${name}`,
  threats: '',
  object,
  rules,
  ...fields,
});

/** Metadata of nobody, of a tool and of ours. */
export const A = { 'example.com/a': 'b' } as const;
export const TOOL = { 'argocd.argoproj.io/x': 'a' } as const;
export const OWN = { 'tenantplane.io/x': 'a' } as const;
