const INDENT = '  ';

/** What Pod Security restricted asks of a container, so that a case is refused for its own reason only. */
const SAFE = 'securityContext: {allowPrivilegeEscalation: false, runAsNonRoot: true, capabilities: {drop: [ALL]}}';

/** A Pod with one compliant container `app`; `lines` stand below `spec`. */
export function pod(lines = '', name = 'p', metadata = ''): string {
  return `apiVersion: v1
kind: Pod
metadata: {name: ${name}${metadata === '' ? '' : `, ${metadata}`}}
spec:
  containers:
  - {name: app, image: registry.example/app:1, ${SAFE}}
${indent(lines, 1)}`;
}

type ContainerList = 'containers' | 'initContainers' | 'ephemeralContainers';

/** A Pod whose container `app` has `lines` of its own; `list` is another list of containers to put it in. */
export function podWith(lines: string, list: ContainerList = 'containers', safe?: false): string {
  const container = `  - name: ${list === 'containers' ? 'app' : 'other'}
    image: registry.example/app:1
${safe !== false ? `    ${SAFE}\n` : ''}${indent(lines, 2)}`;
  if (list === 'containers') return `apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n${container}`;
  return `${pod()}  ${list}:\n${container}`;
}

/** A Deployment `web` of pods labelled `app: web`; `lines` stand below the pod's spec. */
export function deployment(lines = '', labels = 'app: web', selector: string = labels): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {${selector}}}
  template:
    metadata: {labels: {${labels}}}
    spec:
      containers:
      - {name: app, image: registry.example/app:1, ${SAFE}}
${indent(lines, 3)}`;
}

export function service(spec: string, name = 's', metadata = ''): string {
  return `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}${metadata === '' ? '' : `, ${metadata}`}}\nspec:\n${indent(spec, 1)}`;
}

export function configMap(name: string, more = '', namespace = 'default'): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${namespace}${more === '' ? '' : `, ${more}`}}\ndata: {a: b}\n`;
}

function indent(lines: string, levels: number): string {
  if (lines === '') return '';
  return `${lines.replace(/\n$/, '').replace(/^(?=.)/gm, INDENT.repeat(levels))}\n`;
}
