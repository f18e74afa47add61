import { asArray, at, isObject, type JsonObject, objectAt, own, type Path } from '../kube/json.ts';
import { matchesSelector } from '../kube/labels.ts';
import { stringMap } from '../kube/object.ts';
import type { Refusal } from '../translate/edit.ts';
import type { Check } from './check.ts';
import { claimRefusals } from './claim.ts';
import { isSet } from './containers.ts';
import { isCronSchedule } from './cron-schedule.ts';
import { text } from './host-access.ts';
import { LABEL, quoted } from './legal-value.ts';
import { podSpecCheck } from './pod-spec.ts';
import { malformed, shapeRefusals } from './shape.ts';

/** The spec around the pod template is of the kind's type. */
export function workloadShape(type: string): Check {
  return {
    id: 'workload.shape',
    run(subject) {
      const spec = own(subject.object, 'spec');
      return isObject(spec) ? shapeRefusals(spec, type, ['spec']) : [malformed(['spec'], spec, `a ${type}`)];
    },
  };
}

/** A selector that is missing, or misses its own pods, is refused by the API server. */
export const selectorCheck: Check = {
  id: 'workload.selector',
  run(subject) {
    const selector = at(subject.object, 'spec', 'selector');
    if (!isObject(selector)) return [malformed(['spec', 'selector'], selector, 'a selector')];
    return misses(selector, subject.object) ? [mismatch('matchLabels')] : [];
  },
};

/** A plain map of labels; absent means the template's own. */
export const selectorMapCheck: Check = {
  id: 'workload.selector',
  run(subject) {
    const selector = objectAt(subject.object, 'spec', 'selector');
    if (selector === undefined || Object.keys(selector).length === 0) return [];
    return misses({ matchLabels: selector }, subject.object) ? [mismatch('labels')] : [];
  },
};

function misses(selector: JsonObject, object: JsonObject): boolean {
  return !matchesSelector(selector, stringMap(objectAt(object, 'spec', 'template', 'metadata', 'labels')));
}

function mismatch(what: string): Refusal {
  return {
    reason: 'ObjectMalformed',
    params: { pointer: 'spec.selector', found: 'a selector that the template’s labels do not match', wanted: 'one that they match' },
    path: ['spec', 'selector'],
    remedy: `Give spec.template.metadata.labels the ${what} of the selector.`,
  };
}

/** Which restart policies a controller takes; an absent one is Always. */
export function restartPolicy(...allowed: readonly string[]): Check {
  return podSpecCheck('workload.restart-policy', (spec, base, _ctx, subject) => {
    const value = own(spec, 'restartPolicy');
    if (allowed.includes(isSet(value) && value !== '' ? text(value) : 'Always')) return [];
    const params = {
      field: 'restartPolicy',
      value: isSet(value) ? text(value) : 'not set (Always)',
      kind: subject.row.kind,
      allowed: allowed.join(' or '),
    };
    return [
      { reason: 'RestartPolicyInvalid', params, path: [...base, 'restartPolicy'], remedy: `Set restartPolicy: ${allowed[0] ?? ''}.` },
    ];
  });
}

/** A pod on every node of a host that others share needs the profile's consent. */
export const daemonSetCheck: Check = {
  id: 'isolation.daemon-set',
  run(subject, ctx) {
    if (ctx.profile.allow.daemonSets) return [];
    return [
      {
        reason: 'OptInNeeded',
        params: { kind: subject.row.kind, field: 'allow.daemonSets', profile: ctx.profile.name },
        control: 'allow.daemonSets',
      },
    ];
  },
};

/** The server takes it, and then neither the pods' volumes nor their claims can be called so: no pod is ever made. */
function claimTemplateName(name: string, path: Path): Refusal {
  const refusal = malformed(path, undefined, LABEL.wanted);
  return { ...refusal, params: { ...refusal.params, found: quoted(name) } };
}

/** Claim templates follow the rules for claims. */
export const claimTemplatesCheck: Check = {
  id: 'isolation.claim-templates',
  run(subject, ctx) {
    const path = ['spec', 'volumeClaimTemplates'];
    return (asArray(at(subject.object, ...path)) ?? []).flatMap((template, index): readonly Refusal[] => {
      const name = at(template, 'metadata', 'name');
      if (typeof name !== 'string' || name === '')
        return [malformed([...path, index, 'metadata', 'name'], name, 'the name of a claim template')];
      if (!LABEL.legal(name)) return [claimTemplateName(name, [...path, index, 'metadata', 'name'])];
      const spec = objectAt(template, 'spec');
      if (spec === undefined) return [malformed([...path, index, 'spec'], at(template, 'spec'), 'the spec of a claim')];
      return claimRefusals(spec, [...path, index, 'spec'], ctx);
    });
  },
};

/** A Job handed to another controller would never run, or run somewhere else. */
export const jobManagerCheck: Check = {
  id: 'isolation.job-manager',
  run(subject) {
    const base = subject.key === 'CronJob.batch' ? ['spec', 'jobTemplate', 'spec'] : ['spec'];
    const spec = objectAt(subject.object, ...base);
    const refusals: Refusal[] = [];
    const manager = spec?.['managedBy'];
    if (isSet(manager) && manager !== 'kubernetes.io/job-controller')
      refusals.push({ reason: 'SchedulerBlocked', params: { field: 'managedBy', value: text(manager) }, path: [...base, 'managedBy'] });
    if (isSet(spec?.['scheduling']))
      refusals.push({
        reason: 'SchedulerBlocked',
        params: { field: 'scheduling', value: 'a group of pods of the host' },
        path: [...base, 'scheduling'],
      });
    return refusals;
  },
};

/** A schedule that the API server cannot read. Its time zone stands beside it: before it, only Kubernetes 1.28 took one. */
export const scheduleCheck: Check = {
  id: 'workload.schedule',
  run(subject, ctx) {
    const path = ['spec', 'schedule'];
    const schedule = at(subject.object, ...path) ?? undefined;
    if (schedule === undefined || schedule === '') return [malformed(path, undefined, 'a schedule of five fields')];
    if (typeof schedule !== 'string') return [];
    const zoned = /^(CRON_)?TZ=\S*\s+/.exec(schedule);
    if (zoned !== null) {
      const zoneSet = isSet(at(subject.object, 'spec', 'timeZone'));
      if (ctx.host.minor === 28 && !zoneSet) return isCronSchedule(schedule.slice(zoned[0].length)) ? [] : [noSchedule(schedule)];
      return [{ ...noSchedule(schedule), remedy: 'Say the time zone in spec.timeZone.' }];
    }
    return isCronSchedule(schedule.trim()) ? [] : [noSchedule(schedule)];
  },
};

function noSchedule(schedule: string): Refusal {
  return {
    reason: 'ObjectMalformed',
    params: { pointer: 'spec.schedule', found: quoted(schedule), wanted: 'a schedule of five fields, such as 0 3 * * *, or @daily' },
    path: ['spec', 'schedule'],
  };
}

/** A Job that chooses its pods by hand must say which. */
export const manualSelectorCheck: Check = {
  id: 'workload.manual-selector',
  run(subject) {
    if (at(subject.object, 'spec', 'manualSelector') !== true) return undefined;
    const selector = at(subject.object, 'spec', 'selector') ?? undefined;
    if (selector === undefined) return [malformed(['spec', 'selector'], undefined, 'a selector, since manualSelector is true')];
    return isObject(selector) && misses(selector, subject.object) ? [mismatch('matchLabels')] : [];
  },
};
