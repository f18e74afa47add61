import { InvalidArgumentError } from 'commander';

/** Values of flags that end in manifests for Argo CD and Flux: each refuses what its field would not take, or would take for something else. */
type FlagValue = (text: string) => string;

/** A line break ends a YAML line for some readers, and what nobody sees is nothing that anybody meant. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

function value(fits: (text: string) => boolean, must: string): FlagValue {
  return (text) => {
    if (UNSEEN.test(text) || text.trim() !== text || text === '' || !fits(text)) throw new InvalidArgumentError(must);
    // an ApplicationSet is a template as a whole
    if (/\{\{|\}\}/.test(text)) throw new InvalidArgumentError(`It holds a template ({{ }}), which Argo CD would fill in. ${must}`);
    return text;
  };
}

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const isLabel = (text: string, longest: number): boolean => text.length <= longest && new RegExp(`^${LABEL}$`).test(text);

export const repoOf: FlagValue = value(
  (text) => !/\s/.test(text),
  'It must be the URL of a Git repository, such as https://git.example.com/fleet.git.',
);
export const revisionOf: FlagValue = value(() => true, 'It must be a branch, a tag or a commit, such as main.');
export const serverOf: FlagValue = value(
  (text) => /^https?:\/\/[^\s/]+\S*$/.test(text),
  'It must be the URL of an API server, such as https://kubernetes.default.svc.',
);
export const clusterOf: FlagValue = value(() => true, 'It must be the name of a cluster in Argo CD.');
export const namespaceOf: FlagValue = value((text) => isLabel(text, 63), 'It must be a namespace: a DNS label such as argocd.');
export const projectOf: FlagValue = value(
  (text) => text.length <= 253 && new RegExp(`^${LABEL}(\\.${LABEL})*$`).test(text),
  'It must be the name of an AppProject: a DNS subdomain such as platform.',
);
export const prefixOf: FlagValue = value((text) => isLabel(text, 32), 'It must be a DNS label of at most 32 characters.');
export const intervalOf: FlagValue = value((text) => /^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$/.test(text), 'It must be a duration such as 10m.');

/** An ApplicationSet matches folders by pattern. */
const isFolder = (text: string): boolean => !text.split('/').includes('..') && !/[*?[\]\\]/.test(text);

const folderOf = value(isFolder, 'It must be a folder in the repository, such as fleet/host, without * ? [ ] or \\.');

export function pathOf(text: string): string {
  return folderOf(text.replace(/^\.?\/+/, '').replace(/\/+$/, ''));
}

const SOURCES: readonly string[] = ['GitRepository', 'OCIRepository', 'Bucket'];

export function sourceOf(text: string): { readonly kind: string; readonly name: string } {
  const [kind = '', name = '', ...more] = text.split('/');
  if (more.length > 0 || !SOURCES.includes(kind) || !new RegExp(`^${LABEL}(\\.${LABEL})*$`).test(name)) {
    throw new InvalidArgumentError(`It must be KIND/NAME, KIND one of ${SOURCES.join(', ')}, NAME a DNS subdomain.`);
  }
  return { kind, name };
}
