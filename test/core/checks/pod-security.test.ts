import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import type { Refusal } from '../../../src/core/translate/edit.ts';
import { testContext } from '../context.ts';
import { container, pod, podSpec, refusalsOf, SAFE } from '../pods.ts';

type Level = 'baseline' | 'restricted';
interface Row {
  readonly title: string;
  readonly spec: JsonObject;
  readonly annotations?: JsonObject;
  /** minor versions at which the level forbids it; `all`, `none`, or those before a version */
  readonly baseline: 'all' | 'none' | readonly [before: number];
  readonly restricted: 'all' | 'none' | readonly [before: number];
}

const inContainer = (securityContext: JsonObject, list = 'containers'): JsonObject => {
  const item = container({ name: 'odd', securityContext: { ...SAFE, ...securityContext } });
  return list === 'containers' ? { containers: [item] } : podSpec({ [list]: [item] });
};
const inPod = (securityContext: JsonObject): JsonObject => podSpec({ securityContext });
const without = (field: string): JsonObject => {
  const { [field]: _dropped, ...rest } = SAFE;
  return { containers: [container({ securityContext: rest })] };
};
const lists = ['containers', 'initContainers', 'ephemeralContainers'] as const;
const sysctl = (name: string, before?: number): Row => {
  const when = before === undefined ? 'none' : before === 0 ? 'all' : ([before] as const);
  return { title: `sysctl ${name}`, spec: inPod({ sysctls: [{ name, value: '1' }] }), baseline: when, restricted: when };
};

