import type { FieldChange, HostChange, InputChange, Review } from '../../../src/core/review/review.ts';

export const NOTHING: Review = {
  before: { label: 'origin/main', commit: 'a'.repeat(40), objects: 9, tenants: 2 },
  after: { label: 'HEAD', commit: 'b'.repeat(40), objects: 9, tenants: 2 },
  causes: [],
  changes: [],
  refusals: [],
  outOfScope: [],
  stops: [],
  warnings: [],
  isolation: [],
  unchanged: 9,
  frozen: [],
};

export function field(before = 'web:1', after = 'web:2'): FieldChange {
  return { pointer: '/spec/image', path: 'spec.containers[app].image', op: 'Replace', before, after };
}

export function cause(id: string, override: Partial<InputChange> = {}): InputChange {
  const ref = { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: id };
  return {
    id,
    verb: 'changed',
    role: 'object',
    ref,
    file: `tenants/dev/objects/${id}.yaml`,
    document: 0,
    line: 14,
    fields: [field()],
    ...override,
  };
}

export function change(name: string, override: Partial<HostChange> = {}): HostChange {
  return {
    tenant: 'team-dev/dev',
    host: { apiVersion: 'v1', kind: 'Pod', namespace: 'team-dev', name, file: `team-dev/pod_${name}.yaml` },
    verb: 'changed',
    code: 'TP2001',
    reason: 'PolicyMatched',
    message: 'it is projected',
    causes: ['web'],
    effects: [],
    fields: [field()],
    ...override,
  };
}

/** A review of that many changes, all of whose text is hostile, from as many causes as are asked for. */
export function big(count: number, causes: number, text = ''): Review {
  const ids = Array.from({ length: causes }, (_, index) => `${text}cause-${index}`);
  const effects: HostChange['effects'][] = [[], ['deleted'], ['restarted'], ['isolation-weaker'], ['quota'], ['data-deleted', 'deleted']];
  const verbs: HostChange['verb'][] = ['changed', 'removed', 'added'];
  return {
    ...NOTHING,
    causes: ids.map((id) => cause(id, { file: `tenants/${id}.yaml`, fields: [field(`${text}1`, `${text}2`)] })),
    changes: Array.from({ length: count }, (_, index) =>
      change(`${text}web-${index}`, {
        tenant: `${text}team/${index % 240}`,
        causes: [ids[index % causes] ?? ''],
        verb: verbs[index % 3] ?? 'changed',
        effects: effects[index % 6] ?? [],
        fields: [field(`${text}1`, `${text}2`)],
      }),
    ),
    refusals: Array.from({ length: Math.ceil(count / 10) }, (_, index) => ({
      tenant: `${text}team/${index}`,
      verb: 'added',
      subject: { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: `${text}bad-${index}` },
      file: `${text}bad.yaml`,
      code: `TP3${index % 40}`,
      reason: 'Blocked',
      message: `${text} is forbidden`,
      remedy: `Remove ${text}.`,
      also: [{ code: 'TP3099', reason: 'Blocked', message: `${text} as well`, remedy: `Remove ${text} too.`, line: 7 }],
      causes: [ids[index % causes] ?? ''],
    })),
    outOfScope: Array.from({ length: Math.ceil(count / 10) }, (_, index) => ({
      tenant: `${text}team/${index}`,
      subject: { apiVersion: 'v1', kind: 'Event', namespace: 'default', name: `${text}lost-${index}` },
      file: `${text}lost.yaml`,
      line: 3,
      code: 'TP2002',
      reason: 'KindNotListed',
      message: `${text} is in no entry`,
      remedy: `List ${text}.`,
      causes: [ids[index % causes] ?? ''],
    })),
    committed: { foreign: [`host/${text}evil.yaml`], replaced: [], changed: [`host/${text}a.yaml`], missing: [], extra: [] },
    isolation: Array.from({ length: Math.ceil(count / 20) }, (_, index) => ({
      tenant: `${text}team/${index}`,
      control: `${text}control-${index % 7}`,
      before: 'true',
      after: 'false',
      direction: 'weaker',
      causes: [ids[index % causes] ?? ''],
    })),
  };
}
