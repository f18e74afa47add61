export interface BindAddress {
  /** all of the machine's, if not said */
  readonly host?: string;
  readonly port: number;
}

/**
 * Reads `:8080`, `127.0.0.1:8080` or `[::1]:8080`; `0` serves nothing, as with other controllers.
 * @returns undefined for what is none of these
 */
export function parseBindAddress(text: string): BindAddress | 'none' | undefined {
  if (text === '0') return 'none';
  const [, bracketed, plain = '', port = ''] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]*)):(\d{1,5})$/i.exec(text) ?? [];
  if (port === '' || Number(port) > 65_535) return undefined;
  const host = bracketed ?? plain;
  return { ...(host !== '' && { host }), port: Number(port) };
}
