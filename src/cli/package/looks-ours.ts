const MARK = 'app.kubernetes.io/managed-by: tenantplane';

/** Whether a text says that we rendered it. Copies of configuration in a tree say so as well; what is really ours, its object tells. */
export function looksOurs(text: string): boolean {
  return text.includes(MARK);
}
