import type { Check } from './check.ts';

/**
 * In DNS mode aliases short names belong to the main virtual namespace alone: a pod of another one would get an answer, and the
 * wrong one. A PodTemplate runs nothing.
 */
export const dnsNamespaceCheck: Check = {
  id: 'dns.namespace',
  run(subject, ctx) {
    if (subject.row.podSpec === undefined || subject.key === 'PodTemplate') return undefined;
    if (ctx.tenant.dns !== 'aliases' || subject.virtualNamespace === ctx.mainNamespace) return [];
    return [{ reason: 'DnsOtherNamespace', params: { namespace: subject.virtualNamespace, main: ctx.mainNamespace } }];
  },
};
