import { NATIVE_RESOURCES } from '../../checks/extended-resources.ts';
import { WORKLOAD_ACCOUNT } from '../namespaces.ts';
import { absentOrEmpty, absentOrIn, CREATED, each, eachGiven, every, list, orUnchanged, some, text } from './cel.ts';
import { allowedClasses, choosesNoVolume, noOldClass, ownSource } from './claim-expressions.ts';
import { isOfNodePool } from './node-pool.ts';
import type { Rule } from './rule.ts';

const SPEC = 'object.spec';
/** Ephemeral containers have neither probes nor hooks. */
const PROBED = ['containers', 'initContainers'] as const;
const LISTS = ['containers', 'initContainers', 'ephemeralContainers'] as const;

/** Says the same of a node as its name (kubelet). */
const HOSTNAME = 'kubernetes.io/hostname';

/** Volume sources without an identity or a disk of the host's. */
const VOLUMES = ['configMap', 'secret', 'emptyDir', 'downwardAPI', 'projected', 'persistentVolumeClaim', 'ephemeral'] as const;
const PROJECTIONS = ['configMap', 'secret', 'downwardAPI'] as const;

const HANDLERS = ['httpGet', 'tcpSocket'] as const;
const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const HOOKS = ['postStart', 'preStop'] as const;

