import type { Path } from './json.ts';

/** JSON Pointer (RFC 6901) of a path: `/spec/containers/0/image`. */
export function pointer(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The dotted form of the KRM functions specification: `spec.containers[0].image`, `metadata.annotations["a.b/c"]`. */
export function dotted(path: Path): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^[A-Za-z_][\w-]*$/.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}

/** The path of a JSON Pointer. List indexes come back as numbers. */
export function parsePointer(text: string): Path {
  if (text === '') return [];
  return text
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^(0|[1-9]\d*)$/.test(step) ? Number(step) : step));
}
