import type { Path } from '../kube/json.ts';
import type { Check } from './check.ts';
import { POD_SECURITY_CONTROLS } from './pod-security-controls.ts';
import { podOf } from './pod-security-pod.ts';

/** Controls whose fields the profile can have stamped where they are unset. */
const STAMPED: ReadonlySet<string> = new Set(['allowPrivilegeEscalation', 'runAsNonRoot', 'capabilities']);
const PLATFORM_FIX = 'Or the platform stamps what is unset: podSecurity.complete: all in the profile.';

/** All violations in one sentence, since a person fixes them together. What will be stamped counts as there. */
export const podSecurityCheck: Check = {
  id: 'isolation.pod-security',
  run(subject, ctx) {
    const pod = podOf(subject, ctx);
    if (pod === undefined) return undefined;
    const level = ctx.profile.podSecurity;
    const violations: string[] = [];
    const fixes: string[] = [];
    let path: Path | undefined;
    let stampable = false;
    for (const control of POD_SECURITY_CONTROLS) {
      if (level === 'baseline' ? control.level === 'restricted' : control.level === 'baseline only') continue;
      const found = control.find(pod);
      if (found.length === 0) continue;
      violations.push(`${control.id} (${found.map(({ what }) => what).join('; ')})`);
      fixes.push(control.fix);
      stampable ||= control.level === 'restricted' && STAMPED.has(control.id);
      path ??= found[0]?.path;
    }
    if (violations.length === 0) return [];
    if (stampable && ctx.profile.completePodSecurity !== 'all') fixes.push(PLATFORM_FIX);
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
