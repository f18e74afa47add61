import { at, type JsonObject, objectsOf } from '../../core/kube/json.ts';
import { annotationsOf, kindOf } from '../../core/kube/object.ts';
import { assemblePackage, type Package } from '../../krm/package.ts';
import { packageFiles } from '../../krm/package-paths.ts';
import { normalisePath } from '../../krm/paths.ts';
import { toolFileFinding } from '../../krm/tool-files.ts';
import { LEGACY_PATH_KEY, PATH_KEY } from '../../krm/transport.ts';
import { emitYaml } from '../../krm/yaml/emit.ts';
import { readDocuments } from '../../krm/yaml/read.ts';
import { TenantplaneError } from '../errors.ts';

/** A package from a ResourceList, or from a stream of YAML documents, whose path annotations say where each object lies. */
export function packageFromStdin(root: string, text: string): Package {
  const read = readDocuments(text, 'stdin');
  const problem = read.findings.find(({ severity }) => severity === 'error');
  if (problem !== undefined) {
    throw new TenantplaneError('input', `stdin:${problem.source.line ?? 1}: ${problem.message}`, { hint: problem.remedy });
  }
  const objects = read.objects.flatMap(({ object }) => (kindOf(object) === 'ResourceList' ? objectsOf(at(object, 'items')) : [object]));
  if (objects.length === 0) {
    throw new TenantplaneError('input', 'stdin holds no object.', {
      hint: 'Pipe a package into it: kpt fn source fleet | tenantplane diff fleet -',
    });
  }
  const files = new Map<string, JsonObject[]>();
  for (const object of objects) {
    const path = pathOf(object);
    files.set(path, [...(files.get(path) ?? []), object]);
  }
  const paths = packageFiles([...files.keys()], () => '');
  return assemblePackage(
    root,
    { paths, findings: [...files.keys()].flatMap((path) => toolFileFinding(path) ?? []) },
    (path) => (files.get(path) ?? []).map(emitYaml).join('---\n'),
    {
      read: readDocuments,
    },
  );
}

function pathOf(object: JsonObject): string {
  const annotations = annotationsOf(object);
  const written = annotations.get(PATH_KEY) ?? annotations.get(LEGACY_PATH_KEY);
  if (written === undefined) {
    throw new TenantplaneError('input', `An object of stdin (${kindOf(object)}) does not say in which file it lies.`, {
      hint: `Each needs the annotation ${PATH_KEY}, as \`kpt fn source\` writes it.`,
    });
  }
  const path = normalisePath(written);
  if ('path' in path) return path.path;
  throw new TenantplaneError('input', `An object of stdin names the file ${written}: ${path.why}.`, {
    hint: 'Use a path inside the package.',
  });
}
