/** One thing that was looked at, and what came of it. `unknown` is neither good nor bad: the fact could not be had. */
export interface Diagnosis {
  /** `TPD1xx` the repository, `TPD2xx` the host, `TPD3xx` what applies the tree; stable */
  readonly id: `TPD${number}`;
  readonly name: string;
  readonly result: 'ok' | 'warn' | 'fail' | 'unknown';
  /** what was found, as a sentence without its end */
  readonly what: string;
  /** the command or the edit that mends it; empty where there is nothing to mend */
  readonly fix: string;
}

type Id = keyof typeof CHECKS;

/** Every check by its number; a number is never used again. */
export const CHECKS = {
  TPD101: 'PackageRenders',
  TPD102: 'TreeIsUpToDate',
  TPD103: 'TreeHoldsOursAlone',
  TPD104: 'TreeIsCommitted',
  TPD105: 'GitKeepsBytes',
  TPD106: 'AppliersSeeTheTree',
  TPD201: 'HostVersion',
  TPD202: 'AdmissionPolicies',
  TPD203: 'DefinitionsInstalled',
  TPD204: 'HostHasWhatProfilesName',
  TPD205: 'DefaultStorageClass',
  TPD206: 'NetworkPoliciesEnforced',
  TPD207: 'FactsAreCurrent',
  TPD301: 'SomethingAppliesTheTree',
  TPD302: 'ApplicationSettings',
  TPD303: 'KustomizationSettings',
  TPD304: 'ResourceTracking',
  TPD305: 'ExcludedKinds',
  TPD306: 'ApplierIsTrusted',
  TPD307: 'EveryFolderIsApplied',
} as const;

/** Whatever is not well says what to do. */
export function diagnosis(id: Id, result: 'ok', what: string): Diagnosis;
export function diagnosis(id: Id, result: Exclude<Diagnosis['result'], 'ok'>, what: string, fix: string): Diagnosis;
export function diagnosis(id: Id, result: Diagnosis['result'], what: string, fix = ''): Diagnosis {
  return { id, name: CHECKS[id], result, what, fix };
}
