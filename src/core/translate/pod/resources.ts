import { resourcesRequired } from '../../isolation/quotas.ts';
import type { Step } from '../translation.ts';
import { containerResources } from './container-resources.ts';
import { eachContainer, podView } from './pod-view.ts';

/** Stamps limits that the LimitRange's default would get wrong, and says what it will supply. */
export const resourcesStep: Step = (edit, subject, ctx) => {
  const view = podView(edit, subject);
  if (view === undefined || !resourcesRequired(ctx)) return;
  eachContainer(view, (container, path, name) => {
    const outcome = containerResources(container, ctx.profile.limits);
    for (const { resource, limit } of outcome.stamps) edit.set([...path, 'resources', 'limits', resource], limit, 'rw.resources');
    // Hardly anybody states ephemeral storage; alone it is not worth a word for each container.
    if (outcome.supplied.every((item) => item.resource === 'ephemeral-storage')) return;
    const values = outcome.supplied.map(({ resource, request, limit }) => `${resource} ${request} (limit ${limit})`);
    edit.note(
      'RequestsMissing',
      { container: name, resource: outcome.supplied.map((item) => item.resource).join(', '), default: values.join(', ') },
      [...path, 'resources'],
    );
  });
};
