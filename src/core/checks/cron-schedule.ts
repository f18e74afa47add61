/** The five fields of a schedule with their bounds and names (robfig/cron v3, ParseStandard; Sunday is 0 alone). */
const FIELDS: readonly { readonly least: number; readonly most: number; readonly names: readonly string[] }[] = [
  { least: 0, most: 59, names: [] },
  { least: 0, most: 23, names: [] },
  { least: 1, most: 31, names: [] },
  { least: 1, most: 12, names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] },
  { least: 0, most: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];
/** `@every` takes a duration as Go writes it (time.ParseDuration). */
const MACRO = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly|every [-+]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+))$/;

/** Whether the API server takes a schedule; its time zone is said in `spec.timeZone` and not before it. */
export function isCronSchedule(text: string): boolean {
  if (text.startsWith('@')) return MACRO.test(text);
  const fields = text.split(/\s+/).filter((field) => field !== '');
  return fields.length === FIELDS.length && fields.every((field, index) => isField(field, index));
}

function isField(field: string, index: number): boolean {
  const bounds = FIELDS[index];
  if (bounds === undefined) return false;
  const number = (text: string): number => {
    const named = bounds.names.indexOf(text.toLowerCase());
    if (named >= 0) return bounds.least + named;
    return /^\+?\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  };
  return field.split(',').every((part) => {
    if (part === '') return true;
    const [range = '', step, more] = part.split('/');
    if (more !== undefined || (step !== undefined && !(Number(/^\+?\d{1,9}$/.test(step) ? step : 0) > 0))) return false;
    const [low = '', high, rest] = range.split('-');
    if (low === '*' || low === '?') return true;
    const [from, to] = [number(low), high === undefined ? number(low) : number(high)];
    return rest === undefined && from >= bounds.least && from <= to && to <= bounds.most;
  });
}
