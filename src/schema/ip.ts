/** IP addresses and networks as text, as Go's net.ParseIP and net.ParseCIDR accept them: no zones, no leading zeros. */
const OCTET = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const IPV4 = new RegExp(`^${OCTET}(\\.${OCTET}){3}$`);

export function isIP(text: string): boolean {
  return IPV4.test(text) || isIPv6(text);
}

export function isCIDR(text: string): boolean {
  const slash = text.indexOf('/');
  if (slash < 0) return false;
  const address = text.slice(0, slash);
  const length = text.slice(slash + 1);
  if (!/^(0|[1-9][0-9]{0,2})$/.test(length)) return false;
  if (IPV4.test(address)) return Number(length) <= 32;
  return isIPv6(address) && Number(length) <= 128;
}

function isIPv6(text: string): boolean {
  if (text.length > 45 || !text.includes(':')) return false;
  const halves = text.split('::');
  if (halves.length > 2) return false;
  let groups = 0;
  for (const [index, half] of halves.entries()) {
    const parts = half === '' ? [] : half.split(':');
    for (const [position, part] of parts.entries()) {
      const last = index === halves.length - 1 && position === parts.length - 1;
      if (last && part.includes('.')) {
        if (!IPV4.test(part)) return false;
        groups += 2;
      } else if (/^[0-9A-Fa-f]{1,4}$/.test(part)) groups += 1;
      else return false;
    }
  }
  return halves.length === 2 ? groups <= 7 : groups === 8;
}