const ROWS: readonly Row[] = [
  { title: 'a pod that says all that is asked', spec: podSpec(), baseline: 'none', restricted: 'none' },
  // capabilities
  ...[
    'AUDIT_WRITE',
    'CHOWN',
    'DAC_OVERRIDE',
    'FOWNER',
    'FSETID',
    'KILL',
    'MKNOD',
    'SETFCAP',
    'SETGID',
    'SETPCAP',
    'SETUID',
    'SYS_CHROOT',
  ].map(
    (name): Row => ({
      title: `capability ${name}`,
      spec: inContainer({ capabilities: { drop: ['ALL'], add: [name] } }),
      baseline: 'none',
      restricted: 'all',
    }),
  ),
  ...['NET_ADMIN', 'NET_RAW', 'SYS_ADMIN', 'SYS_PTRACE', 'ALL', 'CAP_CHOWN', 'net_bind_service'].map(
    (name): Row => ({
      title: `capability ${name}`,
      spec: inContainer({ capabilities: { drop: ['ALL'], add: [name] } }),
      baseline: 'all',
      restricted: 'all',
    }),
  ),
  {
    title: 'capability NET_BIND_SERVICE',
    spec: inContainer({ capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } }),
    baseline: 'none',
    restricted: 'none',
  },
  { title: 'capabilities that drop one', spec: inContainer({ capabilities: { drop: ['NET_RAW'] } }), baseline: 'none', restricted: 'all' },
  { title: 'capabilities that drop all', spec: inContainer({ capabilities: { drop: ['all'] } }), baseline: 'none', restricted: 'all' },
  { title: 'capabilities that drop nothing', spec: inContainer({ capabilities: { drop: [] } }), baseline: 'none', restricted: 'all' },
  { title: 'no capabilities', spec: without('capabilities'), baseline: 'none', restricted: 'all' },
  ...lists.map(
    (list): Row => ({
      title: `capability NET_ADMIN in ${list}`,
      spec: inContainer({ capabilities: { drop: ['ALL'], add: ['NET_ADMIN'] } }, list),
      baseline: 'all',
      restricted: 'all',
    }),
  ),
  // SELinux
  ...(['container_t', 'container_init_t', 'container_kvm_t', ''] as const).map(
    (type): Row => ({ title: `SELinux type "${type}"`, spec: inPod({ seLinuxOptions: { type } }), baseline: 'none', restricted: 'none' }),
  ),
  {
    title: 'SELinux type container_engine_t',
    spec: inContainer({ seLinuxOptions: { type: 'container_engine_t' } }),
    baseline: [31],
    restricted: [31],
  },
  { title: 'SELinux type spc_t', spec: inPod({ seLinuxOptions: { type: 'spc_t' } }), baseline: 'all', restricted: 'all' },
  { title: 'SELinux user', spec: inPod({ seLinuxOptions: { user: 'system_u' } }), baseline: 'all', restricted: 'all' },
  { title: 'SELinux role', spec: inContainer({ seLinuxOptions: { role: 'sysadm_r' } }), baseline: 'all', restricted: 'all' },
  { title: 'SELinux level', spec: inPod({ seLinuxOptions: { level: 's0:c1,c2' } }), baseline: 'none', restricted: 'none' },
  ...lists.map(
    (list): Row => ({
      title: `SELinux type spc_t in ${list}`,
      spec: inContainer({ seLinuxOptions: { type: 'spc_t' } }, list),
      baseline: 'all',
      restricted: 'all',
    }),
  ),
  // procMount
  { title: 'procMount Default', spec: inContainer({ procMount: 'Default' }), baseline: 'none', restricted: 'none' },
  ...lists.map(
    (list): Row => ({
      title: `procMount Unmasked in ${list}`,
      spec: inContainer({ procMount: 'Unmasked' }, list),
      baseline: 'all',
      restricted: 'all',
    }),
  ),
  {
    title: 'procMount Unmasked in a user namespace',
    spec: { ...inContainer({ procMount: 'Unmasked' }), hostUsers: false },
    baseline: [35],
    restricted: 'all',
  },
  // seccomp
  { title: 'seccomp RuntimeDefault', spec: inPod({ seccompProfile: { type: 'RuntimeDefault' } }), baseline: 'none', restricted: 'none' },
  { title: 'seccomp Unconfined on the pod', spec: inPod({ seccompProfile: { type: 'Unconfined' } }), baseline: 'all', restricted: 'all' },
  ...lists.map(
    (list): Row => ({
      title: `seccomp Unconfined in ${list}`,
      spec: inContainer({ seccompProfile: { type: 'Unconfined' } }, list),
      baseline: 'all',
      restricted: 'all',
    }),
  ),
  {
    title: 'seccomp Localhost that nobody listed',
    spec: inPod({ seccompProfile: { type: 'Localhost', localhostProfile: 'x.json' } }),
    baseline: 'none',
    restricted: 'all',
  },
  {
    title: 'seccomp Localhost that the profile lists',
    spec: inContainer({ seccompProfile: { type: 'Localhost', localhostProfile: 'tenant.json' } }),
    baseline: 'none',
    restricted: 'none',
  },
  { title: 'seccomp without a type', spec: inPod({ seccompProfile: {} }), baseline: 'all', restricted: 'all' },
  // sysctls
  sysctl('kernel.shm_rmid_forced'),
  sysctl('net.ipv4.ip_local_port_range'),
  sysctl('net.ipv4.tcp_syncookies'),
  sysctl('net.ipv4.ping_group_range'),
  sysctl('net.ipv4.ip_unprivileged_port_start'),
  sysctl('net.ipv4.ip_local_reserved_ports'),
  sysctl('net.ipv4.tcp_keepalive_time', 29),
  sysctl('net.ipv4.tcp_fin_timeout', 29),
  sysctl('net.ipv4.tcp_keepalive_intvl', 29),
  sysctl('net.ipv4.tcp_keepalive_probes', 29),
  sysctl('net.ipv4.tcp_rmem', 32),
  sysctl('net.ipv4.tcp_wmem', 32),
  sysctl('net.ipv4.tcp_slow_start_after_idle', 37),
  sysctl('net.ipv4.tcp_notsent_lowat', 37),
  sysctl('net.core.somaxconn', 0),
  sysctl('kernel.msgmax', 0),
  // AppArmor
  { title: 'AppArmor RuntimeDefault', spec: inPod({ appArmorProfile: { type: 'RuntimeDefault' } }), baseline: 'none', restricted: 'none' },
  {
    title: 'AppArmor Localhost',
    spec: inContainer({ appArmorProfile: { type: 'Localhost', localhostProfile: 'x' } }),
    baseline: 'none',
    restricted: 'none',
  },
  { title: 'AppArmor Unconfined on the pod', spec: inPod({ appArmorProfile: { type: 'Unconfined' } }), baseline: 'all', restricted: 'all' },
  ...lists.map(
    (list): Row => ({
      title: `AppArmor Unconfined in ${list}`,
      spec: inContainer({ appArmorProfile: { type: 'Unconfined' } }, list),
      baseline: 'all',
      restricted: 'all',
    }),
  ),
  ...(
    [
      ['unconfined', 'all'],
      ['runtime/default', 'none'],
      ['localhost/x', 'none'],
      ['', 'none'],
    ] as const
  ).map(
    ([value, when]): Row => ({
      title: `AppArmor annotation "${value}"`,
      spec: podSpec(),
      annotations: { 'container.apparmor.security.beta.kubernetes.io/app': value },
      baseline: when,
      restricted: when,
    }),
  ),
  // Windows
  {
    title: 'hostProcess on the pod',
    spec: inPod({ windowsOptions: { hostProcess: true } }),
    baseline: 'all',
    restricted: 'all',
  },
  ...lists.map(
    (list): Row => ({
      title: `hostProcess in ${list}`,
      spec: inContainer({ windowsOptions: { hostProcess: true } }, list),
      baseline: 'all',
      restricted: 'all',
    }),
  ),
  { title: 'hostProcess false', spec: inPod({ windowsOptions: { hostProcess: false } }), baseline: 'none', restricted: 'none' },
  {
    title: 'a Windows pod without what only Linux has',
    spec: { os: { name: 'windows' }, containers: [container({ securityContext: { runAsNonRoot: true } })] },
    baseline: 'none',
    restricted: 'none',
  },
  {
    title: 'a Windows pod that may run as administrator',
    spec: { os: { name: 'windows' }, containers: [container({ securityContext: {} })] },
    baseline: 'none',
    restricted: 'all',
  },
  { title: 'a Linux pod by name', spec: { os: { name: 'linux' }, ...without('capabilities') }, baseline: 'none', restricted: 'all' },
  // allowPrivilegeEscalation
  { title: 'privilege escalation', spec: inContainer({ allowPrivilegeEscalation: true }), baseline: 'none', restricted: 'all' },
  { title: 'privilege escalation not ruled out', spec: without('allowPrivilegeEscalation'), baseline: 'none', restricted: 'all' },
  ...lists.map(
    (list): Row => ({
      title: `privilege escalation in ${list}`,
      spec: inContainer({ allowPrivilegeEscalation: true }, list),
      baseline: 'none',
      restricted: 'all',
    }),
  ),
  // runAsNonRoot
  { title: 'runAsNonRoot nowhere', spec: without('runAsNonRoot'), baseline: 'none', restricted: 'all' },
  {
    title: 'runAsNonRoot on the pod alone',
    spec: { ...without('runAsNonRoot'), securityContext: { runAsNonRoot: true } },
    baseline: 'none',
    restricted: 'none',
  },
  {
    title: 'runAsNonRoot false on the pod, true on containers',
    spec: inPod({ runAsNonRoot: false }),
    baseline: 'none',
    restricted: 'all',
  },
  ...lists.map(
    (list): Row => ({
      title: `runAsNonRoot false in ${list}`,
      spec: inContainer({ runAsNonRoot: false }, list),
      baseline: 'none',
      restricted: 'all',
    }),
  ),
  {
    title: 'runAsNonRoot nowhere in a user namespace',
    spec: { ...without('runAsNonRoot'), hostUsers: false },
    baseline: 'none',
    restricted: [35],
  },
  // runAsUser
  { title: 'runAsUser 0 on the pod', spec: inPod({ runAsUser: 0 }), baseline: 'none', restricted: 'all' },
  { title: 'runAsUser 1000', spec: inPod({ runAsUser: 1000 }), baseline: 'none', restricted: 'none' },
  ...lists.map(
    (list): Row => ({ title: `runAsUser 0 in ${list}`, spec: inContainer({ runAsUser: 0 }, list), baseline: 'none', restricted: 'all' }),
  ),
  { title: 'runAsUser 0 in a user namespace', spec: { ...inPod({ runAsUser: 0 }), hostUsers: false }, baseline: 'none', restricted: [35] },
  { title: 'hostUsers true', spec: podSpec({ hostUsers: true }), baseline: 'none', restricted: 'none' },
];

