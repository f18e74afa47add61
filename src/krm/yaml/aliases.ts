import { clone, isObject, type Json } from '../../core/kube/json.ts';
import { LIMITS } from './limits.ts';

interface Size {
  readonly nodes: number;
  readonly characters: number;
}

/**
 * Expands aliases: js-yaml lets several places share one value, and Kubernetes objects share nothing. The size after the
 * expansion is worked out first, each shared value once, so that a bomb costs no more than its text.
 * @returns the copy, or the size that is too much
 */
export function expandAliases(value: Json): { readonly value: Json } | { readonly tooLarge: string } {
  const size = sizeOf(value, new Map());
  if (size.nodes === Number.POSITIVE_INFINITY) return { tooLarge: 'endless (an anchor that holds itself)' };
  if (size.nodes > LIMITS.expandedNodes) return { tooLarge: `${size.nodes} nodes` };
  if (size.characters > LIMITS.expandedCharacters) return { tooLarge: `${size.characters} characters` };
  return { value: clone(value) };
}

function sizeOf(value: Json, known: Map<Json, Size>): Size {
  if (typeof value === 'string') return { nodes: 1, characters: value.length };
  if (!isObject(value) && !Array.isArray(value)) return { nodes: 1, characters: 4 };
  const before = known.get(value);
  if (before !== undefined) return before;
  // an alias inside its own anchor is endless; whoever meets this entry while it is being measured finds infinity
  known.set(value, { nodes: Number.POSITIVE_INFINITY, characters: 0 });
  let nodes = 1;
  let characters = 0;
  for (const [key, item] of Object.entries(value)) {
    const size = sizeOf(item ?? null, known);
    nodes += size.nodes;
    characters += size.characters + key.length;
  }
  const size = { nodes, characters };
  known.set(value, size);
  return size;
}
