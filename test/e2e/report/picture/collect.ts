/**
 * Runs in the page: gives what is laid out, as boxes and lines of text, in the order in which they are painted. A piece has the
 * colours of the scheme that the page is shown in.
 */
export const COLLECT = `(() => {
  const pieces = [];
  const clear = (colour) => colour === 'rgba(0, 0, 0, 0)' || colour === 'transparent';
  const round = (number) => Math.round(number * 10) / 10;
  const context = document.createElement('canvas').getContext('2d');

  /** What of the window its ancestors let be seen. */
  const windowOf = (element) => {
    const seen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (let at = element.parentElement; at !== null; at = at.parentElement) {
      if (at === document.body || getComputedStyle(at).overflowX === 'visible') continue;
      const { left, right } = at.getBoundingClientRect();
      seen.left = Math.max(seen.left, left);
      seen.right = Math.min(seen.right, right);
    }
    return seen;
  };

  const box = (x, y, right, bottom, rest) => {
    if (right - x > 0.2 && bottom - y > 0.2)
      pieces.push({ x: round(x), y: round(y), width: round(right - x), height: round(bottom - y), ...rest });
  };

  const boxes = (element, style) => {
    const rect = element.getBoundingClientRect();
    const seen = windowOf(element);
    const [left, right] = [Math.max(rect.left, seen.left), Math.min(rect.right, seen.right)];
    if (rect.width === 0 || rect.height === 0 || left >= right || rect.top >= innerHeight) return;
    const radius = parseFloat(style.borderTopLeftRadius) || 0;
    const sides = ['Top', 'Right', 'Bottom', 'Left'].map((side) => ({
      width: style['border' + side + 'Style'] === 'none' ? 0 : parseFloat(style['border' + side + 'Width']),
      colour: style['border' + side + 'Color'],
    }));
    const around = sides.every(({ width, colour }) => width > 0 && width === sides[0].width && colour === sides[0].colour);
    const fill = clear(style.backgroundColor) ? 'none' : style.backgroundColor;
    if (around) {
      const half = sides[0].width / 2;
      box(left + half, rect.top + half, right - half, rect.bottom - half, { radius, fill, stroke: sides[0].colour });
      return;
    }
    if (fill !== 'none') box(left, rect.top, right, rect.bottom, { radius, fill, stroke: 'none' });
    const [top, rightSide, bottom, leftSide] = sides;
    const line = (x, y, x2, y2, { width, colour }) => {
      if (width > 0 && !clear(colour)) box(x, y, x2, y2, { radius: 0, fill: colour, stroke: 'none' });
    };
    line(left, rect.top, right, rect.top + top.width, top);
    line(left, rect.bottom - bottom.width, right, rect.bottom, bottom);
    if (rect.left >= seen.left) line(left, rect.top, left + leftSide.width, rect.bottom, leftSide);
    if (rect.right <= seen.right) line(right - rightSide.width, rect.top, right, rect.bottom, rightSide);
  };

  /** A text node, one piece for each line that it runs over. */
  const texts = (node, style) => {
    const lines = [];
    const range = document.createRange();
    for (const { index, 0: word } of node.data.matchAll(/[^\\s]+|\\s+/gu)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      for (const rect of word.trim() === '' ? [] : range.getClientRects()) {
        const last = lines.at(-1);
        if (last !== undefined && Math.abs(last.top - rect.top) < 2) last.end = index + word.length;
        else lines.push({ top: rect.top, start: index, end: index + word.length });
      }
    }
    const seen = windowOf(node.parentElement);
    context.font = style.font;
    const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = context.measureText('x');
    const face = {
      size: parseFloat(style.fontSize),
      weight: style.fontWeight,
      mono: style.fontFamily.includes('monospace') && !style.fontFamily.includes('sans-serif'),
      fill: style.color,
    };
    for (const { start, end } of lines) {
      range.setStart(node, start);
      range.setEnd(node, end);
      const rect = range.getBoundingClientRect();
      if (rect.left < seen.left || rect.right > seen.right + 1 || rect.bottom > innerHeight) continue;
      const text = node.data.slice(start, end).replace(/\\s+/g, ' ');
      if (style.writingMode === 'horizontal-tb')
        pieces.push({ text, x: round(rect.left), y: round((rect.top + rect.bottom + ascent - descent) / 2), length: round(rect.width), up: false, ...face });
      else
        pieces.push({ text, x: round((rect.left + rect.right + ascent - descent) / 2), y: round(rect.bottom), length: round(rect.height), up: true, ...face });
    }
  };

  const walk = (element) => {
    if (!element.checkVisibility() || element.matches('.vh, .skip, script, style')) return;
    const style = getComputedStyle(element);
    boxes(element, style);
    for (const child of element.childNodes) {
      if (child.nodeType === Node.ELEMENT_NODE) walk(child);
      else if (child.nodeType === Node.TEXT_NODE && child.data.trim() !== '') texts(child, style);
    }
  };
  walk(document.body);
  return JSON.stringify(pieces);
})()`;
