import { asArray, asString, at, isObject, type JsonObject, objectAt, objectsOf, type Path } from '../kube/json.ts';
import type { Subject, TenantContext } from '../plan/tenant-context.ts';
import { dropsNothing, isWindows, type SecurityStamps, securityStamps, userNamespaceRelaxed } from '../translate/pod/security-stamps.ts';
import type { Check } from './check.ts';
import { containersOf, inContainer, isSet, type PlacedContainer, podSpecOf } from './containers.ts';
import { text } from './host-access.ts';

/**
 * Pod Security, levels baseline and restricted, as the admission plugin of Kubernetes 1.28 to 1.37 applies them
 * (k8s.io/pod-security-admission, policy/check_*.go). What has a check of its own here (hostPath and other volume types,
 * privileged, host namespaces and ports, probe hosts) is not repeated: those hold at every level and for every version.
 */
interface Pod {
  readonly spec: JsonObject;
  readonly base: Path;
  readonly securityContext: JsonObject | undefined;
  readonly containers: readonly PlacedContainer[];
  readonly annotations: JsonObject | undefined;
  readonly ctx: TenantContext;
  readonly stamps: SecurityStamps;
  /** true where the host is known to be of this minor version or later */
  since(minor: number): boolean;
}

interface Finding {
  readonly what: string;
  readonly path: Path;
}