const VERSIONS = [undefined, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37] as const;

function violation(row: Row, level: Level, minor: number | undefined): Refusal | undefined {
  const ctx = testContext({
    profile: { level, podSecurity: level },
    allow: { seccompProfiles: ['tenant.json'] },
    ...(minor !== undefined && { host: { minor } }),
  });
  const metadata = row.annotations === undefined ? {} : { annotations: row.annotations };
  return refusalsOf(pod(row.spec, metadata), ctx).find((refusal) => refusal.reason === 'PodSecurityViolation');
}

describe('Pod Security by level and version', () => {
  for (const row of ROWS)
    for (const level of ['baseline', 'restricted'] as const)
      it(`${level}: ${row.title}`, () => {
        const when = row[level];
        for (const minor of VERSIONS) {
          const forbidden = when === 'all' || (when !== 'none' && (minor ?? 28) < when[0]);
          expect({ minor, forbidden: violation(row, level, minor) !== undefined }).toEqual({ minor, forbidden });
        }
      });

  it('covers at least 120 cases', () => {
    expect(ROWS.length * 2).toBeGreaterThanOrEqual(120);
  });
});

describe('what a Pod Security refusal says', () => {
  it('names every violation of a pod that says nothing, and the fix for each', () => {
    const bare = pod({ containers: [{ name: 'app', image: 'app:1' }] });
    const found = refusalsOf(bare, testContext({ host: { minor: 34 } }));
    expect(found.map((refusal) => refusal.reason)).toEqual(['PodSecurityViolation']);
    const params = found[0]?.params;
    expect(params?.['level']).toBe('restricted');
    expect(params?.['version']).toBe('v1.34');
    // Four are asked for; seccomp is stamped and counts as there.
    for (const control of ['allowPrivilegeEscalation', 'runAsNonRoot', 'capabilities']) expect(params?.['violations']).toContain(control);
    expect(params?.['violations']).not.toContain('seccompProfile');
    expect(params?.['fix']).toContain('allowPrivilegeEscalation: false');
    expect(params?.['fix']).toContain('runAsNonRoot: true');
    expect(params?.['fix']).toContain('Drop ALL');
  });

  it('names the container and the place', () => {
    const found = violation(
      { title: '', spec: inContainer({ procMount: 'Unmasked' }, 'initContainers'), baseline: 'all', restricted: 'all' },
      'baseline',
      36,
    );
    expect(found?.params['violations']).toBe('procMount (Unmasked on container odd)');
    expect(found?.path).toEqual(['spec', 'initContainers', 0, 'securityContext', 'procMount']);
  });

  it('says that an unknown host is judged by the strictest version', () => {
    const found = violation(
      { title: '', spec: inPod({ sysctls: [{ name: 'a.b' }] }), baseline: 'all', restricted: 'all' },
      'baseline',
      undefined,
    );
    expect(found?.params['version']).toBe('strictest of v1.28 to v1.37');
  });
});

describe('what is stamped counts as there', () => {
  const bare = pod({ containers: [{ name: 'app', image: 'app:1' }] });

  it('passes a bare pod where the profile completes everything', () => {
    expect(refusalsOf(bare, testContext({ profile: { completePodSecurity: 'all' } }))).toEqual([]);
  });

  it('never overrides what is set: a pod that says the opposite is refused all the same', () => {
    const ctx = testContext({ profile: { completePodSecurity: 'all' } });
    for (const securityContext of [
      { allowPrivilegeEscalation: true },
      { runAsNonRoot: false },
      { capabilities: { drop: ['NET_RAW'] } },
      { seccompProfile: { type: 'Unconfined' } },
    ])
      expect(refusalsOf(pod({ containers: [{ name: 'app', image: 'app:1', securityContext }] }), ctx).map(({ reason }) => reason)).toEqual([
        'PodSecurityViolation',
      ]);
  });

  it('stamps nothing at baseline', () => {
    const ctx = testContext({ profile: { level: 'baseline', podSecurity: 'baseline', completePodSecurity: 'all' } });
    expect(refusalsOf(bare, ctx)).toEqual([]);
  });
});
