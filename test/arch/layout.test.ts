import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, sourceFiles } from './source-files.ts';

const CODE = sourceFiles('src', 'functions');
const ALL = [...CODE, ...sourceFiles('test', 'site')];
const lines = (text: string): number => text.split('\n').length - 1;

describe('files', () => {
  test('the reader sees the project', () => {
    expect(CODE.length).toBeGreaterThan(60);
    expect(ALL.length).toBeGreaterThan(CODE.length + 20);
  });

  test('none is over 400 lines', () => {
    expect(ALL.filter((file) => lines(file.text) > 400).map((file) => `${file.path}: ${lines(file.text)}`)).toEqual([]);
  });

  test('most are under 150 lines', () => {
    expect(CODE.filter((file) => lines(file.text) < 150).length / CODE.length).toBeGreaterThan(0.7);
  });

  test('names are in kebab-case, and none is a Manager, Helper or Util', () => {
    const segment = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|config|d))?(\.ts)?$/;
    const odd = ALL.filter(({ path }) => !path.split('/').every((part) => segment.test(part)));
    expect(odd.map((file) => file.path)).toEqual([]);
    expect(ALL.filter(({ path }) => /(manager|helper|util)s?\b/i.test(path)).map((file) => file.path)).toEqual([]);
  });

  test('no default exports', () => {
    expect(ALL.filter(({ text }) => /^export default /m.test(text)).map((file) => file.path)).toEqual([]);
  });

  test('no barrels but src/index.ts', () => {
    const barrel = (text: string): boolean => {
      const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
      return /\bfrom\b/.test(code) && code.replace(/export (type )?(\*|\{[^}]*\}) from '[^']+';/g, '').trim() === '';
    };
    expect(CODE.filter((file) => barrel(file.text)).map((file) => file.path)).toEqual(['src/index.ts']);
  });

  test('the type checker and the linter are not silenced', () => {
    // a regular expression over control characters is the one thing that this code means to write and a linter doubts
    const silenced = /@ts-(ignore|expect-error|nocheck)|biome-ignore (?!lint\/suspicious\/noControlCharactersInRegex: \w)/;
    expect(CODE.filter((file) => silenced.test(file.text)).map((file) => file.path)).toEqual([]);
  });

  test('functions are wiring only', () => {
    const wiring = CODE.filter((file) => file.path.startsWith('functions/'));
    expect(wiring.length).toBeGreaterThan(3);
    expect(wiring.filter((file) => lines(file.text) > 40).map((file) => file.path)).toEqual([]);
  });
});

describe('folders', () => {
  test('one with more than five files has a README', () => {
    const folders = new Set(CODE.map(({ path }) => path.slice(0, path.lastIndexOf('/'))));
    const big = [...folders].filter((folder) => readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.ts')).length > 5);
    expect(big.length).toBeGreaterThan(1);
    expect(big.filter((folder) => !existsSync(join(ROOT, folder, 'README.md')))).toEqual([]);
  });
});
