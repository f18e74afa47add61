import { asArray, asString, isObject, type JsonObject, objectAt, objectsOf } from '../kube/json.ts';
import { dropsNothing, isWindows, userNamespaceRelaxed } from '../translate/pod/security-stamps.ts';
import { isSet } from './containers.ts';
import { text } from './host-access.ts';
import { contexts, each, type Finding, finding, NOTHING, type Place, type Pod } from './pod-security-pod.ts';

export interface Control {
  readonly id: string;
  readonly level: 'baseline' | 'restricted' | 'baseline only';
  readonly fix: string;
  find(pod: Pod): readonly Finding[];
}

const SYSCTLS: ReadonlyMap<string, number> = new Map([
  ['kernel.shm_rmid_forced', 0],
  ['net.ipv4.ip_local_port_range', 0],
  ['net.ipv4.tcp_syncookies', 0],
  ['net.ipv4.ping_group_range', 0],
  ['net.ipv4.ip_unprivileged_port_start', 0],
  ['net.ipv4.ip_local_reserved_ports', 27],
  ['net.ipv4.tcp_keepalive_time', 29],
  ['net.ipv4.tcp_fin_timeout', 29],
  ['net.ipv4.tcp_keepalive_intvl', 29],
  ['net.ipv4.tcp_keepalive_probes', 29],
  ['net.ipv4.tcp_rmem', 32],
  ['net.ipv4.tcp_wmem', 32],
  ['net.ipv4.tcp_slow_start_after_idle', 37],
  ['net.ipv4.tcp_notsent_lowat', 37],
]);
const SELINUX_TYPES: ReadonlyMap<string, number> = new Map([
  ['', 0],
  ['container_t', 0],
  ['container_init_t', 0],
  ['container_kvm_t', 0],
  ['container_engine_t', 31],
]);
const DEFAULT_CAPABILITIES: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);
const RESTRICTED_CAPABILITIES: ReadonlySet<string> = new Set(['NET_BIND_SERVICE']);
const APPARMOR_ANNOTATION = 'container.apparmor.security.beta.kubernetes.io/';

/**
 * Pod Security, levels baseline and restricted, as the admission plugin of Kubernetes 1.28 to 1.37 applies them
 * (k8s.io/pod-security-admission, policy/check_*.go). What has a check of its own here (hostPath and other volume types,
 * privileged, host namespaces and ports, probe hosts) is not repeated: those hold at every level and for every version.
 */
