import { type ASTNode, Environment } from '@marcbachmann/cel-js';

/** The first minor version of Kubernetes 1.x that takes an expression with it. */
interface Feature {
  readonly since: number;
  readonly names: readonly string[];
}

/** Served wherever admission policies are: Kubernetes has had CEL since 1.23. */
const ALWAYS = 23;

/**
 * What our expressions may use, by library. Functions are `name`, methods `.name`, fields that may be absent `.?` and `[?]`.
 *
 * Source: "CEL options, language features and libraries" of kubernetes.io/docs/reference/using-api/cel, and
 * k8s.io/apiserver/pkg/cel/environment/base.go. There `IntroducedVersion` is one minor version earlier: new expressions have to compile in
 * the version before the server's, so that it can be rolled back.
 */
export const CEL_FEATURES: Readonly<Record<string, Feature>> = {
  'standard operators': {
    since: ALWAYS,
    names: [
      '!=',
      '==',
      'in',
      '+',
      '-',
      '*',
      '/',
      '%',
      '<',
      '<=',
      '>',
      '>=',
      '!_',
      '-_',
      '.',
      '[]',
      'value',
      'id',
      'list',
      'map',
      '?:',
      '||',
      '&&',
    ],
  },
  'standard macros': { since: ALWAYS, names: ['has', '.all', '.exists', '.exists_one', '.map', '.filter'] },
  'standard functions': {
    since: ALWAYS,
    names: ['size', 'string', 'int', 'bool', 'type', 'dyn', '.size', '.startsWith', '.endsWith', '.contains', '.matches'],
  },
  'extended strings': {
    since: ALWAYS,
    names: ['.charAt', '.indexOf', '.lastIndexOf', '.lowerAscii', '.upperAscii', '.replace', '.split', '.join', '.substring', '.trim'],
  },
  'lists of Kubernetes': { since: ALWAYS, names: ['.isSorted', '.sum', '.min', '.max'] },
  'regular expressions of Kubernetes': { since: ALWAYS, names: ['.find', '.findAll'] },
  'optional types': {
    since: 29,
    names: ['.?', '[?]', 'optional.of', 'optional.none', 'optional.ofNonZeroValue', '.hasValue', '.value', '.or', '.orValue', '.optMap'],
  },
  quantities: { since: 29, names: ['quantity', 'isQuantity', '.isGreaterThan', '.isLessThan', '.compareTo'] },
  sets: { since: 30, names: ['sets.contains', 'sets.equivalent', 'sets.intersects'] },
  'addresses and ranges': { since: 31, names: ['ip', 'isIP', 'cidr', 'isCIDR', '.containsIP', '.containsCIDR'] },
  'named formats': { since: 32, names: ['format.named', '.validate'] },
  'comprehensions of two variables': { since: 33, names: ['.existsOne', '.transformList', '.transformMap', '.transformMapEntry'] },
};

/** What a ValidatingAdmissionPolicy without parameters can see, in v1 as it was first served. */
const ROOTS: ReadonlySet<string> = new Set(['object', 'oldObject', 'request', 'namespaceObject', 'variables', 'authorizer']);
const MACROS: ReadonlySet<string> = new Set(['.all', '.exists', '.exists_one', '.map', '.filter', '.optMap']);
/** Functions of a library are called through its name. */
const LIBRARIES: ReadonlySet<string> = new Set(['optional', 'sets', 'format']);

const ENVIRONMENT = new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true });
const SINCE = new Map(Object.values(CEL_FEATURES).flatMap(({ since, names }) => names.map((name) => [name, since] as const)));

/** What a server of a version would not take of an expression: a function or operator that is newer, or that nobody knows. */
export function newerThan(expression: string, minor: number): readonly string[] {
  const found = new Set<string>();
  for (const name of usedBy(ENVIRONMENT.parse(expression).ast, ROOTS)) {
    const since = SINCE.get(name);
    if (since === undefined) found.add(`${name}: unknown`);
    else if (since > minor) found.add(`${name}: since 1.${since}`);
  }
  return [...found].sort();
}

/** @param bound names that stand for something here */
function usedBy(node: ASTNode, bound: ReadonlySet<string>): readonly string[] {
  const all = (nodes: readonly ASTNode[], names = bound): readonly string[] => nodes.flatMap((each) => usedBy(each, names));
  switch (node.op) {
    case 'value':
      return [];
    case 'id':
      return bound.has(node.args) ? [] : [`the variable ${node.args}`];
    case '.':
    case '.?':
      return [node.op, ...usedBy(node.args[0], bound)];
    case '!_':
    case '-_':
      return [node.op, ...usedBy(node.args, bound)];
    case 'list':
      return all(node.args);
    case 'map':
      return node.args.flatMap((entry) => all(entry));
    case 'call':
      return [node.args[0], ...all(node.args[1])];
    case 'rcall': {
      const [name, receiver, args] = node.args;
      if (receiver.op === 'id' && LIBRARIES.has(receiver.args) && !bound.has(receiver.args))
        return [`${receiver.args}.${name}`, ...all(args)];
      const [first] = args;
      const binds = MACROS.has(`.${name}`) && first?.op === 'id' ? new Set([...bound, first.args]) : bound;
      return [`.${name}`, ...usedBy(receiver, bound), ...all(args, binds)];
    }
    default:
      return [node.op, ...all(node.args)];
  }
}
