import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDotted } from '../../../src/core/kube/parse-dotted.ts';
import { dotted } from '../../../src/core/kube/pointer.ts';

test('reads back what sentences write, whatever the keys are called', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.nat(), fc.constantFrom('a.b/c', 'x"]', 'spec', '__proto__'))), (path) => {
      expect(parseDotted(dotted(path))).toEqual(path);
    }),
  );
});
