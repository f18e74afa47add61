import { shellWord } from '../../core/decision/shell-word.ts';
import { BACKSTOP_SINCE } from '../../core/isolation/admission/compile.ts';
import { equal, type JsonObject } from '../../core/kube/json.ts';
import { minorOf, NEWEST, OLDEST, versionProblem } from '../../core/kube/known-versions.ts';
import type { Finding } from '../../core/plan/plan-types.ts';
import { type Diagnosis, diagnosis } from './diagnosis.ts';

export interface HostAnswers {
  /** spec of HostFacts, as the host says it now */
  readonly live: JsonObject;
  /** spec of the package's own HostFacts, and where they are; undefined where it has none */
  readonly committed?: { readonly spec: JsonObject; readonly path: string };
  /** what the planner finds with the live facts in place of the committed ones */
  readonly findings: readonly Finding[];
  readonly packagePath: string;
  /** `--kubeconfig F --context C`, as they were given */
  readonly reach: string;
}

/** What a host has to be for the boundary to hold. What the planner knows of hosts, the planner says. Pure. */
export function hostChecks({ live, committed, findings, packagePath, reach }: HostAnswers): readonly Diagnosis[] {
  const version = text(live['version']);
  const problem = versionProblem(version);
  const served = list(live['apiVersions']);
  const lacks = findings.filter(({ reason }) => reason === 'HostLacks');
  return [
    problem === undefined
      ? diagnosis('TPD201', 'ok', `Kubernetes ${version}`)
      : diagnosis(
          'TPD201',
          'fail',
          `the host's version ${problem}`,
          `Use a host of 1.${OLDEST} to 1.${NEWEST}, or a tenantplane that knows it.`,
        ),
    admission(version, served),
    served === undefined
      ? diagnosis('TPD203', 'unknown', 'the host does not say which API versions it serves', API_VERSIONS)
      : served.includes('tenantplane.io/v1alpha1')
        ? diagnosis('TPD203', 'ok', 'the definitions of TenantCluster and the others are installed')
        : diagnosis(
            'TPD203',
            'fail',
            'the host does not serve tenantplane.io/v1alpha1, so host/config cannot be applied',
            'kubectl apply --server-side -f deploy/crds (of the npm package, or of the repository)',
          ),
    ...(lacks.length === 0
      ? [diagnosis('TPD204', 'ok', 'the host has every class and API version that profiles and policies name')]
      : lacks.map(({ message, remedy }) => diagnosis('TPD204', 'fail', message.replace(/\.$/, ''), remedy))),
    storageClass(live['defaultStorageClass']),
    networkPolicies(committed?.spec['networkPolicies'], packagePath),
    current(live, committed, packagePath, reach),
  ];
}

const API_VERSIONS = 'See what it answers: kubectl api-versions';

function admission(version: string, served: readonly string[] | undefined): Diagnosis {
  const minor = minorOf(version);
  const what = 'ValidatingAdmissionPolicy v1';
  if (minor !== undefined && minor < BACKSTOP_SINCE)
    return diagnosis(
      'TPD202',
      'warn',
      `the host has no ${what} before 1.${BACKSTOP_SINCE}: what somebody writes to the host directly, no policy of ours refuses`,
      'Upgrade the host.',
    );
  if (served === undefined) return diagnosis('TPD202', 'unknown', `the host does not say whether it serves ${what}`, API_VERSIONS);
  return served.includes('admissionregistration.k8s.io/v1')
    ? diagnosis('TPD202', 'ok', `${what} is served`)
    : diagnosis('TPD202', 'fail', `${what} is not served`, 'Look at --runtime-config of the API server.');
}

function storageClass(name: unknown): Diagnosis {
  if (typeof name !== 'string')
    return diagnosis(
      'TPD205',
      'unknown',
      'the account may not list StorageClasses',
      'Ask as one who may: kubectl auth can-i list storageclasses',
    );
  return name === ''
    ? diagnosis(
        'TPD205',
        'warn',
        'the host has no default StorageClass: claims and control planes that name none would wait for ever',
        'kubectl annotate storageclass NAME storageclass.kubernetes.io/is-default-class=true',
      )
    : diagnosis('TPD205', 'ok', `${name} is the default StorageClass`);
}

/** No API says it, so only what a person tried and wrote down counts. */
function networkPolicies(value: unknown, packagePath: string): Diagnosis {
  const file = `${packagePath}/facts.yaml`.replace(/^\.\//, '');
  if (value === 'enforced') return diagnosis('TPD206', 'ok', 'the facts say that the network plugin enforces NetworkPolicies');
  if (value === 'ignored')
    return diagnosis(
      'TPD206',
      'fail',
      'the facts say that the network plugin ignores NetworkPolicies: no default deny closes anything',
      'Install a network plugin that enforces them.',
    );
  return diagnosis(
    'TPD206',
    'unknown',
    'no API says whether the network plugin enforces NetworkPolicies',
    `Try it (docs/install.md), then write networkPolicies: enforced into ${file}.`,
  );
}

function current(live: JsonObject, committed: HostAnswers['committed'], packagePath: string, reach: string): Diagnosis {
  const call = `tenantplane facts${reach === '' ? '' : ` ${reach}`}`;
  if (committed === undefined)
    return diagnosis(
      'TPD207',
      'warn',
      'the package has no HostFacts, so a render takes the strictest of all hosts and checks no class',
      `${call} > ${shellWord(`${packagePath}/facts.yaml`)}`,
    );
  const other = Object.keys(committed.spec).filter((fact) => fact !== 'networkPolicies' && !equal(committed.spec[fact], live[fact]));
  const file = shellWord(committed.path);
  const keep = `${call} --keep ${file} > facts.new && mv facts.new ${file}`;
  return other.length === 0
    ? diagnosis('TPD207', 'ok', `${committed.path} says what the host says`)
    : diagnosis('TPD207', 'warn', `${committed.path} says something else than the host of ${other.join(', ')}`, keep);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function list(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}
