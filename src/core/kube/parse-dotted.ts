import type { Path } from './json.ts';

/** The path of the dotted form that sentences use: `spec.containers[0].image`, `metadata.annotations["a.b/c"]`. */
export function parseDotted(text: string): Path {
  const path: (string | number)[] = [];
  for (const match of text.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g)) {
    const [, index, quoted, word] = match;
    if (index !== undefined) path.push(Number(index));
    else if (quoted !== undefined) path.push(String(JSON.parse(quoted)));
    else if (word !== undefined) path.push(word);
  }
  return path;
}
