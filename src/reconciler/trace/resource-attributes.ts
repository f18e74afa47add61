/** What OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES (`key=value,key=value`, percent-encoded) say of who sends. */
export function resourceAttributes(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const given = (env['OTEL_RESOURCE_ATTRIBUTES'] ?? '').split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())] as const];
  });
  const attributes = Object.fromEntries(given);
  const name = env['OTEL_SERVICE_NAME'] ?? '';
  return { ...attributes, 'service.name': name === '' ? (attributes['service.name'] ?? 'tenantplane-reconciler') : name };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
