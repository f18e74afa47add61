import { stringAt } from '../kube/json.ts';
import type { Subject, TenantContext } from '../plan/tenant-context.ts';

/** What a kind needs beside its entry in the SyncPolicy, without which the entry is followed by a refusal. */
export interface Consent {
  /** the object that has the field, `IsolationProfile restricted` */
  readonly holder: string;
  readonly field: string;
  readonly value: string;
  /** as `what-if --set` takes it */
  readonly setting: string;
  /** what does as well, in words that follow a semicolon */
  readonly or?: string;
}

type Row = (subject: Pick<Subject, 'object'>, ctx: Pick<TenantContext, 'tenant' | 'profile'>) => Consent | undefined;

const endpoints: Row = (_, { profile }) => (profile.allow.endpoints ? undefined : ofProfile(profile.name, 'spec.allow.endpoints', 'true'));

/** By key of the kinds table; each is what a check of that kind asks for (`secret.plain`, `optInCheck`, `daemonSetCheck`). */
const CONSENTS: Readonly<Record<string, Row>> = {
  Secret: (_, { tenant }) =>
    tenant.renderSecrets === 'plain'
      ? undefined
      : {
          ...consent('TenantCluster', `${tenant.namespace}/${tenant.name}`, 'spec.secrets.render', 'plain'),
          or: 'or write an ExternalSecret or SealedSecret of that name in its place, and add an entry for that kind',
        },
  Endpoints: endpoints,
  'EndpointSlice.discovery.k8s.io': endpoints,
  'DaemonSet.apps': (_, { profile }) => (profile.allow.daemonSets ? undefined : ofProfile(profile.name, 'spec.allow.daemonSets', 'true')),
  'Ingress.networking.k8s.io': ({ object }, { profile }) => {
    const className = stringAt(object, 'spec', 'ingressClassName');
    return profile.allow.ingressClasses.length > 0 || className === undefined
      ? undefined
      : ofProfile(profile.name, 'spec.allow.ingressClasses', `[${className}]`);
  },
};

/** What has to be set as well for an object that a SyncPolicy is to list. */
export function consentOf(subject: Pick<Subject, 'key' | 'object'>, ctx: Pick<TenantContext, 'tenant' | 'profile'>): Consent | undefined {
  return Object.hasOwn(CONSENTS, subject.key) ? CONSENTS[subject.key]?.(subject, ctx) : undefined;
}

function ofProfile(name: string, field: string, value: string): Consent {
  return consent('IsolationProfile', name, field, value);
}

function consent(kind: string, name: string, field: string, value: string): Consent {
  return { holder: `${kind} ${name}`, field, value, setting: `${kind}/${name}:${field}=${value}` };
}
