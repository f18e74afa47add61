import { describe, expect, test } from 'vitest';
import { locate } from '../../../src/krm/yaml/locate.ts';

const TEXT = `# head
apiVersion: v1
kind: Pod
spec:
  containers:
  - name: a
    image: x
  # second
  - name: b
    ports: [{containerPort: 80}, {containerPort: 81}]
  on: yes
---
kind: List
items:
- kind: A
  metadata: {labels: {"a/b": c, n: x}}
`;

describe('where a pointer stands', () => {
  test.each([
    [0, '', '2:1'],
    [0, '/spec/containers/1/name', '9:5'],
    [0, '/spec/containers/1', '9:5'],
    [0, '/spec/containers/1/ports/1/containerPort', '10:35'],
    [0, '/spec/true', '11:3'],
    [0, '/spec/containers/1/securityContext/privileged', '9:5'],
    [0, '/spec/containers/7/name', '5:3'],
    [1, '/metadata/labels/a~1b', '16:23'],
    [1, '/metadata/labels/false', '16:33'],
    [1, '/kind', '15:3'],
  ])('document %i %s', async (index, pointer, expected) => {
    const position = await locate(TEXT, index, pointer);
    expect(`${position?.line}:${position?.column}`).toBe(expected);
  });

  test('a document that is not there is nowhere; lines of a file with BOM and CRLF count the same', async () => {
    expect(await locate(TEXT, 2, '/kind')).toBeUndefined();
    expect(await locate(`\ufeff${TEXT.replaceAll('\n', '\r\n')}`, 0, '/spec/containers/1/name')).toEqual({ line: 9, column: 5 });
  });
});