export const POD_SECURITY_CONTROLS: readonly Control[] = [
  {
    id: 'hostProcess',
    level: 'baseline',
    fix: 'Remove securityContext.windowsOptions.hostProcess.',
    find: (pod) =>
      contexts(pod, (context, place) => {
        const value = objectAt(context, 'windowsOptions')?.['hostProcess'];
        if (!isSet(value) || value === false) return NOTHING;
        return finding(place, (where) => `is set on ${where}`, 'windowsOptions', 'hostProcess');
      }),
  },
  {
    id: 'capabilities',
    level: 'baseline only',
    fix: `Remove capabilities beyond ${[...DEFAULT_CAPABILITIES].join(', ')} from securityContext.capabilities.add.`,
    find: (pod) => each(pod, (context, place) => addedCapabilities(context, place, DEFAULT_CAPABILITIES)),
  },
  {
    id: 'seLinuxOptions',
    level: 'baseline',
    fix: 'Leave out user and role, and use an SELinux type of a container.',
    find: (pod) =>
      contexts(pod, (context, place) => {
        const options = objectAt(context, 'seLinuxOptions');
        if (options === undefined) return NOTHING;
        const found: Finding[] = [];
        for (const field of ['user', 'role'] as const)
          if (isSet(options[field]) && options[field] !== '')
            found.push(...finding(place, (where) => `${field} is set on ${where}`, 'seLinuxOptions', field));
        const type = options['type'];
        const since = SELINUX_TYPES.get(asString(type) ?? (isSet(type) ? '-' : ''));
        if (since === undefined || !pod.since(since))
          found.push(...finding(place, (where) => `type ${text(type)} on ${where}`, 'seLinuxOptions', 'type'));
        return found;
      }),
  },
  {
    id: 'procMount',
    level: 'baseline',
    fix: 'Remove securityContext.procMount.',
    find(pod) {
      // From 1.35 a user namespace relaxes baseline, while restricted forbids it in any case.
      if (pod.ctx.profile.podSecurity === 'baseline' && userNamespaceRelaxed(pod.spec, pod.ctx)) return NOTHING;
      return each(pod, (context, place) => {
        const value = context?.['procMount'];
        return isSet(value) && value !== 'Default' ? finding(place, (where) => `${text(value)} on ${where}`, 'procMount') : NOTHING;
      });
    },
  },
  {
    id: 'seccompProfile',
    level: 'baseline only',
    fix: 'Use seccompProfile type RuntimeDefault.',
    find: (pod) => contexts(pod, wrongSeccomp),
  },
  {
    id: 'sysctls',
    level: 'baseline',
    fix: 'Remove sysctls that are not in the safe set of the host’s version.',
    find(pod) {
      const sysctls = asArray(pod.securityContext?.['sysctls']);
      if (sysctls === undefined) return NOTHING;
      return objectsOf(sysctls).flatMap((sysctl) => {
        const name = asString(sysctl['name']) ?? '';
        const since = SYSCTLS.get(name);
        return since !== undefined && pod.since(since) ? [] : finding({ pod }, () => name, 'sysctls');
      });
    },
  },
  {
    id: 'appArmorProfile',
    level: 'baseline',
    fix: 'Use AppArmor profile RuntimeDefault or Localhost, or none.',
    find: (pod) => [
      ...contexts(pod, (context, place) => {
        const profile = context['appArmorProfile'];
        if (!isSet(profile)) return NOTHING;
        const type = isObject(profile) ? profile['type'] : profile;
        if (type === 'RuntimeDefault' || type === 'Localhost') return NOTHING;
        return finding(place, (where) => `type ${text(type)} on ${where}`, 'appArmorProfile', 'type');
      }),
      ...appArmorAnnotations(pod),
    ],
  },
  {
    id: 'allowPrivilegeEscalation',
    level: 'restricted',
    fix: 'Set securityContext.allowPrivilegeEscalation: false on each container.',
    find(pod) {
      if (isWindows(pod.spec)) return NOTHING;
      return each(pod, (context, place) => {
        const value = context?.['allowPrivilegeEscalation'];
        if (value === false || (!isSet(value) && pod.stamps.containers)) return NOTHING;
        return finding(place, (where) => `is not false on ${where}`, 'allowPrivilegeEscalation');
      });
    },
  },
  {
    id: 'runAsNonRoot',
    level: 'restricted',
    fix: 'Set securityContext.runAsNonRoot: true on the pod or on each container.',
    find(pod) {
      if (userNamespaceRelaxed(pod.spec, pod.ctx)) return NOTHING;
      const own = pod.securityContext?.['runAsNonRoot'];
      const covered = own === true || (!isSet(own) && pod.stamps.runAsNonRoot);
      return [
        ...(isSet(own) && own !== true ? finding({ pod }, (where) => `is false on ${where}`, 'runAsNonRoot') : NOTHING),
        ...each(pod, (context, place) => {
          const value = context?.['runAsNonRoot'];
          if (value === true || (!isSet(value) && covered)) return NOTHING;
          return finding(place, (where) => `is ${isSet(value) ? text(value) : 'not set'} on ${where}`, 'runAsNonRoot');
        }),
      ];
    },
  },
  {
    id: 'runAsUser',
    level: 'restricted',
    fix: 'Use a runAsUser other than 0.',
    find(pod) {
      if (userNamespaceRelaxed(pod.spec, pod.ctx)) return NOTHING;
      return contexts(pod, (context, place) => {
        const user = context['runAsUser'];
        return user === 0 || user === 0n ? finding(place, (where) => `is 0 on ${where}`, 'runAsUser') : NOTHING;
      });
    },
  },
  {
    id: 'seccompProfile',
    level: 'restricted',
    fix: 'Use seccompProfile type RuntimeDefault, or a Localhost profile that the profile’s allow.seccompProfiles lists.',
    find(pod) {
      if (isWindows(pod.spec)) return NOTHING;
      const wrong = contexts(pod, wrongSeccomp);
      if (pod.stamps.seccomp || isSet(pod.securityContext?.['seccompProfile'])) return wrong;
      const missing = each(pod, (context, place) =>
        isSet(context?.['seccompProfile']) ? NOTHING : finding(place, (where) => `is not set on ${where}`, 'seccompProfile'),
      );
      return [...wrong, ...missing];
    },
  },
  {
    id: 'capabilities',
    level: 'restricted',
    fix: 'Drop ALL in securityContext.capabilities of each container, and add none but NET_BIND_SERVICE.',
    find(pod) {
      if (isWindows(pod.spec)) return NOTHING;
      return each(pod, (context, place) => {
        const drop = asArray(objectAt(context, 'capabilities')?.['drop']);
        const dropped = drop?.includes('ALL') === true || (pod.stamps.containers && dropsNothing(context));
        const added = addedCapabilities(context, place, RESTRICTED_CAPABILITIES);
        if (dropped) return added;
        return [...finding(place, (where) => `ALL is not dropped on ${where}`, 'capabilities', 'drop'), ...added];
      });
    },
  },
];

function addedCapabilities(context: JsonObject | undefined, place: Place, allowed: ReadonlySet<string>): readonly Finding[] {
  const add = asArray(objectAt(context, 'capabilities')?.['add']);
  const added = add?.filter((item) => !allowed.has(text(item))) ?? [];
  if (added.length === 0) return NOTHING;
  return finding(place, (where) => `${added.map(text).join(', ')} added on ${where}`, 'capabilities', 'add');
}

function appArmorAnnotations(pod: Pod): Finding[] {
  const found: Finding[] = [];
  for (const key of Object.keys(pod.annotations ?? {})) {
    if (!key.startsWith(APPARMOR_ANNOTATION)) continue;
    const value = pod.annotations?.[key];
    if (value === '' || value === 'runtime/default' || (typeof value === 'string' && value.startsWith('localhost/'))) continue;
    found.push({ what: `annotation ${key}: ${text(value)}`, path: [] });
  }
  return found;
}

/** Localhost names a file of the node, so from restricted up the platform lists which ones are meant for tenants. */
function wrongSeccomp(context: JsonObject, place: Place): readonly Finding[] {
  const profile = context['seccompProfile'];
  if (!isSet(profile)) return NOTHING;
  const type = isObject(profile) ? profile['type'] : profile;
  if (type === 'RuntimeDefault') return NOTHING;
  if (type !== 'Localhost') return finding(place, (where) => `${text(type)} on ${where}`, 'seccompProfile', 'type');
  const { podSecurity, allow } = place.pod.ctx.profile;
  const file = isObject(profile) ? (asString(profile['localhostProfile']) ?? '') : '';
  if (podSecurity === 'baseline' || allow.seccompProfiles.includes(file)) return NOTHING;
  return finding(place, (where) => `Localhost ${file} on ${where} is not in allow.seccompProfiles`, 'seccompProfile', 'localhostProfile');
}
