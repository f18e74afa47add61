import { everything } from '../../core/explain/find-subjects.ts';
import { nearest } from '../../schema/nearest.ts';
import { TenantplaneError } from '../errors.ts';
import type { Asked } from './ask.ts';
import type { OpenPackage } from './open-package.ts';
import { refWords } from './why-text.ts';

/** That nothing is called so, with what was probably meant. */
export function notFound({ question, part, kind }: Asked, open: OpenPackage): TenantplaneError {
  const what = question.hostFile ?? question.sourceFile ?? `${kind?.kind ?? 'object'} ${question.name ?? ''}`;
  const none = open.findings.find(({ source }) => source.path === question.sourceFile);
  if (none !== undefined)
    return new TenantplaneError('usage', `${what} holds nothing of the package: ${none.message}`, {
      hint: none.remedy || 'Name another file.',
    });
  const refs = everything(part.plan).flatMap(({ decision: { source, host } }) => [source, host].flatMap((ref) => ref ?? []));
  const same = refs.find(({ name }) => name === question.name);
  const names = new Set(refs.map(({ name }) => name).filter((name) => name !== ''));
  // the same name, of another kind or in another namespace, is told with both
  const near = same !== undefined ? refWords(same) : question.name === undefined ? undefined : nearest(question.name, names);
  const where = question.namespace ?? question.virtualNamespace;
  return new TenantplaneError('usage', `Nothing in the package is called ${what}${where === undefined ? '' : ` in namespace ${where}`}.`, {
    hint:
      near !== undefined
        ? `Did you mean ${near}?`
        : open.clusters.length === 0
          ? 'Name the package (PATH).'
          : 'tenantplane why-not says what would be needed.',
  });
}
