/** Whether what one name opens, another opens already. Names are words of the texts in `declared-texts.ts`. */
export type Covers = (wide: string, narrow: string) => boolean;

export const same: Covers = (wide, narrow) => wide === narrow;

/** `example.com` holds `dev.example.com`: suffixes match at a label boundary. */
export const suffix: Covers = (wide, narrow) => wide === narrow || narrow.endsWith(`.${wide}`);

/** `key`, or `prefix*` */
export const prefix: Covers = (wide, narrow) => wide === narrow || (wide.endsWith('*') && narrow.startsWith(wide.slice(0, -1)));

/** `key:operator:value:effect`, with `*` where anything is meant. Exists tolerates whatever Equal does. */
export const toleration: Covers = (wide, narrow) => {
  const [was, is] = [wide.split(':'), narrow.split(':')];
  return was.every((part, place) => part === '*' || part === is[place] || (place === 1 && part === 'Exists'));
};

/** `namespace:port:label=value;label=value`: fewer labels are more pods. */
export const peer: Covers = (wide, narrow) => {
  const [was, is] = [wide.split(':'), narrow.split(':')];
  const labels = (text = ''): readonly string[] => text.split(';').filter((label) => label !== '');
  return was[0] === is[0] && was[1] === is[1] && labels(was[2]).every((label) => labels(is[2]).includes(label));
};

/** `kind:selector`, with `*` where every object of the kind is meant */
export const selected: Covers = (wide, narrow) => {
  const kind = wide.slice(0, wide.lastIndexOf('|') + 1);
  return wide === narrow || (wide === `${kind}*` && narrow.startsWith(kind));
};
