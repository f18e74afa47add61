import { plan } from '../../../src/core/plan/plan.ts';
import type { Plan, RenderConfig } from '../../../src/core/plan/plan-types.ts';
import { configurationAlone } from '../../../src/core/review/between.ts';
import type { Review } from '../../../src/core/review/review.ts';
import { review, treeOf } from '../../../src/core/review/review-plans.ts';
import { YAML_PRINTER } from '../../../src/krm/printer.ts';
import { type Files, observe, planFiles, previousOf } from '../../support/observe.ts';

/** Plans two packages, the second upon the tree of the first, and reviews them. */
export function reviewFiles(
  before: Files,
  after: Files,
  config: { before?: Partial<RenderConfig>; after?: Partial<RenderConfig> } = {},
  stood?: Files,
): Review {
  // the tree that the side before was committed with, where another version of the package made it
  const tree = stood === undefined ? undefined : previousOf(planFiles(stood, config.before));
  const old = { ...observe(before, config.before, tree), printer: YAML_PRINTER };
  const now = { ...observe(after, config.after), printer: YAML_PRINTER };
  const input = {
    before: { label: 'before', inputs: old.inputs, unreadable: old.unreadable, config: old.config, ...(tree !== undefined && { tree }) },
    after: { label: 'after', inputs: now.inputs, unreadable: now.unreadable, config: now.config },
  };
  const was = plan(old);
  const observed = { ...now, previous: treeOf(was, input.before) };
  const is = plan(observed);
  const configured = (only: ReadonlySet<string> | undefined): Plan => plan(configurationAlone(old.inputs, observed, is, only));
  return review(was, is, input, configured);
}

export function deployment(name: string, image = 'registry.example/web:1', more = ''): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: default}
spec:
  replicas: 2
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      securityContext: {runAsNonRoot: true}
      containers:
        - name: app
          image: ${image}
          securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
          resources: {requests: {cpu: 500m, memory: 64Mi}}
${more}`;
}
