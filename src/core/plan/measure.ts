import type { Json } from '../kube/json.ts';

export interface Measure {
  /** characters of keys and strings, close to the size as JSON */
  readonly size: number;
  /** whether some string holds `${`, which Flux would substitute */
  readonly substitution: boolean;
}

export function measure(value: Json): Measure {
  let size = 0;
  let substitution = false;
  const visit = (node: Json): void => {
    if (typeof node === 'string') {
      size += node.length + 3;
      if (!substitution && node.includes('${')) substitution = true;
    } else if (Array.isArray(node)) {
      for (const item of node) visit(item);
    } else if (typeof node === 'object' && node !== null) {
      for (const key in node) {
        size += key.length + 4;
        const item = node[key];
        if (item !== undefined) visit(item);
      }
    } else size += 6;
  };
  visit(value);
  return { size, substitution };
}
