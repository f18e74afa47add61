/** What people type who know kubectl, kustomize, kpt, helm, flux or argocd, and what it is here. Only what does the same, or where that is found. */

/** What other tools call a command of ours. */
export const ALSO: Readonly<Record<string, string>> = {
  build: 'render',
  generate: 'render',
  template: 'render',
  check: 'validate',
  lint: 'validate',
  test: 'validate',
  create: 'init',
  new: 'init',
  plan: 'diff',
  install: 'up',
  uninstall: 'down',
  destroy: 'down',
};

const TENANTS = 'kubectl get tenantclusters -A lists the tenants of a host, and how each is.';

/** Commands of which no single one of ours is meant. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  apply: 'Did you mean render? What it writes is applied by kubectl, Argo CD or Flux; tenantplane up applies a package to try it.',
  get: TENANTS,
  status: TENANTS,
  list: TENANTS,
  describe: 'kubectl describe tenantcluster -n NAMESPACE NAME tells the conditions of a tenant.',
  connect: 'Did you mean kubeconfig? tenantplane kubeconfig NAMESPACE/NAME prints how a tenant’s API is reached.',
  pause: 'kubectl annotate tenantcluster -n NAMESPACE NAME tenantplane.io/paused=true has the reconciler change nothing.',
  suspend: 'kubectl annotate tenantcluster -n NAMESPACE NAME tenantplane.io/paused=true has the reconciler change nothing.',
  resume: 'kubectl annotate tenantcluster -n NAMESPACE NAME tenantplane.io/paused- has the reconciler go on.',
  reconcile:
    'kubectl annotate tenantcluster -n NAMESPACE NAME --overwrite tenantplane.io/reconcile-requested-at="$(date)" has the reconciler look now; tenantplane reconciler runs one.',
  logs: 'kubectl logs -n tenantplane-system deploy/tenantplane-reconciler prints those of the reconciler; tenantplane up prints its own.',
  delete:
    'tenantplane down NAMESPACE/NAME takes a tenant off a host that up put it on; in Git, remove the tenant’s folder and render again.',
  fn: 'tenantplane render does what the functions do; kpt fn render calls them as executables or images: functions/README.md.',
  sync: 'Argo CD or Flux applies what tenantplane render wrote; tenantplane render application or kustomization prints what has them do so.',
};

export interface OtherOption {
  /** as it is typed, without its value */
  readonly words: readonly string[];
  /** `render`, `report html` */
  readonly commands: readonly string[];
  readonly hint: string;
}

const PACKAGE = ['render', 'validate', 'report html', 'isolation', 'tree', 'up', 'doctor'];
const REVIEW = ['diff', 'pr-comment', 'what-if'];
const NO_HOST =
  'This asks no host: it reads the package. tenantplane doctor PATH --cluster asks one, tenantplane facts writes down what it has.';

