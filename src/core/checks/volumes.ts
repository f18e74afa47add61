import { asArray, asString, isObject, type JsonObject, objectAt, own, type Path } from '../kube/json.ts';
import type { Subject, TenantContext } from '../plan/tenant-context.ts';
import type { Refusal } from '../translate/edit.ts';
import { blockedBy } from './blocked-by.ts';
import type { Check } from './check.ts';
import { claimRefusals } from './claim.ts';
import { isSet } from './containers.ts';
import { podSpecOf } from './pod-spec.ts';

type Rule = (source: JsonObject, name: string, path: Path, ctx: TenantContext) => readonly Refusal[];

const NONE: readonly Refusal[] = [];
const pass: Rule = () => NONE;
const blocked = (type: string, name: string, path: Path, fix: string): readonly Refusal[] => [
  { reason: 'VolumeTypeBlocked', params: { volume: name, type, fix }, path },
];

/** Volume types that a tenant may use, closed: any other is refused. */
const ALLOWED: Readonly<Record<string, Rule>> = {
  configMap: pass,
  secret: pass,
  emptyDir: pass,
  downwardAPI: pass,
  persistentVolumeClaim: pass,
  projected: projectedRule,
  ephemeral(source, _name, path, ctx) {
    const claim = objectAt(source, 'volumeClaimTemplate', 'spec');
    return claim === undefined ? NONE : claimRefusals(claim, [...path, 'volumeClaimTemplate', 'spec'], ctx);
  },
  csi(source, name, path, ctx) {
    const driver = asString(source['driver']) ?? '';
    if (ctx.profile.allow.csiDrivers.includes(driver)) return NONE;
    return blocked(`csi (${driver})`, name, path, `Use a PersistentVolumeClaim, or ask for ${driver} under allow.csiDrivers.`);
  },
  image(_source, name, path, ctx) {
    return ctx.profile.allow.imageVolumes ? NONE : [{ reason: 'ImageVolumeBlocked', params: { volume: name }, path }];
  },
};

/** Projected sources that carry an identity of the host's, by what they are called in a message. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  serviceAccountToken: 'a service account token',
  clusterTrustBundle: 'a trust bundle',
  podCertificate: 'a certificate',
};
const PROJECTIONS: ReadonlySet<string> = new Set(['configMap', 'secret', 'downwardAPI']);

function projectedRule(source: JsonObject, name: string, path: Path): readonly Refusal[] {
  const refusals: Refusal[] = [];
  (asArray(source['sources']) ?? []).forEach((item, index) => {
    if (!isObject(item)) return;
    for (const key of Object.keys(item)) {
      if (!isSet(item[key]) || PROJECTIONS.has(key)) continue;
      const what = Object.hasOwn(CREDENTIALS, key) ? CREDENTIALS[key] : undefined;
      const at = [...path, 'sources', index, key];
      if (what === undefined) refusals.push(...blocked(`projected ${key}`, name, at, 'Use a configMap, secret or downwardAPI source.'));
      else refusals.push({ reason: 'ProjectedTokenBlocked', params: { volume: name, what }, path: at });
    }
  });
  return refusals;
}

function eachVolume(
  subject: Subject,
  look: (type: string, source: JsonObject, name: string, path: Path) => readonly Refusal[],
): readonly Refusal[] | undefined {
  const pod = podSpecOf(subject);
  if (pod === undefined) return undefined;
  const { spec, base } = pod;
  const volumes = asArray(own(spec, 'volumes'));
  if (volumes === undefined) return NONE;
  const refusals: Refusal[] = [];
  for (let index = 0; index < volumes.length; index += 1) {
    const volume = volumes[index];
    if (!isObject(volume)) continue;
    const name = asString(volume['name']) ?? String(index);
    for (const key of Object.keys(volume)) {
      if (key === 'name' || !isSet(volume[key])) continue;
      const source = volume[key];
      refusals.push(...look(key, isObject(source) ? source : {}, name, [...base, 'volumes', index, key]));
    }
  }
  return refusals;
}

/** Every path to the node's disk has let somebody out (CVE-2017-1002101, CVE-2021-25741); Pod Security baseline forbids it as well. */
export const hostPathCheck: Check = {
  id: 'isolation.host-path',
  run(subject, ctx) {
    return eachVolume(subject, (type, _source, name, path) => {
      if (type !== 'hostPath') return NONE;
      const { control, words } = blockedBy(ctx, ctx.profile.blockHostPath && 'controls.blockHostPathVolumes');
      return [{ reason: 'HostPathBlocked', params: { volume: name, control: words }, control, path }];
    });
  },
};

export const volumesCheck: Check = {
  id: 'isolation.volumes',
  run(subject, ctx) {
    return eachVolume(subject, (type, source, name, path) => {
      if (type === 'hostPath') return NONE;
      const rule = Object.hasOwn(ALLOWED, type) ? ALLOWED[type] : undefined;
      if (rule !== undefined) return rule(source, name, path, ctx);
      return blocked(type, name, path, 'Use a PersistentVolumeClaim, configMap, secret, emptyDir, projected or ephemeral volume.');
    });
  },
};
