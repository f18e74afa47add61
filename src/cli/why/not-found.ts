import { join } from 'node:path';
import type { ObjectRef } from '../../core/decision/decision.ts';
import { shellWord } from '../../core/decision/shell-word.ts';
import { everything, type Question } from '../../core/explain/find-subjects.ts';
import { HOST_FOLDER } from '../../krm/package.ts';
import { nearest } from '../../schema/nearest.ts';
import { TenantplaneError } from '../errors.ts';
import { packageWords } from '../package/package-words.ts';
import { shownPath } from '../package/shown-path.ts';
import type { Asked } from './ask.ts';
import type { OpenPackage } from './open-package.ts';

/** That nothing is called so, with what was probably meant, or else the command that tells more. */
export function notFound({ question, part, kind }: Asked, open: OpenPackage, cwd: string): TenantplaneError {
  const none = open.findings.find(({ source }) => source.path === question.sourceFile);
  if (none !== undefined)
    return new TenantplaneError('usage', `${none.source.path} holds nothing of the package: ${none.message}`, {
      hint: none.remedy || 'Name another file.',
    });
  const file = question.hostFile === undefined ? question.sourceFile : `${HOST_FOLDER}/${question.hostFile}`;
  const where = question.namespace ?? question.virtualNamespace;
  const name = question.name ?? '';
  const what = `${kind === undefined ? '' : `${kind.kind} `}${name}`;
  const message =
    file === undefined
      ? `Nothing in the package is called ${what}${where === undefined ? '' : ` in namespace ${where}`}.`
      : `The package has no object in ${file}.`;
  if (open.clusters.length === 0) return new TenantplaneError('usage', message, { hint: 'Name the package (PATH).' });
  const at = packageWords(cwd, open.place);
  const again = `${inside(question)}${at}`;
  const refs = everything(part.plan)
    .filter(({ decision: { tenant } }) => question.tenant === undefined || `${tenant.namespace}/${tenant.name}` === question.tenant)
    .flatMap(({ decision: { source, host } }) => [source, host].flatMap((ref) => ref ?? []));
  const near = file === undefined ? nearName(name, kind?.kind, refs) : nearFile(file, open, cwd);
  if (near !== undefined) return new TenantplaneError('usage', message, { hint: `Did you mean ${near}?` });
  const [only, ...more] = open.clusters;
  const tenant = question.tenant ?? (more.length === 0 ? only?.key : undefined);
  const hint =
    kind === undefined || tenant === undefined
      ? `tenantplane tree${at} lists the objects of every tenant.`
      : `tenantplane why-not ${shellWord(`${kind.kind.toLowerCase()}/${name}`)} --tenant ${shellWord(tenant)}${again} says what would be needed.`;
  return new TenantplaneError('usage', message, { hint });
}

/** What a question said of the namespace, to be said again. */
function inside({ namespace, virtualNamespace }: Question): string {
  if (virtualNamespace !== undefined) return ` --virtual-namespace ${shellWord(virtualNamespace)}`;
  return namespace === undefined ? '' : ` -n ${shellWord(namespace)}`;
}

/** From where the command was called. */
function nearFile(file: string, { root, sources, hostFiles }: OpenPackage, cwd: string): string | undefined {
  const near = nearest(file, [...sources, ...hostFiles.map((path) => `${HOST_FOLDER}/${path}`)]);
  return near === undefined ? undefined : shownPath(cwd, join(root, near));
}

/** As it can be typed again: the same name, of another kind or in another namespace, is told with both. */
function nearName(name: string, kind: string | undefined, refs: readonly ObjectRef[]): string | undefined {
  const same = refs.find((ref) => ref.name === name && ref.kind === kind) ?? refs.find((ref) => ref.name === name);
  if (same !== undefined) return typed(same);
  const close = nearest(
    name,
    new Set((kind === undefined ? refs : refs.filter((ref) => ref.kind === kind)).map((ref) => ref.name).filter((known) => known !== '')),
  );
  if (close === undefined) return undefined;
  return kind === undefined ? close : `${kind.toLowerCase()}/${close}`;
}

function typed({ kind, namespace, name }: ObjectRef): string {
  return `${kind.toLowerCase()}/${name}${namespace === '' ? '' : ` -n ${shellWord(namespace)}`}`;
}
