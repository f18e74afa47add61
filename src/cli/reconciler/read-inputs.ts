import { readFileSync } from 'node:fs';
import { parseReleases } from '../../core/controlplane/releases-document.ts';
import { isObject } from '../../core/kube/json.ts';
import { resolveHost } from '../../core/plan/host-facts.ts';
import { parseDocument } from '../../krm/yaml/parse.ts';
import type { ReconcilerInputs } from '../../reconciler/reconcile.ts';
import { checkConfigOf } from '../../schema/check-config.ts';
import { systemWords, TenantplaneError } from '../errors.ts';

/** @throws TenantplaneError where a file cannot be read or is not what it has to be */
export function readInputs(files: { readonly facts?: string; readonly releases?: string }): ReconcilerInputs {
  const facts = files.facts === undefined ? undefined : factsOf(files.facts);
  const releases = files.releases === undefined ? undefined : releasesOf(files.releases);
  return { facts: resolveHost({}, facts), ...(releases !== undefined && { releases }) };
}

function factsOf(file: string) {
  const document = documentOf(file);
  const { value, problems } = checkConfigOf(isObject(document) ? document : {}, 'HostFacts');
  const [problem] = problems;
  if (value === undefined || problem !== undefined)
    throw new TenantplaneError('input', `${file} is no HostFacts: ${problem?.message ?? 'it is something else.'}`, {
      hint: problem?.remedy ?? 'tenantplane facts --output-file FILE writes one.',
    });
  return value.spec;
}

function releasesOf(file: string): NonNullable<ReconcilerInputs['releases']> {
  const { releases, problems } = parseReleases(documentOf(file) ?? null);
  if (releases !== undefined) return releases;
  const [problem] = problems;
  throw new TenantplaneError('input', `${file} says nothing of what can be run. ${problem?.message ?? ''}`.trim(), {
    hint: problem?.remedy ?? EXAMPLE,
  });
}

const EXAMPLE = 'Write a YAML list, each entry such as {version: 1.34.2, image: "registry.example.com/k3s:v1.34.2-k3s1"}.';

function documentOf(file: string) {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new TenantplaneError('input', `${file} cannot be read: ${systemWords(error)}.`, {
      hint: 'Name a file that is there and may be read.',
      cause: error,
    });
  }
  return parseDocument(text).value;
}