/** Options, the first that fits. */
export const OTHER_OPTIONS: readonly OtherOption[] = [
  {
    words: ['-n', '--namespace'],
    commands: ['render', 'validate', 'doctor'],
    hint: 'A tenant is named, as NAME or NAMESPACE/NAME: --tenant NAME.',
  },
  { words: ['-n', '--namespace'], commands: ['isolation', 'tree'], hint: 'A tenant is named, as NAME or NAMESPACE/NAME: --tenant NAME.' },
  { words: ['-n', '--namespace'], commands: ['diff', 'what-if'], hint: 'A tenant is named, as NAME or NAMESPACE/NAME: --tenants NAME.' },
  { words: ['-n', '--namespace'], commands: ['down'], hint: 'Name the tenant with its namespace: tenantplane down NAMESPACE/NAME.' },
  { words: ['-n'], commands: ['init', 'render tenantcluster'], hint: 'The namespace of the new tenant is --namespace.' },
  { words: ['-n', '--namespace'], commands: ['up'], hint: 'All tenants of the package are applied, each into its own namespace.' },
  {
    words: ['-f', '--filename', '--file', '-k', '--kustomize', '-R', '--recursive'],
    commands: ['diff'],
    hint: 'Two versions of a package are compared: tenantplane diff main...HEAD, or --base DIR --head DIR. With a host: tenantplane render PATH -o stdout | kubectl diff -f -',
  },
  {
    words: ['--staged', '--cached'],
    commands: ['diff'],
    hint: 'The index is no side of it: without words it compares HEAD with the working tree.',
  },
  { words: ['--stat'], commands: ['diff'], hint: 'The same is --summary.' },
  { words: ['--name-only'], commands: ['diff'], hint: 'The same is -o table.' },
  {
    words: ['-f', '--filename', '--file'],
    commands: ['what-if'],
    hint: 'A change in a file is given with --patch FILE; what one manifest becomes says tenantplane explain-sync -f FILE.',
  },
  { words: ['--level'], commands: ['what-if'], hint: "The same is --set 'IsolationProfile/NAME:spec.level=LEVEL'." },
  { words: ['--profile'], commands: ['what-if'], hint: 'The same is --use OLD=NEW, which lets tenants use another profile.' },
  { words: ['--dry-run'], commands: ['what-if'], hint: 'It never writes anything.' },
  { words: ['--name'], commands: ['init'], hint: 'A tenant is named with --tenant.' },
  { words: ['--profile'], commands: ['init'], hint: 'Its profile is that of the package; --level asks for one of a level.' },
  { words: ['--force'], commands: ['init'], hint: 'It never overwrites.' },
  { words: ['-f', '--filename', '--file'], commands: ['pr-comment'], hint: 'A diff that was made is given with --from FILE.' },
  {
    words: ['-f', '--filename', '--file', '-k', '--kustomize', '-R', '--recursive'],
    commands: PACKAGE,
    hint: 'The package is a folder, with all below it, and is named without a flag. Of one manifest tenantplane explain-sync -f FILE says what it would become.',
  },
  {
    words: ['-f', '--filename', '--file'],
    commands: ['why', 'why-not', 'graph'],
    hint: 'A file is named without a flag, or tenantplane explain-sync -f FILE says what it would become.',
  },
  {
    words: ['--dry-run', '--server-dry-run'],
    commands: ['render'],
    hint: '--check writes nothing and says whether it would; --check --diff shows what.',
  },
  {
    words: ['--dry-run', '--server-dry-run'],
    commands: ['up'],
    hint: 'What it would apply: tenantplane render PATH -o stdout | kubectl diff -f -',
  },
  {
    words: ['-A', '--all-namespaces', '--all'],
    commands: ['render', 'validate', 'doctor', 'tree', 'isolation'],
    hint: 'All tenants are meant unless --tenant names one.',
  },
  {
    words: ['-A', '--all-namespaces'],
    commands: ['diff', 'what-if', 'pr-comment', 'report html', 'up'],
    hint: 'All tenants of the package are meant.',
  },
  {
    words: ['-A', '--all-namespaces'],
    commands: ['why', 'why-not', 'graph', 'reach'],
    hint: 'All namespaces are searched unless -n names one.',
  },
  {
    words: ['-A', '--all-namespaces'],
    commands: ['kubeconfig'],
    hint: 'Name the tenant: tenantplane kubeconfig NAME looks in all namespaces. kubectl get tenantclusters -A lists them.',
  },
  { words: ['-A', '--all-namespaces'], commands: ['down'], hint: 'All tenants of the host are --all.' },
  { words: ['-w'], commands: ['render'], hint: 'Render again at each change: --watch.' },
  { words: ['-w', '--watch', '--wait'], commands: ['up'], hint: 'It waits and tells already; --until-ready ends it once all are Ready.' },
  { words: ['--prune'], commands: ['render'], hint: 'Files of what is gone are removed by each render; --max-deletions bounds how many.' },
  { words: ['--output-dir', '--output-file'], commands: ['render'], hint: 'Write into another folder: -o dir=FOLDER.' },
  {
    words: ['--set'],
    commands: ['render', 'validate', 'diff'],
    hint: 'tenantplane what-if --set says what a setting would change; it is kept in the package’s own YAML.',
  },
  { words: ['--strict'], commands: ['render', 'validate', 'doctor'], hint: 'Fail on warnings too: --fail-on warning.' },
  { words: ['--client', '--short'], commands: ['version'], hint: 'tenantplane version says it of this command alone, and asks no host.' },
  { words: ['-f', '--filename', '--file'], commands: ['facts'], hint: 'Write into a file: --output-file FILE.' },
  {
    words: ['--context', '--kubeconfig'],
    commands: [
      'render',
      'validate',
      'report html',
      'isolation',
      'tree',
      ...REVIEW,
      'explain-sync',
      'why',
      'why-not',
      'graph',
      'reach',
      'audit verify',
    ],
    hint: NO_HOST,
  },
  {
    words: ['-l', '--selector'],
    commands: ['render', 'validate', 'doctor', 'tree', 'isolation'],
    hint: 'Tenants are named: --tenant NAME.',
  },
];

/** Formats of `-o` that a command does not have; most know `wide`. */
const OTHER_FORMATS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  render: { wide: 'List everything, however long: -v.', name: 'For a program: -o json.' },
  'explain-sync': { wide: 'Tell every rule and every field: -o text --trace --fields.' },
};

export function otherFormat(typed: string, command: string): string | undefined {
  return new Map(Object.entries(OTHER_FORMATS[command] ?? {})).get(typed);
}

/** What an option that a command does not have is called there. */
export function otherOption(typed: string, command: string): string | undefined {
  const word = /^-[A-Za-z]/.test(typed) ? typed.slice(0, 2) : typed.replace(/=.*/s, '');
  return OTHER_OPTIONS.find(({ words, commands }) => words.includes(word) && commands.includes(command))?.hint;
}
