/** TP9xxx: input and output. Number, disposition, severity, sentence, remedy; append only. */
export const INPUT_REASONS = {
  InputInvalid: [9001, 'Rejected', 'error', '{problem}', '{fix}'],
  UnknownField: [9002, 'Rejected', 'error', 'Unknown field {pointer}{near}.', 'Fix the spelling, or remove the field.'],
  RenderedTreeStale: [9003, 'Failed', 'error', '{file} is stale.', 'Run: tenantplane render {package}'],
  AnnotationBudgetExceeded: [
    9005,
    'Planned',
    'info',
    'The object is {size} bytes long, so it carries its identity only; the decision stands in the ledger.',
  ],
  FactMissing: [9006, 'Undecided', 'info', '{what} cannot be known from this package alone.', '{fix}'],
  TreeTooLarge: [
    9007,
    'Planned',
    'warning',
    '{folder} of tenant {tenant} holds {count} objects; past {limit} kustomize slows down and a kpt inventory nears the size that etcd takes.',
    'Raise output.shards in the function’s config, which spreads the tree over so many subfolders.',
  ],
  ObjectMalformed: [
    9010,
    'Rejected',
    'warning',
    '{pointer} is {found}, not {wanted}.',
    'Fix the field; the API server would refuse the object.',
  ],
  InputTooLarge: [9011, 'Rejected', 'error', '{what} is {size}; the limit is {limit}.', 'Split the input.'],
  PathNotAllowed: [9012, 'Rejected', 'error', 'Path {path} is not allowed: {why}.', 'Fix the path.'],
  SyntaxInvalid: [9013, 'Rejected', 'error', '{problem}', 'Fix the YAML.'],
  TenantTooLarge: [
    9030,
    'Planned',
    'warning',
    'Tenant {tenant} has {count} objects; past {limit} the Application of Argo CD, one for all its shards, nears the size that etcd takes: it lists every object.',
    'Split the tenant into several TenantClusters, or write an Application for each of its shards by hand; Flux and kpt take each shard apart.',
  ],
  ObjectsChangeFolder: [
    9031,
    'Planned',
    'warning',
    '{count} objects of tenant {tenant} move to another folder: what prunes the one folder before it applies the other deletes them, and makes them anew.',
    'Under Flux, stop pruning for this commit: render kustomization --no-prune first (docs/delivery.md, “Another number of shards”). One Application of Argo CD takes all folders of a tenant, and loses nothing.',
  ],
} as const;
