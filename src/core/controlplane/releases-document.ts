import { checkValue } from '../../schema/check-value.ts';
import { type ProblemList, report, type SchemaProblem, shown } from '../../schema/problems.ts';
import type { ListSchema } from '../../schema/schema-language.ts';
import { type Json, objectsOf, stringAt } from '../kube/json.ts';
import type { KubernetesRelease } from './kubernetes-versions.ts';

/** A platform's own table: a plain list. */
const RELEASES: ListSchema = {
  type: 'array',
  description: 'Versions of Kubernetes that control planes may run.',
  maxItems: 1000,
  items: {
    type: 'object',
    description: 'One version.',
    required: ['version', 'image'],
    properties: {
      version: { type: 'string', description: 'Version with its patch, such as 1.34.2.', format: 'kubernetes-version' },
      image: { type: 'string', description: 'Image of k3s: repository:tag or repository@sha256:digest.', minLength: 1, maxLength: 512 },
    },
  },
};

export type ReleasesDocument =
  | { readonly releases: readonly KubernetesRelease[]; readonly problems: readonly [] }
  | { readonly releases?: never; readonly problems: readonly SchemaProblem[] };

/** An image is `[host[:port]/]path[:tag][@sha256:digest]`; without a tag or digest it would be another one tomorrow. */
const PINNED = /^[a-z0-9][a-z0-9._:/-]*(:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}|@sha256:[0-9a-f]{64})$/;
const LATEST = /:latest$/;

/**
 * The table in the file that `--releases` names, or what is wrong with it: a version without its patch, an image that is not pinned, one
 * version twice, none at all.
 */
export function parseReleases(document: Json): ReleasesDocument {
  const list: ProblemList = { problems: [], dropped: 0 };
  const value = checkValue(document, RELEASES, [], { list, elsewhere: () => undefined });
  if (list.problems.length > 0) return { problems: list.problems };
  const releases = objectsOf(value).map((row) => ({
    version: (stringAt(row, 'version') ?? '').replace(/^v/, ''),
    image: stringAt(row, 'image') ?? '',
  }));
  if (releases.length === 0) {
    report(list, [], { rule: 'Length', message: 'The list of releases is empty.', remedy: 'Name at least one version and its image.' });
  }
  const seen = new Set<string>();
  releases.forEach(({ version, image }, index) => {
    if (!/^1\.\d+\.\d+/.test(version)) {
      report(list, [index, 'version'], {
        rule: 'Rule',
        found: shown(version),
        message: `[${index}].version is ${shown(version)}, which says no patch.`,
        remedy: 'Write the whole version, such as "1.34.2": the row is about one image.',
      });
    }
    if (seen.has(version)) {
      report(list, [index, 'version'], {
        rule: 'Rule',
        found: shown(version),
        message: `[${index}].version is ${shown(version)}, which an earlier row has too.`,
        remedy: 'Keep one row for each version.',
      });
    }
    seen.add(version);
    if (!PINNED.test(image) || LATEST.test(image)) {
      report(list, [index, 'image'], {
        rule: 'Rule',
        found: shown(image),
        message: `[${index}].image is ${shown(image)}, which is no image with a tag or digest that stays.`,
        remedy: 'Write repository:tag or repository@sha256:digest.',
      });
    }
  });
  return list.problems.length > 0 ? { problems: list.problems } : { releases, problems: [] };
}