interface Control {
  readonly id: string;
  readonly level: 'baseline' | 'restricted' | 'baseline only';
  readonly fix: string;
  find(pod: Pod): Finding[];
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
const OLDEST = 28;
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

const CONTROLS: readonly Control[] = [
  {
    id: 'hostProcess',
    level: 'baseline',
    fix: 'Remove securityContext.windowsOptions.hostProcess.',
    find: (pod) =>
      contexts(pod, (context, where, path) => {
        const value = objectAt(context, 'windowsOptions')?.['hostProcess'];
        return isSet(value) && value !== false ? [{ what: `is set on ${where}`, path: [...path, 'windowsOptions', 'hostProcess'] }] : [];
      }),
  },
  {
    id: 'capabilities',
    level: 'baseline only',
    fix: `Remove capabilities beyond ${[...DEFAULT_CAPABILITIES].join(', ')} from securityContext.capabilities.add.`,
    find: (pod) => addedCapabilities(pod, DEFAULT_CAPABILITIES),
  },
  {
    id: 'seLinuxOptions',
    level: 'baseline',
    fix: 'Leave out user and role, and use an SELinux type of a container.',
    find: (pod) =>
      contexts(pod, (context, where, path) => {
        const options = objectAt(context, 'seLinuxOptions');
        if (options === undefined) return [];
        const found: Finding[] = [];
        for (const field of ['user', 'role'] as const)
          if (isSet(options[field]) && options[field] !== '')
            found.push({ what: `${field} is set on ${where}`, path: [...path, 'seLinuxOptions', field] });
        const type = options['type'];
        const since = SELINUX_TYPES.get(asString(type) ?? (isSet(type) ? '-' : ''));
        if (since === undefined || !pod.since(since))
          found.push({ what: `type ${text(type)} on ${where}`, path: [...path, 'seLinuxOptions', 'type'] });
        return found;
      }),
  },
  {
    id: 'procMount',
    level: 'baseline',
    fix: 'Remove securityContext.procMount.',
    find: (pod) =>
      // From 1.35 a user namespace relaxes baseline, while restricted forbids it in any case.
      pod.ctx.profile.podSecurity === 'baseline' && userNamespaceRelaxed(pod.spec, pod.ctx)
        ? []
        : each(pod, ({ value: context, where, path }) => {
            const value = context?.['procMount'];
            return isSet(value) && value !== 'Default' ? [{ what: `${text(value)} on ${where}`, path: [...path, 'procMount'] }] : [];
          }),
  },
  {
    id: 'seccompProfile',
    level: 'baseline only',
    fix: 'Use seccompProfile type RuntimeDefault.',
    find: (pod) => contexts(pod, (context, where, path) => wrongSeccomp(pod, context, where, path)),
  },
  {
    id: 'sysctls',
    level: 'baseline',
    fix: 'Remove sysctls that are not in the safe set of the host’s version.',
    find: (pod) =>
      objectsOf(pod.securityContext?.['sysctls']).flatMap((sysctl) => {
        const name = asString(sysctl['name']) ?? '';
        const since = SYSCTLS.get(name);
        return since !== undefined && pod.since(since) ? [] : [{ what: name, path: [...pod.base, 'securityContext', 'sysctls'] }];
      }),
  },
  {
    id: 'appArmorProfile',
    level: 'baseline',
    fix: 'Use AppArmor profile RuntimeDefault or Localhost, or none.',
    find: (pod) => [
      ...contexts(pod, (context, where, path) => {
        const profile = context['appArmorProfile'];
        if (!isSet(profile)) return [];
        const type = isObject(profile) ? profile['type'] : profile;
        return type === 'RuntimeDefault' || type === 'Localhost'
          ? []
          : [{ what: `type ${text(type)} on ${where}`, path: [...path, 'appArmorProfile', 'type'] }];
      }),
      ...Object.entries(pod.annotations ?? {}).flatMap(([key, value]) => {
        if (!key.startsWith(APPARMOR_ANNOTATION) || value === '' || value === 'runtime/default') return [];
        if (typeof value === 'string' && value.startsWith('localhost/')) return [];
        return [{ what: `annotation ${key}: ${text(value)}`, path: [] }];
      }),
    ],
  },
  {
    id: 'allowPrivilegeEscalation',
    level: 'restricted',
    fix: 'Set securityContext.allowPrivilegeEscalation: false on each container.',
    find: (pod) =>
      isWindows(pod.spec)
        ? []
        : each(pod, ({ value: context, where, path }) => {
            const value = context?.['allowPrivilegeEscalation'];
            if (value === false || (!isSet(value) && pod.stamps.containers)) return [];
            return [{ what: `is not false on ${where}`, path: [...path, 'allowPrivilegeEscalation'] }];
          }),
  },
  {
    id: 'runAsNonRoot',
    level: 'restricted',
    fix: 'Set securityContext.runAsNonRoot: true on the pod or on each container.',
    find(pod) {
      if (userNamespaceRelaxed(pod.spec, pod.ctx)) return [];
      const own = pod.securityContext?.['runAsNonRoot'];
      const path = [...pod.base, 'securityContext', 'runAsNonRoot'];
      const found: Finding[] = isSet(own) && own !== true ? [{ what: 'is false on the pod', path }] : [];
      const covered = own === true || (!isSet(own) && pod.stamps.runAsNonRoot);
      return [
        ...found,
        ...each(pod, ({ value: context, where, path }) => {
          const value = context?.['runAsNonRoot'];
          if (value === true || (!isSet(value) && covered)) return [];
          return [{ what: `is ${isSet(value) ? text(value) : 'not set'} on ${where}`, path: [...path, 'runAsNonRoot'] }];
        }),
      ];
    },
  },
  {
    id: 'runAsUser',
    level: 'restricted',
    fix: 'Use a runAsUser other than 0.',
    find: (pod) =>
      userNamespaceRelaxed(pod.spec, pod.ctx)
        ? []
        : contexts(pod, (context, where, path) =>
            context['runAsUser'] === 0 || context['runAsUser'] === 0n ? [{ what: `is 0 on ${where}`, path: [...path, 'runAsUser'] }] : [],
          ),
  },
  {
    id: 'seccompProfile',
    level: 'restricted',
    fix: 'Use seccompProfile type RuntimeDefault, or a Localhost profile that the profile’s allow.seccompProfiles lists.',
    find(pod) {
      if (isWindows(pod.spec)) return [];
      const covered = pod.stamps.seccomp || isSet(pod.securityContext?.['seccompProfile']);
      return [
        ...contexts(pod, (context, where, path) => wrongSeccomp(pod, context, where, path)),
        ...each(pod, ({ value: context, where, path }) =>
          covered || isSet(context?.['seccompProfile']) ? [] : [{ what: `is not set on ${where}`, path: [...path, 'seccompProfile'] }],
        ),
      ];
    },
  },
  {
    id: 'capabilities',
    level: 'restricted',
    fix: 'Drop ALL in securityContext.capabilities of each container, and add none but NET_BIND_SERVICE.',
    find(pod) {
      if (isWindows(pod.spec)) return [];
      return [
        ...each(pod, ({ value: context, where, path }) => {
          const drop = asArray(objectAt(context, 'capabilities')?.['drop']) ?? [];
          if (drop.includes('ALL') || (pod.stamps.containers && dropsNothing(context))) return [];
          return [{ what: `ALL is not dropped on ${where}`, path: [...path, 'capabilities', 'drop'] }];
        }),
        ...addedCapabilities(pod, RESTRICTED_CAPABILITIES),
      ];
    },
  },
];

function addedCapabilities(pod: Pod, allowed: ReadonlySet<string>): Finding[] {
  return each(pod, ({ value: context, where, path }) => {
    const added = (asArray(objectAt(context, 'capabilities')?.['add']) ?? []).filter((item) => !allowed.has(text(item)));
    return added.length === 0 ? [] : [{ what: `${added.map(text).join(', ')} added on ${where}`, path: [...path, 'capabilities', 'add'] }];
  });
}

/** Localhost names a file of the node, so from restricted up the platform lists which ones are meant for tenants. */
function wrongSeccomp(pod: Pod, context: JsonObject, where: string, path: Path): Finding[] {
  const profile = context['seccompProfile'];
  if (!isSet(profile)) return [];
  const type = isObject(profile) ? profile['type'] : profile;
  const found = [{ what: `${text(type)} on ${where}`, path: [...path, 'seccompProfile', 'type'] }];
  if (type === 'RuntimeDefault') return [];
  if (type !== 'Localhost') return found;
  if (pod.ctx.profile.podSecurity === 'baseline') return [];
  const file = isObject(profile) ? (asString(profile['localhostProfile']) ?? '') : '';
  if (pod.ctx.profile.allow.seccompProfiles.includes(file)) return [];
  return [{ what: `Localhost ${file} on ${where} is not in allow.seccompProfiles`, path: [...path, 'seccompProfile', 'localhostProfile'] }];
}

/** Each container with its security context, where it has one. */
function each(pod: Pod, look: (container: { value: JsonObject | undefined; where: string; path: Path }) => Finding[]): Finding[] {
  const found: Finding[] = [];
  for (const container of pod.containers)
    found.push(
      ...look({
        value: objectAt(container.spec, 'securityContext'),
        where: `container ${container.name}`,
        path: inContainer(pod.base, container, 'securityContext'),
      }),
    );
  return found;
}

/** Each security context: the pod's and the containers'. */
function contexts(pod: Pod, look: (context: JsonObject, where: string, path: Path) => Finding[]): Finding[] {
  const found = pod.securityContext === undefined ? [] : look(pod.securityContext, 'the pod', [...pod.base, 'securityContext']);
  return [...found, ...each(pod, ({ value, where, path }) => (value === undefined ? [] : look(value, where, path)))];
}

export const podSecurityCheck: Check = {
  id: 'isolation.pod-security',
  run(subject, ctx) {
    const pod = podOf(subject, ctx);
    if (pod === undefined) return undefined;
    const level = ctx.profile.podSecurity;
    const violations: string[] = [];
    const fixes: string[] = [];
    let path: Path | undefined;
    for (const control of CONTROLS) {
      if (level === 'baseline' ? control.level === 'restricted' : control.level === 'baseline only') continue;
      const found = control.find(pod);
      if (found.length === 0) continue;
      violations.push(`${control.id} (${found.map((finding) => finding.what).join('; ')})`);
      fixes.push(control.fix);
      path ??= found[0]?.path;
    }
    if (violations.length === 0) return [];
    const version = ctx.host.minor === undefined ? 'strictest of v1.28 to v1.37' : `v1.${ctx.host.minor}`;
    return [
      {
        reason: 'PodSecurityViolation',
        params: { level, version, violations: violations.join(', '), fix: fixes.join(' ') },
        ...(path !== undefined && path.length > 0 && { path }),
      },
    ];
  },
};

function podOf(subject: Subject, ctx: TenantContext): Pod | undefined {
  const spec = podSpecOf(subject);
  const base = subject.row.podSpec;
  if (spec === undefined || base === undefined) return undefined;
  const meta = subject.row.podMeta === undefined ? undefined : at(subject.object, ...subject.row.podMeta);
  return {
    spec,
    base,
    securityContext: objectAt(spec, 'securityContext'),
    containers: containersOf(spec),
    annotations: objectAt(meta, 'annotations'),
    ctx,
    stamps: securityStamps(spec, ctx),
    since: (minor) => minor <= (ctx.host.minor ?? OLDEST),
  };
}
