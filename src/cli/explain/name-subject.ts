import { TenantplaneError } from '../errors.ts';
import { type DeclaredKind, findKind, type KindName, kindHint, tryKind } from './find-kind.ts';
import { type ObjectWords, readObjectWords } from './object-words.ts';

export interface NamedObject extends KindName {
  readonly name: string;
  /** where the words say one; of the host, or the tenant's own */
  readonly namespace?: string;
  /** NAME or NAMESPACE/NAME, where the words say whose it is */
  readonly tenant?: string;
}

export interface NameFlags {
  readonly kind?: string;
  readonly name?: string;
}

/** What a package knows. */
export interface Known {
  /** kinds beyond the table */
  readonly declared: readonly DeclaredKind[];
  /** kinds of the objects that have a name in a namespace */
  kindsOf(namespace: string, name: string): readonly KindName[];
}

const WHICH = 'Give KIND/NAME, --kind and --name, or a manifest.';

/**
 * The objects that words and flags name together.
 * @param words `kind/name`, several of them, `kind name`, any form that `readObjectWords` knows, or the one that no flag says
 */
export function nameSubjects(words: readonly string[], flags: NameFlags, known: Known): readonly NamedObject[] {
  const whole = wholeObjects(words, known);
  if (whole !== undefined) {
    if (flags.kind !== undefined || flags.name !== undefined)
      throw new TenantplaneError('usage', `Which object: ${words.join(' ')}, or what --kind and --name say?`, { hint: 'Say it once.' });
    return whole;
  }
  const { declared } = known;
  const wrong = words.find((word, index) => word.includes('/') && (words.length === 1 || index > 0));
  if (wrong !== undefined) {
    const kind = wrong.slice(0, wrong.lastIndexOf('/'));
    if (!kind.includes('/')) findKind(kind, declared); // throws, with the kind that is nearest
    throw new TenantplaneError('usage', `There is no folder or file ${wrong}, and it names no kind that is known.`, { hint: WHICH });
  }
  const [kind = 'Pod', name] = merged(words, flags);
  const one = name === undefined ? wholeObjects([kind], known) : undefined;
  if (one !== undefined) return one;
  const [word] = words;
  if (words.length === 1 && word !== undefined && word === kind && tryKind(word, declared) === undefined)
    throw neitherKindNorPackage(word, declared);
  if (name === undefined) throw new TenantplaneError('usage', 'Which object? There is neither --name nor -f.', { hint: WHICH });
  return [{ ...findKind(kind, declared), name }];
}

/** The objects where every word is a whole one, or all are one that is printed with its namespace; undefined where one is not. */
function wholeObjects(words: readonly string[], known: Known): readonly NamedObject[] | undefined {
  const isKind = (word: string): boolean => tryKind(word, known.declared) !== undefined;
  const several = words.map((word) => readObjectWords([word], isKind));
  const together = words.length > 1 && words.some((word) => word.includes('/')) ? readObjectWords(words, isKind) : undefined;
  const named = (together === undefined ? several : [together]).map((object) => kindsOf(object, known));
  return words.length > 0 && named.every((objects) => objects.length > 0) ? named.flat() : undefined;
}

function kindsOf(object: ObjectWords | undefined, { declared, kindsOf: present }: Known): readonly NamedObject[] {
  if (object?.namespace === undefined && object?.kind === undefined) return [];
  const { kind, namespace, ...others } = object;
  const one = kind === undefined ? undefined : tryKind(kind, declared);
  const kinds = one === undefined ? (kind === undefined && namespace !== undefined ? present(namespace, object.name) : []) : [one];
  return kinds.map((meant) => ({ ...meant, ...others, ...(namespace !== undefined && { namespace }) }));
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
