import { describe, expect, test } from 'vitest';
import { parseReleases } from '../../../src/core/controlplane/releases-document.ts';
import type { Json } from '../../../src/core/kube/json.ts';

const SHA = `registry.example.com:5000/k3s@sha256:${'a'.repeat(64)}`;
const said = (document: Json): string[] =>
  parseReleases(document).problems.map(({ pointer, message, remedy }) => `${pointer} ${message} ${remedy}`);

describe('a platform’s own table of releases', () => {
  test('is a list of versions and images', () => {
    expect(
      parseReleases([
        { version: 'v1.34.2', image: 'k3s:v1.34.2-k3s1' },
        { version: '1.34.2+k3s2', image: SHA },
      ]),
    ).toEqual({
      releases: [
        { version: '1.34.2', image: 'k3s:v1.34.2-k3s1' },
        { version: '1.34.2+k3s2', image: SHA },
      ],
      problems: [],
    });
  });

  test.each<[string, Json, readonly string[]]>([
    ['empty', [], [' The list of releases is empty. Name at least one version and its image.']],
    [
      'no list',
      { version: '1.34.2' },
      [' the object is a map ({"version":"1.34.2"}), but must be a list. Write a list, each item behind "- ".'],
    ],
    [
      'a version that YAML read as a number',
      [{ version: 1.3, image: 'k3s:1' }],
      [
        '/0/version [0].version is a number (1.3), but must be a string. Write it quoted with two digits after "1.", such as "1.34": YAML reads an unquoted 1.30 as the number 1.3.',
      ],
    ],
    [
      'a version without patch',
      [{ version: '1.34', image: 'k3s:1' }],
      ['/0/version [0].version is "1.34", which says no patch. Write the whole version, such as "1.34.2": the row is about one image.'],
    ],
    [
      'one version twice',
      [
        { version: '1.34.2', image: 'k3s:1' },
        { version: 'v1.34.2', image: 'k3s:2' },
      ],
      ['/1/version [1].version is "1.34.2", which an earlier row has too. Keep one row for each version.'],
    ],
    [
      'an image that moves',
      [{ version: '1.34.2', image: 'registry:5000/k3s' }],
      [
        '/0/image [0].image is "registry:5000/k3s", which is no image with a tag or digest that stays. Write repository:tag or repository@sha256:digest.',
      ],
    ],
    [
      'the newest image',
      [{ version: '1.34.2', image: 'k3s:latest' }],
      [
        '/0/image [0].image is "k3s:latest", which is no image with a tag or digest that stays. Write repository:tag or repository@sha256:digest.',
      ],
    ],
    [
      'no image',
      [{ version: '1.34.2' }],
      ['/0/image [0].image is missing. Set it: image of k3s: repository:tag or repository@sha256:digest.'],
    ],
    [
      'a misspelt field',
      [{ version: '1.34.2', image: 'k3s:1', digest: 'x' }],
      ['/0/digest [0] has no field "digest". Remove it. Known fields here: version, image.'],
    ],
  ])('%s is refused with where and why', (_, document, problems) => {
    expect(said(document)).toEqual(problems);
  });
});
