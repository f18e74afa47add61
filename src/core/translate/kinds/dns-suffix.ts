const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** A DNS name as Kubernetes accepts it (RFC 1123): lower case, at most 253 characters, labels of at most 63. */
export function isDnsName(text: string): boolean {
  return text.length <= 253 && text.split('.').every((label) => label.length <= 63 && LABEL.test(label));
}

/**
 * Whether a name lies under one of the suffixes. A suffix matches at a label boundary only: `shop.example.com` covers
 * `a.shop.example.com` and itself, never `evilshop.example.com`.
 */
export function underSuffix(name: string, suffixes: readonly string[]): boolean {
  return suffixes.some((written) => {
    const suffix = written.replace(/^\*?\./, '').toLowerCase();
    return suffix !== '' && (name === suffix || name.endsWith(`.${suffix}`));
  });
}

/** A list for a sentence: `none` where it is empty. */
export function listed(items: readonly string[]): string {
  return items.length === 0 ? 'none' : items.join(', ');
}
