/** A heading and groups under it; a group is printed whole or not at all. */
export interface Section {
  /** what its groups are, for the sentence that says how many were left out: `causes` */
  readonly what: string;
  readonly head: string;
  readonly groups: readonly string[];
}

const ENCODER = new TextEncoder();

/** Bytes of UTF-8: never fewer than characters, however a forge counts those. */
export function sizeOf(text: string): number {
  return ENCODER.encode(text).length;
}

/** Room for the sentences that say what was left out. */
const ROOM = 1500;

/**
 * Sections in their order, as far as the budget goes. Where not all fits, none takes more than twice its share of what is left,
 * so that a long list of one thing hides nothing of another.
 */
export function withinBudget(
  head: string,
  sections: readonly Section[],
  foot: (leftOut: readonly string[]) => string,
  budget: number,
): string {
  const whole = [head, ...sections.map((section) => section.head + section.groups.join('')), foot([])].join('');
  if (sizeOf(whole) <= budget) return whole;
  let text = head;
  let left = budget - sizeOf(head) - sizeOf(foot([])) - ROOM;
  const leftOut: string[] = [];
  sections.forEach(({ what, head: title, groups }, index) => {
    let room = Math.floor((2 * left) / (sections.length - index + 1)) - sizeOf(title);
    const shown: string[] = [];
    for (const group of groups) {
      const size = sizeOf(group);
      if (size > room) break;
      room -= size;
      shown.push(group);
    }
    if (shown.length < groups.length) leftOut.push(`${groups.length - shown.length} of ${groups.length} ${what}`);
    if (shown.length === 0) return;
    const part = title + shown.join('');
    text += part;
    left -= sizeOf(part);
  });
  return text + foot(leftOut);
}
