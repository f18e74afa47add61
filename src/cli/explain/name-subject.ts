import { TenantplaneError } from '../errors.ts';
import { type DeclaredKind, findKind, type KindName, kindHint, tryKind } from './find-kind.ts';

export interface NamedObject extends KindName {
  readonly name: string;
}

export interface NameFlags {
  readonly kind?: string;
  readonly name?: string;
}

const WHICH = 'Give KIND/NAME, --kind and --name, or a manifest.';

/**
 * The objects that words and flags name together.
 * @param words `kind/name`, several of them, `kind name`, or the one that no flag says
 * @param declared kinds that the package names beyond the table
 */
export function nameSubjects(words: readonly string[], flags: NameFlags, declared: readonly DeclaredKind[]): readonly NamedObject[] {
  const split = words.map((word) => splitName(word, declared));
  if (words.length > 0 && split.every((pair) => pair !== undefined)) {
    if (flags.kind !== undefined || flags.name !== undefined)
      throw new TenantplaneError('usage', `Which object: ${words.join(' ')}, or what --kind and --name say?`, { hint: 'Say it once.' });
    return split.flatMap((pair) => (pair === undefined ? [] : [{ ...findKind(pair.kind, declared), name: pair.name }]));
  }
  const wrong = words.find((word, index) => word.includes('/') && split[index] === undefined && (words.length === 1 || index > 0));
  if (wrong !== undefined) {
    const kind = wrong.slice(0, wrong.lastIndexOf('/'));
    if (!kind.includes('/')) findKind(kind, declared); // throws, with the kind that is nearest
    throw new TenantplaneError('usage', `There is no folder or file ${wrong}, and it names no kind that is known.`, { hint: WHICH });
  }
  const [kind = 'Pod', name] = merged(words, flags);
  const pair = name === undefined ? splitName(kind, declared) : undefined;
  if (pair !== undefined) return [{ ...findKind(pair.kind, declared), name: pair.name }];
  const [word] = words;
  if (words.length === 1 && word !== undefined && word === kind && tryKind(word, declared) === undefined)
    throw neitherKindNorPackage(word, declared);
  if (name === undefined) throw new TenantplaneError('usage', 'Which object? There is neither --name nor -f.', { hint: WHICH });
  return [{ ...findKind(kind, declared), name }];
}

/** A word alone may be meant as either, so neither is said to be the one that is missing. */
function neitherKindNorPackage(word: string, declared: readonly DeclaredKind[]): TenantplaneError {
  return new TenantplaneError('usage', `${word} is no kind that is known, and there is no package at ${word}.`, {
    hint: kindHint(word, declared),
  });
}

function merged(words: readonly string[], flags: NameFlags): readonly [kind: string | undefined, name: string | undefined] {
  const [first, second, ...more] = words;
  const given = [flags.kind, flags.name].filter((flag) => flag !== undefined).length;
  if (more.length > 0 || words.length + given > 2)
    throw new TenantplaneError('usage', `${words.join(' ')} is more than the kind and the name of an object.`, { hint: WHICH });
  if (second !== undefined) return [first, second];
  if (first === undefined) return [flags.kind, flags.name];
  return flags.kind === undefined ? [first, flags.name] : [flags.kind, first];
}

/** `Service/web`, and not `v1/Service`: what stands before the last slash is a kind. */
function splitName(text: string, declared: readonly DeclaredKind[]): { kind: string; name: string } | undefined {
  const slash = text.lastIndexOf('/');
  const kind = text.slice(0, Math.max(slash, 0));
  if (slash <= 0 || tryKind(kind, declared) === undefined) return undefined;
  return { kind, name: text.slice(slash + 1) };
}
