import type { INPUT_REASONS } from '../../core/decision/registry/input-reasons.ts';
import type { WhysOf } from './why.ts';

/** Why the rules of TP9xxx exist. One row for each reason; append only, like the registry. */
export const INPUT_WHYS: WhysOf<typeof INPUT_REASONS> = {
  InputInvalid: ['errors', 'Input that means nothing definite is not guessed at, since a guess would decide how a tenant is isolated.'],
  UnknownField: [
    'errors',
    'Reserved: a field that is not known is told as TP9001 InputInvalid, as all that is wrong with a configuration is.',
  ],
  RenderedTreeStale: ['errors', 'A tree is what its sources give, byte for byte, or nobody can say from the sources what is applied.'],
  AnnotationBudgetExceeded: [
    'names',
    'Kubernetes limits what annotations may hold, and the decision must not be what makes an object too large.',
  ],
  FactMissing: ['install', 'Git does not hold all that the answer depends on, and an honest gap is better than a guess.'],
  TreeTooLarge: [
    'delivery',
    'kpt keeps the list of all that it applied in one object, whose size etcd limits, and kustomize slows down on large folders.',
  ],
  ObjectMalformed: ['errors', 'The API server would refuse the object only after the merge, in the middle of an apply.'],
  InputTooLarge: ['errors', 'Input comes from tenants, and one that may use all memory or time stops the render of all.'],
  PathNotAllowed: [
    'threat-model',
    'A link or path that leaves the package would read, or write, what is none of its own, and one that leads nowhere hides input.',
  ],
  SyntaxInvalid: ['errors', 'Of a file that cannot be read nobody knows what it asks for, and dropping it would delete what runs.'],
  TenantTooLarge: [
    'delivery',
    'An Application of Argo CD lists each of its objects in its own status, and etcd takes no object of more than 1.5 MB.',
  ],
  SharedTooLarge: [
    'delivery',
    'What a fleet shares grows with it, by a copy of each TenantCluster, and one Application of Argo CD applies the folder.',
  ],
  ObjectsChangeFolder: [
    'delivery',
    'Each Kustomization of Flux prunes what left its own folder, and knows nothing of another that has not taken the object over yet.',
  ],
  LedgerAltered: [
    'audit',
    'The first line of a ledger counts and sums the others, so that a line which was cut, swapped or edited is found without a second rendering.',
  ],
  LedgerStale: [
    'audit',
    'A ledger that somebody wrote anew as a whole agrees with itself; only what the program decides for the same sources finds it out.',
  ],
  TreeFileForeign: [
    'audit',
    'Whatever lies in the tree is applied with it, and of what no source gives nobody knows who wants it, or why.',
  ],
  LedgerMissing: ['audit', 'Where ledgers are kept, one that is not there is a record that somebody took away.'],
};
