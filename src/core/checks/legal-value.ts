import { parseAddress, parseCidr } from '../kube/cidr.ts';
import type { Json } from '../kube/json.ts';
import { parseQuantity } from '../kube/quantity.ts';

/** What is legal of a value that has its field's type; a value of another type is none of its business. */
export interface LegalValue {
  readonly wanted: string;
  /** the field must be there */
  readonly required?: true;
  legal(value: Json): boolean;
}

/** The API server reads "" as unset where the field has a default. */
export function oneOf(...values: readonly string[]): LegalValue {
  return { wanted: listOf(values), legal: (value) => typeof value !== 'string' || value === '' || values.includes(value) };
}

export function exactlyOneOf(...values: readonly string[]): LegalValue {
  return { wanted: listOf(values), required: true, legal: (value) => typeof value !== 'string' || values.includes(value) };
}

export function eachOneOf(...values: readonly string[]): LegalValue {
  const legal = (item: Json): boolean => typeof item !== 'string' || values.includes(item);
  return { wanted: `a list of ${values.join(', ')}`, legal: (value) => !Array.isArray(value) || value.every(legal) };
}

export function listOf(values: readonly string[]): string {
  return values.length === 1 ? String(values[0]) : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

export function within(least: number, most: number): (value: Json) => boolean {
  return (value) => (typeof value !== 'number' && typeof value !== 'bigint') || (value >= least && value <= most);
}

export const MOST_INT32 = 2_147_483_647;
export const PORT: LegalValue = { wanted: 'a port from 1 to 65535', required: true, legal: within(1, 65_535) };
export const COUNT: LegalValue = { wanted: 'a number from 0 to 2147483647', legal: within(0, MOST_INT32) };
export const FROM_1: LegalValue = { wanted: 'a number from 1 to 2147483647', legal: within(1, MOST_INT32) };
export const NAME: LegalValue = { wanted: 'a name', required: true, legal: (value) => value !== '' };
export const KEY: LegalValue = { ...NAME, wanted: 'a key' };
export const PROTOCOL: LegalValue = oneOf('TCP', 'UDP', 'SCTP');

/** IANA_SVC_NAME (apimachinery, IsValidPortName). */
function isPortName(text: string): boolean {
  return text.length <= 15 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text) && /[a-z]/.test(text);
}

function port(least: number): LegalValue {
  const number = within(least, 65_535);
  return {
    wanted: 'a port from 1 to 65535, or the name of one',
    legal: (value) => (typeof value === 'string' ? isPortName(value) || (least === 0 && value === '') : number(value)),
  };
}

export const PORT_OR_NAME: LegalValue = port(1);
/** Of a Service 0 and "" mean the Service's own port (defaults.go, SetDefaults_Service). */
export const TARGET_PORT: LegalValue = port(0);
export const PORT_NAME: LegalValue = {
  wanted: 'the name of a port: at most 15 small letters, digits and -, with a letter',
  legal: (value) => typeof value !== 'string' || value === '' || isPortName(value),
};
export const AMOUNT: LegalValue = {
  wanted: 'a number that is not negative, or a percentage up to 100%',
  legal: (value) => (typeof value === 'string' ? /^0*(100|\d{1,2})%$/.test(value) : within(0, MOST_INT32)(value)),
};

/** A DNS label: names of containers, of volumes and of a Service's ports. */
export const LABEL: LegalValue = {
  wanted: 'a name of at most 63 small letters, digits and -',
  legal: (value) => typeof value !== 'string' || value === '' || /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(value),
};

/** A path below the root of a volume. */
export const INSIDE: LegalValue = {
  wanted: 'a relative path without ..',
  legal: (value) => typeof value !== 'string' || (!value.startsWith('/') && !value.split('/').includes('..')),
};

/** Bits of a file's mode; YAML reads 644 as a decimal number. */
export const FILE_MODE: LegalValue = { wanted: 'a file mode from 0 to 0777 (write 0644, or 420)', legal: within(0, 0o777) };
export const ID: LegalValue = { wanted: 'an id from 0 to 2147483647', legal: within(0, MOST_INT32) };
export const WEIGHT: LegalValue = { wanted: 'a weight from 1 to 100', required: true, legal: within(1, 100) };
export const SOME: LegalValue = {
  wanted: 'a list with at least one item',
  required: true,
  legal: (value) => !Array.isArray(value) || value.length > 0,
};

export function atLeastOne(rule: LegalValue): LegalValue {
  return { ...rule, required: true, legal: (value) => SOME.legal(value) && rule.legal(value) };
}

/** A string of a form; one that is left out, or "", is another rule's business. */
export function like(pattern: RegExp, wanted: string): LegalValue {
  return { wanted, legal: (value) => typeof value !== 'string' || value === '' || pattern.test(value) };
}

export function required(rule: LegalValue): LegalValue {
  return { ...rule, required: true, legal: (value) => value !== '' && rule.legal(value) };
}

/** Each string of a list. */
export function eachIn(wanted: string, legal: (text: string) => boolean): LegalValue {
  return {
    wanted,
    legal: (value) => !Array.isArray(value) || value.every((item) => typeof item !== 'string' || legal(item)),
  };
}

/** Leading zeros pass: servers read them in these fields, which are older than the rule against them (IsValidIPForLegacyField). */
export function isAddress(text: string): boolean {
  return parseAddress(withoutZeros(text)) !== undefined;
}

/** Bits beyond the prefix, and white space around it, pass as well (ValidateService). */
export function isRange(text: string): boolean {
  return parseCidr(withoutZeros(text.trim())) !== undefined;
}

function withoutZeros(text: string): string {
  return text.includes(':') ? text : text.replace(/(^|[./])0+(?=\d)/g, '$1');
}

/** IsDNS1123Subdomain, of names that may end in a dot. */
export function isHostname(text: string): boolean {
  return text.length <= 254 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\.?$/.test(text);
}

export const SIZE: LegalValue = { wanted: 'a size that is not negative', legal: (value) => (parseQuantity(value) ?? 0n) >= 0n };

/** A value as a message shows it; these fields hold words of the API, names and labels. */
export function quoted(value: string): string {
  return JSON.stringify(value.slice(0, 80));
}
