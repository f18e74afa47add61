import { nearest } from '../../schema/nearest.ts';
import { KINDS, type KindRow, kindRow, knowsVersion } from './kinds.ts';
import { groupOf, kindKey } from './object.ts';

/** An apiVersion and kind that no host serves, and what to write instead. */
export interface MisnamedKind {
  /** the kind of the table that was meant; undefined where none is like it */
  readonly meant?: KindRow;
  readonly fix: string;
}

const NONE_LIKE_IT = 'Write a kind that the host has, or take the object out; the group of a custom kind has a dot in it.';

/**
 * A kind that surely no host has, in that case or that version; undefined for one that the table knows, and for what may be a custom
 * kind. The table knows each version that 1.28 to 1.37 serve of the kinds that it projects or reads.
 */
export function misnamedKind(apiVersion: string, kind: string): MisnamedKind | undefined {
  const group = groupOf(apiVersion);
  const row = kindRow(kindKey(apiVersion, kind));
  if (row !== undefined) {
    const served = !isKubernetes(group) || !isRead(row) || knowsVersion(row, apiVersion);
    return served ? undefined : { meant: row, fix: fixOf(apiVersion, kind, row) };
  }
  const spelt = ROWS.filter((other) => isSpelt(other, kind));
  const meant = spelt.find((other) => other.group === group) ?? (isBare(group) ? spelt[0] : undefined);
  if (meant !== undefined) return { meant, fix: fixOf(apiVersion, kind, meant) };
  const near = isKubernetes(group) ? nearRow(group, kind) : undefined;
  if (near !== undefined) return { meant: near, fix: `Did you mean kind ${near.kind} of ${versionOf(near)}?` };
  return isBare(group) ? { fix: NONE_LIKE_IT } : undefined;
}

/** Whether an object is of a kind, or is written as none and was meant to be of it. `key` is `Deployment.apps`. */
export function isOrMeansKind(apiVersion: string, kind: string, key: string): boolean {
  if (kindKey(apiVersion, kind) === key) return true;
  const meant = misnamedKind(apiVersion, kind)?.meant;
  return meant !== undefined && kindKey(versionOf(meant), meant.kind) === key;
}

/** Our own kinds are no advice to a tenant. */
const ROWS: readonly KindRow[] = KINDS.filter(({ role }) => role !== 'config');

const isRead = ({ role }: KindRow): boolean => role === 'projected' || role === 'fact';

/** Groups without a dot are Kubernetes' alone: a CustomResourceDefinition is refused one (apiextensions, ValidateCustomResourceDefinition). */
const isBare = (group: string): boolean => !group.includes('.');
const isKubernetes = (group: string): boolean => isBare(group) || group.endsWith('.k8s.io');

function isSpelt(row: KindRow, kind: string): boolean {
  const word = kind.toLowerCase();
  return row.kind.toLowerCase() === word || row.plural === word;
}

/** A misspelling, of a kind of the same group where one is near. */
function nearRow(group: string, kind: string): KindRow | undefined {
  const candidates = ROWS.filter((row) => isRead(row) && (row.group === group || isBare(group)));
  const own = candidates.filter((row) => row.group === group);
  const name = nearest(kind, own.map(kindWord)) ?? nearest(kind, candidates.map(kindWord));
  return candidates.find((row) => row.kind === name);
}

const kindWord = (row: KindRow): string => row.kind;

function versionOf({ group, versions: [first = ''] }: KindRow): string {
  return group === '' ? first : `${group}/${first}`;
}

function fixOf(apiVersion: string, kind: string, row: KindRow): string {
  const known = row.group === groupOf(apiVersion) && knowsVersion(row, apiVersion);
  const words = [...(known ? [] : [`apiVersion: ${versionOf(row)}`]), ...(kind === row.kind ? [] : [`kind: ${row.kind}`])];
  return `Write ${words.join(' and ')}.`;
}