/** What a pod is made with; most of it cannot be changed, and what is bound has its node's name. Its template may hide in any workload; controllers make pods of it, and those are looked at here. */
export const POD_RULES: readonly Rule[] = [
  {
    id: 'rc',
    group: 'pods',
    matches: 'Pods',
    when: CREATED,
    controls: ['runtimeClassName'],
    expression: ({ runtimeClassName: name }) =>
      name === undefined
        ? absentOrEmpty(`${SPEC}.runtimeClassName`)
        : `has(${SPEC}.runtimeClassName) && ${SPEC}.runtimeClassName == ${text(name)}`,
    message: [
      'the runtime class is not that of the profile',
      'Set controls.runtimeClassName of the profile, and runtimeClassName of the pod to the same.',
    ],
    found: `has(${SPEC}.runtimeClassName) ? ${SPEC}.runtimeClassName : 'none'`,
    wanted: ({ runtimeClassName }) => text(runtimeClassName ?? 'none'),
    doc: 'runs with the runtime class of the profile and no other; with none where it names none',
  },
  {
    id: 'hu',
    group: 'pods',
    matches: 'Pods',
    when: CREATED,
    controls: ['userNamespaces'],
    expression: ({ userNamespaces }) =>
      userNamespaces === 'required' ? every([`has(${SPEC}.hostUsers)`, `!${SPEC}.hostUsers`]) : undefined,
    message: ['the pod shares the user namespace of the node', 'Set hostUsers: false.'],
    doc: 'has a user namespace of its own, where `controls.userNamespaces` is required',
  },
  {
    id: 'sa',
    group: 'pods',
    matches: 'Pods',
    when: CREATED,
    controls: ['serviceAccount'],
    expression: () =>
      every([
        `has(${SPEC}.automountServiceAccountToken)`,
        `!${SPEC}.automountServiceAccountToken`,
        `has(${SPEC}.serviceAccountName)`,
        `${SPEC}.serviceAccountName == ${text(WORKLOAD_ACCOUNT)}`,
      ]),
    message: [
      'a tenant’s pod has no account of the host',
      `Set serviceAccountName: ${WORKLOAD_ACCOUNT} and automountServiceAccountToken: false.`,
    ],
    found: `has(${SPEC}.serviceAccountName) ? ${SPEC}.serviceAccountName : 'no account'`,
    doc: `runs as \`${WORKLOAD_ACCOUNT}\`, with no token mounted`,
  },
  {
    id: 'sat',
    group: 'pods',
    matches: 'Pods',
    when: CREATED,
    controls: ['serviceAccount'],
    expression: () =>
      each(
        `${SPEC}.volumes`,
        'v',
        some([
          '!has(v.projected)',
          '!has(v.projected.sources)',
          `v.projected.sources.all(s, ${some(PROJECTIONS.map((type) => `has(s.${type})`))})`,
        ]),
      ),
    message: [
      'a volume projects a token, certificate or trust bundle of the host',
      'Project configMaps, secrets and the downward API only.',
    ],
    doc: 'projects configMaps, secrets and the downward API, and no credential of the host',
  },
  {
    id: 'host-path',
    group: 'pods',
    matches: 'Pods',
    when: CREATED,
    controls: ['blockHostPathVolumes'],
    expression: ({ blockHostPath }) => (blockHostPath ? each(`${SPEC}.volumes`, 'v', '!has(v.hostPath)') : undefined),
    message: ['a volume is a hostPath', 'Use a PersistentVolumeClaim or an emptyDir.'],
    doc: 'mounts no path of its node, where `controls.blockHostPathVolumes` is on (else Pod Security and `vol` refuse it)',
  },
  {
    id: 'vol',
    group: 'pods',
    matches: 'Pods',
    when: CREATED,
    controls: ['csiDrivers', 'imageVolumes'],
    expression: ({ blockHostPath, allow }) => {
      const types = [...VOLUMES, ...(allow.imageVolumes ? ['image'] : []), ...(blockHostPath ? ['hostPath'] : [])].map(
        (type) => `has(v.${type})`,
      );
      const csi = allow.csiDrivers.length > 0 ? [every(['has(v.csi)', `v.csi.driver in ${list(allow.csiDrivers)}`])] : [];
      return each(`${SPEC}.volumes`, 'v', some([...types, ...csi]));
    },
    message: ['a volume is of a type that the profile does not allow', 'Use a claim, or ask for allow.csiDrivers or allow.imageVolumes.'],
    doc: 'has volumes of closed types; CSI drivers and images where the profile lists them',
  },
  {
    id: 'vol-claim',
    group: 'pods',
    matches: 'Pods',
    when: CREATED,
    controls: ['storageClasses'],
    expression: (profile) => {
      const claim = 'v.ephemeral.volumeClaimTemplate.spec';
      const metadata = 'v.ephemeral.volumeClaimTemplate.metadata';
      return each(
        `${SPEC}.volumes`,
        'v',
        some([
          '!has(v.ephemeral)',
          '!has(v.ephemeral.volumeClaimTemplate)',
          every([
            choosesNoVolume(claim),
            ownSource(claim),
            allowedClasses(claim, profile),
            some([`!has(${metadata})`, noOldClass(metadata)]),
          ]),
        ]),
      );
    },
    message: [
      'an ephemeral volume claims what a claim may not',
      'Name a class of allow.storageClasses or none, and no volume, selector or foreign source.',
    ],
    doc: 'holds the claims in its ephemeral volumes to the rules for claims',
  },
  {
    id: 'node',
    group: 'pods',
    matches: 'Pods',
    when: CREATED,
    controls: ['scheduling'],
    expression: () => absentOrEmpty(`${SPEC}.nodeName`),
    message: ['nodeName goes past the scheduler, its taints and quotas', 'Use a node selector or affinity.'],
    found: `${SPEC}.nodeName`,
    doc: 'names no node; binding is the scheduler’s',
  },
  {
    id: 'node-choice',
    group: 'pods',
    matches: 'Pods',
    when: CREATED,
    controls: ['scheduling'],
    expression: ({ allow }) => {
      const affinity = `${SPEC}.?affinity.?nodeAffinity`;
      const required = `${affinity}.?requiredDuringSchedulingIgnoredDuringExecution.?nodeSelectorTerms`;
      const preferred = `${affinity}.?preferredDuringSchedulingIgnoredDuringExecution`;
      const affine = every([eachGiven(required, 't', namesNoNode('t')), eachGiven(preferred, 'p', namesNoNode('p.preference'))]);
      return every([
        some([
          `!has(${SPEC}.nodeSelector)`,
          `!(${text(HOSTNAME)} in ${SPEC}.nodeSelector)`,
          isOfNodePool(`${SPEC}.nodeSelector`, HOSTNAME),
        ]),
        // The DaemonSet controller gives each pod its node so.
        ...(allow.daemonSets ? [some(['variables.daemonset', affine])] : [affine]),
      ]);
    },
    message: [
      'the pod chooses its node by name',
      'Choose by labels that several nodes have; spread with topologySpreadConstraints or podAntiAffinity.',
    ],
    doc: `chooses no node by its name or its label \`kubernetes.io/hostname\`, in \`nodeSelector\` or \`nodeAffinity\``,
  },
  {
    id: 'device',
    group: 'pods',
    matches: 'Pods: every list of containers',
    when: CREATED,
    controls: ['extendedResources'],
    // The API server takes a request for what cannot be overcommitted only with the same limit.
    expression: ({ allow }) => {
      const known = `k in ${list([...NATIVE_RESOURCES, ...allow.extendedResources])}`;
      const limits = (holder: string): string => eachGiven(`${holder}.?resources.?limits`, 'k', known, '{}');
      return every([limits(SPEC), ...PROBED.map((name) => each(`${SPEC}.${name}`, 'c', limits('c')))]);
    },
    message: [
      'a container asks for a device or huge pages that the profile does not allow',
      'Remove the resource, or list it under allow.extendedResources of the profile (one that a webhook of the host adds, too).',
    ],
    doc: 'asks for CPU, memory, local disk and what `allow.extendedResources` lists',
  },
  {
    id: 'sched',
    group: 'pods',
    matches: 'Pods',
    when: CREATED,
    controls: ['scheduling'],
    expression: () =>
      every([
        absentOrIn(`${SPEC}.schedulerName`, ['default-scheduler']),
        absentOrEmpty(`${SPEC}.schedulingGates`),
        absentOrEmpty(`${SPEC}.resourceClaims`),
      ]),
    message: ['schedulerName, schedulingGates or resourceClaims hand the pod to a controller of the host', 'Leave all three out.'],
    doc: 'asks for no scheduler, scheduling gate or device claim of its own',
  },
  {
    id: 'probe-host',
    group: 'pods',
    matches: 'Pods: every list of containers',
    when: CREATED,
    controls: ['podSecurity'],
    expression: () =>
      every(
        PROBED.map((name) =>
          each(`${SPEC}.${name}`, 'c', every([...PROBES.map((probe) => callsItself(`c.${probe}`)), hooksCallItself('c.lifecycle')])),
        ),
      ),
    message: ['a probe or hook makes the node call a host of the pod’s choice', 'Leave the host out: the pod’s own IP is meant.'],
    doc: 'has no host in probes and hooks, on hosts whose Pod Security does not look there yet (before 1.34)',
  },
  {
    id: 'privileged',
    group: 'pods',
    matches: 'Pods and their ephemeral containers: every list of containers',
    when: `${CREATED} || request.subResource == 'ephemeralcontainers'`,
    controls: ['blockPrivilegedContainers'],
    expression: ({ blockPrivileged }) =>
      blockPrivileged
        ? every(
            LISTS.map((name) =>
              orUnchanged(
                [`spec.${name}`],
                each(
                  `${SPEC}.${name}`,
                  'c',
                  some(['!has(c.securityContext)', '!has(c.securityContext.privileged)', '!c.securityContext.privileged']),
                ),
              ),
            ),
          )
        : undefined,
    message: ['a container is privileged', 'Remove securityContext.privileged.'],
    doc: 'is not privileged, where `controls.blockPrivilegedContainers` is on (else Pod Security refuses it)',
  },
  {
    id: 'prio',
    group: 'pods',
    matches: 'Pods',
    when: CREATED,
    controls: ['priorityClasses'],
    // The API server fills in a default class, so what Kubernetes' controllers make of a template that `tpl-prio` let through stays.
    expression: ({ allow }, { defaultPriorityClass }) =>
      some([
        absentOrIn(`${SPEC}.priorityClassName`, [
          ...allow.priorityClasses,
          ...(defaultPriorityClass === undefined ? [] : [defaultPriorityClass]),
        ]),
        every([some(['variables.trusted', 'variables.kubernetes']), `!${SPEC}.priorityClassName.startsWith('system-')`]),
      ]),
    message: ['the priority class is not one of the profile', 'Name a class of allow.priorityClasses, or none.'],
    found: `${SPEC}.priorityClassName`,
    doc: 'has a priority class of `allow.priorityClasses`, or the host’s default',
  },
];

/** A term of a node affinity: fields are the name of a node, and nothing else. */
function namesNoNode(term: string): string {
  return every([
    eachGiven(`${term}.?matchFields`, 'f', 'false'),
    eachGiven(`${term}.?matchExpressions`, 'e', `e.key != ${text(HOSTNAME)}`),
  ]);
}

/** An optional probe or hook names no host: the pod's own address is meant. */
function callsItself(probe: string): string {
  const handlers = HANDLERS.map((handler) => some([`!has(${probe}.${handler})`, absentOrEmpty(`${probe}.${handler}.host`)]));
  return some([`!has(${probe})`, every(handlers)]);
}

function hooksCallItself(lifecycle: string): string {
  return some([`!has(${lifecycle})`, every(HOOKS.map((hook) => callsItself(`${lifecycle}.${hook}`)))]);
}
