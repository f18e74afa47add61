import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fill, REASONS, type ReasonName, reasonOf } from '../../../src/core/decision/reasons.ts';

const GOLDEN = join(import.meta.dirname, '../../golden/reason-codes.txt');
const names = Object.keys(REASONS) as ReasonName[];
const lines = names.map((name) => `${reasonOf(name).code} ${name}`).sort();

describe('the registry of reasons', () => {
  it('only grows: no number and no name of the golden copy is gone or changed', () => {
    if (process.env['UPDATE_GOLDEN'] === '1') {
      const known = readFileSync(GOLDEN, { encoding: 'utf8', flag: 'a+' }).split('\n').filter(Boolean);
      expect(lines).toEqual(expect.arrayContaining(known));
      writeFileSync(GOLDEN, `${lines.join('\n')}\n`);
    }
    expect(lines).toEqual(readFileSync(GOLDEN, 'utf8').trimEnd().split('\n'));
  });

  it('gives each number to one name', () => {
    expect(new Set(lines.map((line) => line.split(' ')[0])).size).toBe(names.length);
  });

  it.each(names)('%s is named as Events and conditions need it, and says something', (name) => {
    expect(name).toMatch(/^[A-Z][A-Za-z]{2,39}$/);
    const { message, severity, disposition } = reasonOf(name);
    expect(message.length).toBeGreaterThan(5);
    if (severity === 'error') expect(disposition).not.toBe('Planned');
  });

  it('says what to do wherever something is refused', () => {
    const mute = names.filter((name) => ['Rejected', 'Held'].includes(reasonOf(name).disposition) && reasonOf(name).remedy === '');
    expect(mute).toEqual([]);
  });

  it.each<[ReasonName, readonly string[]]>([
    ['StorageClassBlocked', ['spec.allow.storageClasses']],
    ['IngressHostBlocked', ['spec.allow.ingressHostSuffixes', 'spec.networking.ingressHostSuffixes of the TenantCluster']],
    ['IngressClassBlocked', ['spec.allow.ingressClasses']],
    ['SecretStoreBlocked', ['spec.allow.secretStores']],
  ])('%s, which may allow nothing, names the list to add to', (name, fields) => {
    for (const field of fields) expect(reasonOf(name).remedy).toContain(field);
  });

  it('fills parameters in, and leaves one that is missing in sight', () => {
    expect(fill('{a} of {b}', { a: 'one' })).toBe('one of {b}');
    expect(fill('{constructor}', {})).toBe('{constructor}');
  });
});
