import { spawnSync } from 'node:child_process';
import type { PolicyObject } from '../../../src/core/isolation/admission/policy-object.ts';
import { kindOf, nameOf } from '../../../src/core/kube/object.ts';
import { buildTool } from '../../bed/build-tool.ts';
import { type AdmissionRequest, policiesFor } from '../../support/admission-policy.ts';

/** What the API server's own evaluation of a policy cost for a request, in its units (`test/bed/admission-cost`). */
export interface Cost {
  readonly policy: string;
  readonly matchConditions: number;
  /** the dearest validation with the variables that it asks for */
  readonly dearest: number;
  /** all validations and messages, which share a budget */
  readonly validations: number;
  readonly annotations: number;
  readonly refused: boolean;
  readonly errors: readonly string[];
  readonly limits: { readonly expression: number; readonly policy: number; readonly matchConditions: number };
}

/** The cost of each policy for each request that it looks at. */
export async function costs(policies: readonly PolicyObject[], requests: readonly AdmissionRequest[]): Promise<readonly Cost[]> {
  const asked = requests.flatMap((request) =>
    policiesFor(policies, request).map((policy) => {
      const [resource = '', subresource = ''] = request.resource.split('/');
      return { ...request, policy: nameOf(policy), resource, subresource };
    }),
  );
  const needed = new Set(asked.map(({ policy }) => policy));
  const all = policies
    .map(({ object }) => object)
    .filter((object) => kindOf(object) === 'ValidatingAdmissionPolicy' && needed.has(nameOf(object)));
  const { status, stdout, stderr } = spawnSync(await buildTool('admissioncost'), {
    input: JSON.stringify({ policies: all, requests: asked }),
    encoding: 'utf8',
    maxBuffer: 512e6,
  });
  if (status !== 0) throw new Error(`the cost of policies: ${stderr}`);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Cost);
}
