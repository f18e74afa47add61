import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tenantplane } from './harness.ts';
import { DB_POLICY, FACTS, FLEET, fleet } from './reach-package.ts';
import { put } from './tree/disk.ts';

interface Call {
  readonly from: string;
  readonly to: string;
  readonly port: string;
  readonly verdict: string;
  readonly byPolicies: string;
  readonly egress?: End;
  readonly ingress?: End;
  readonly unknown: readonly { readonly fact: string }[];
}
interface End {
  readonly verdict: string;
  readonly admittedBy: readonly Evidence[];
  readonly nearly?: { readonly rule: Evidence; readonly lacks: readonly string[] };
}
interface Evidence {
  readonly policy: string;
  readonly own?: string;
  readonly rule?: string;
  readonly cause?: string;
  readonly source?: { readonly file: string; readonly line?: number };
}

async function calls(cwd: string, ...argv: string[]): Promise<readonly Call[]> {
  const { code, out, err } = await tenantplane(['reach', ...argv, '-o', 'json'], { cwd });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const document: { calls: readonly Call[] } = JSON.parse(out);
  return document.calls;
}

const WEB_TO_DB = { from: 'dev:shop/deployment/web', to: 'dev:shop/deployment/db', port: 'TCP 5432' };

describe('the words that people try', () => {
  test.each([
    [['dev:shop/deploy/web', 'dev:shop/deploy/db']],
    [['dev:deploy/web', 'dev:deploy/db', '-n', 'shop']],
    [['dev:deployment/web', 'svc/db', '-n', 'shop']],
    [['deploy/web', 'svc/db', '-n', 'shop', '--tenant', 'dev']],
    [['web', 'db', '-n', 'shop']],
    [['web.shop', 'db.shop.svc.cluster.local']],
    [['shop/Deployment.apps/web', 'shop/deployments/db']],
    [['team-dev/dev:shop/deploy/web', 'team-dev/dev:shop/svc/db']],
    [['team-dev/deploy/web-x-shop-x-dev', 'team-dev/deploy/db-x-shop-x-dev']],
    [['from', 'web.shop', 'to', 'db.shop']],
    [['--from', 'web.shop', '--to', 'db.shop']],
    [['web.shop', '--to', 'db.shop', '.']],
    [['.', 'web.shop', 'db.shop']],
    [['web.shop', 'db.shop.svc', '--port', '15432']],
    [['web.shop', 'db.shop.svc', '-p', 'sql']],
    [['web.shop', 'svc/db:15432', '-n', 'shop']],
    [['web.shop', 'deploy/db:5432/TCP', '-n', 'shop']],
    [['web.shop', 'deploy/db', '--port', 'tcp/5432']],
    [['web.shop', 'deploy/db', '--port', 'sql']],
  ])('reach %j', async (argv) => {
    const [first, ...more] = await calls(fleet(), ...argv);
    expect(more).toEqual([]);
    expect(first).toMatchObject({ ...WEB_TO_DB, verdict: 'Admits' });
  });

  test.each([
    [['shop/deploy/web', 'nothing'], 'There is nothing called nothing'],
    [['shop/deploy/spy', 'internet'], 'Deployment shop/spy is not rendered: TP3004 HostPathBlocked.'],
    [['shop/deploy/wbe', 'internet'], 'Did you mean dev:shop/deployment/web?'],
    [['deploy/web', 'internet'], 'could be dev:back/deployment/web, dev:shop/deployment/web.'],
    [['staging:web', 'internet'], 'The package has no tenant staging.'],
    [['prd:shop', 'internet'], 'Did you mean prod?'],
    [['a', 'b', 'c'], 'a call has two ends'],
    [['shop/deploy/web', 'shop/svc/lone'], 'leads to no pods that are rendered here'],
    [['shop/deploy/web', 'shop/svc/db', '--port', '81'], 'It declares 5432/TCP.'],
    [['shop/deploy/web', 'shop/svc/db', '--port', '99999'], '99999 is no port.'],
    [['shop/deploy/web', 'shop/svc/db', '--port', '1/QUIC'], '1/QUIC is no port.'],
    [['shop/deploy/web', 'shop/svc/db', '--pod-cidr', '10.0.0.0'], '--pod-cidr is 10.0.0.0'],
    [['shop/dploy/web', 'internet'], 'dploy is no kind that is known.'],
    [['control-plane'], 'Whose control-plane?'],
    [['web.shop', '--port', '80'], 'Name both'],
    [['--to', 'web.shop'], 'Who calls web.shop?'],
    [['web.shop', 'db.shop', '--report', 'json'], 'It names no file'],
  ])('%j is a mistake that is told', async (argv, message) => {
    const { code, out, err } = await tenantplane(['reach', ...argv], { cwd: fleet() });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });
});

describe('what is said of a call', () => {
  test('a rule of the tenant’s, by its own name, file and line', async () => {
    const [call] = await calls(fleet(), 'web.shop', 'db.shop');
    const lines = readFileSync(join(fleet(), 'tenants/dev/objects/app.yaml'), 'utf8').split('\n');
    // a rule whose last peer is gone is left out on the host, so the numbers of the source are not those of the host
    expect(call?.ingress?.admittedBy).toMatchObject([
      {
        own: 'shop/db',
        policy: 'team-dev/db-x-shop-x-dev',
        rule: 'spec.ingress[0]',
        source: { file: 'tenants/dev/objects/app.yaml', line: lines.findIndex((line) => line.startsWith('  ingress:')) + 1 },
      },
    ]);
    expect(call?.egress?.admittedBy).toMatchObject([
      { cause: 'TenantCluster/dev#networking.egressPolicy', source: { file: 'tenants/dev/tenant.yaml', line: 8 } },
    ]);
  });

  test('the line of the rule itself where no rule is left out', async () => {
    const whole = DB_POLICY.replace('    - from: [{namespaceSelector: {matchLabels: {no: such}}}]\n', '');
    const cwd = fleet({ 'tenants/dev/objects/app.yaml': (FLEET['tenants/dev/objects/app.yaml'] ?? '').replace(DB_POLICY, whole) });
    const [call] = await calls(cwd, 'web.shop', 'db.shop');
    const lines = readFileSync(join(cwd, 'tenants/dev/objects/app.yaml'), 'utf8').split('\n');
    expect(call?.ingress?.admittedBy[0]?.source?.line).toBe(lines.indexOf('    - from:') + 1);
  });

  test('the rule that nearly admits it', async () => {
    const [stranger] = await calls(fleet(), 'back/deploy/web', 'shop/deploy/db');
    expect(stranger).toMatchObject({ verdict: 'DoesNotAdmit', ingress: { nearly: { lacks: ['it is for pods of namespace=shop'] } } });
    const [port] = await calls(fleet(), 'web.shop', 'db.shop', '--port', '80');
    expect(port?.ingress?.nearly).toMatchObject({ rule: { own: 'shop/db' }, lacks: ['its ports lack {protocol: TCP, port: 80}'] });
  });

  test.each<[string[], string, string, string | undefined]>([
    [['dev:shop/deploy/web', 'prod:deploy/shop'], 'DoesNotAdmit', 'DoesNotAdmit', undefined],
    [['prod:deploy/shop', 'dev:shop/deploy/web'], 'DoesNotAdmit', 'DoesNotAdmit', undefined],
    [['dev', 'internet'], 'DoesNotAdmit', 'DoesNotAdmit', undefined],
    [['prod', 'internet'], 'Admits', 'Admits', undefined],
    [['prod', '192.0.2.7'], 'Admits', 'Admits', undefined],
    [['prod', '10.1.2.3'], 'DoesNotAdmit', 'DoesNotAdmit', undefined],
    [['prod', '0.0.0.0/0'], 'Undecidable', 'Undecidable', 'part'],
    [['prod', '2600::/16'], 'Admits', 'Admits', undefined],
    [['prod', 'api-server'], 'Undecidable', 'Undecidable', 'address'],
    [['dev:shop/deploy/web', 'api-server'], 'DoesNotAdmit', 'DoesNotAdmit', undefined],
    [['dev:shop/deploy/web', 'control-plane'], 'Admits', 'Admits', undefined],
    [['dev:shop/deploy/web', 'prod:control-plane'], 'DoesNotAdmit', 'DoesNotAdmit', undefined],
    [['dev:control-plane', 'dev:shop/deploy/web'], 'DoesNotAdmit', 'DoesNotAdmit', undefined],
    [['dev:shop/deploy/web', 'dns'], 'Admits', 'Admits', undefined],
    [['prod', 'dns'], 'Undecidable', 'Admits', 'otherPolicies'],
    [['dev:deploy/tenantplane-dns', 'host-dns'], 'Undecidable', 'Admits', 'otherPolicies'],
    [['dev:shop/deploy/web', 'host-dns'], 'DoesNotAdmit', 'DoesNotAdmit', undefined],
    [['internet', 'dev:shop/deploy/web'], 'DoesNotAdmit', 'DoesNotAdmit', undefined],
    [['ns/gateways', 'dev:shop/deploy/web'], 'DoesNotAdmit', 'DoesNotAdmit', undefined],
    [['node', 'dev:shop/deploy/web'], 'Admits', 'Admits', undefined],
    [['dev:shop/deploy/web', 'node'], 'Admits', 'Admits', undefined],
  ])('%j: %s', async (ends, verdict, byPolicies, fact) => {
    for (const call of await calls(fleet(), ...ends)) {
      expect(call).toMatchObject({ verdict, byPolicies });
      expect(call.unknown.map((each) => each.fact)).toEqual(fact === undefined ? [] : [fact]);
    }
  });

  test('where nobody says that policies are enforced, a stop is undecidable, and it is said', async () => {
    const cwd = fleet({ 'facts.yaml': '# none\n' });
    const [stopped] = await calls(cwd, 'dev:shop/deploy/web', 'internet');
    expect(stopped).toMatchObject({ verdict: 'Undecidable', byPolicies: 'DoesNotAdmit', unknown: [{ fact: 'enforcement' }] });
    const [passing] = await calls(cwd, 'web.shop', 'db.shop');
    expect(passing).toMatchObject({ verdict: 'Admits', unknown: [] });
    const { out } = await tenantplane(['reach', 'dev:shop/deploy/web', 'internet'], { cwd });
    expect(out).toContain('Undecidable; by the policies alone: DoesNotAdmit');
    expect(out).toContain('networkPolicies: enforced');
  });

  test('a profile’s field that is not written is placed at the level that gives it', async () => {
    const { out } = await tenantplane(['reach', 'dev:shop/deploy/web', 'internet'], { cwd: fleet() });
    expect(out).toContain('of IsolationProfile/restricted#defaultDenyNetworkPolicy (platform/platform.yaml:5)');
  });
});

describe('many calls', () => {
  test('what passes comes first, and the rest is counted', async () => {
    const cwd = fleet();
    const { out } = await tenantplane(['reach', 'dev', 'dev', '--port', '5432'], { cwd });
    const heads = out.split('\n').filter((line) => line.includes(' -> '));
    expect(heads).toHaveLength(10);
    expect(heads.filter((line) => line.endsWith('DoesNotAdmit'))).toEqual([]);
    expect(out).toContain('… and 6 more calls: 3 Admits, 3 DoesNotAdmit (-v lists them all');
    const all = await tenantplane(['reach', 'dev', 'dev', '--port', '5432', '-v'], { cwd });
    expect(all.out.split('\n').filter((line) => line.includes(' -> '))).toHaveLength(16);
  });
});

describe('a tenant that is frozen', () => {
  test('is taken as its tree stands, and that is said', async () => {
    const cwd = fleet();
    expect((await tenantplane(['render', '-q', '--fail-on', 'never'], { cwd })).code).toBe(0);
    put(cwd, { 'tenants/dev/objects/broken.yaml': 'a: 1\nb: [\n' });
    const { code, out, err } = await tenantplane(['reach', 'dev:shop/deploy/web', 'shop/deploy/db', '-o', 'json'], { cwd });
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringContaining('tenant team-dev/dev is frozen, so its tree is taken as it stands'),
    });
    const document: { calls: readonly Call[] } = JSON.parse(out);
    expect(document.calls).toMatchObject([{ ...WEB_TO_DB, verdict: 'Admits', ingress: { admittedBy: [{ own: 'shop/db' }] } }]);
  });
});

test('where the host ignores policies, nothing is stopped', async () => {
  const cwd = fleet({ 'facts.yaml': FACTS.replace('enforced', 'ignored') });
  const [call] = await calls(cwd, 'dev:shop/deploy/web', 'prod:deploy/shop');
  expect(call).toMatchObject({
    verdict: 'NotSelected',
    byPolicies: 'DoesNotAdmit',
    because: expect.stringContaining('ignores NetworkPolicies'),
  });
});

describe('who can reach whom', () => {
  const matrix = async (...argv: string[]): Promise<string> => {
    const { code, out } = await tenantplane(['reach', ...argv], { cwd: fleet() });
    expect(code).toBe(0);
    return out;
  };

  test('workloads by workloads, tenant by tenant', async () => {
    const out = await matrix();
    const rows = out.split('\n').map((line) => line.split(/ {2,}/).map((each) => each.trim()));
    expect(rows.find(([, name]) => name === 'shop/deployment/web')).toEqual(['4', 'shop/deployment/web', ...WEB_ROW]);
    expect(rows.find(([, name]) => name === 'back/deployment/web')?.slice(2, 6)).toEqual(['no', 'yes', 'yes', 'yes']);
    expect(out).toContain('8 pairs of workloads of different tenants  none can reach each other');
  });
  const WEB_ROW = ['yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'no'];

  test('tenants by tenants', async () => {
    const out = await matrix('--tenants');
    expect(out).toMatch(/^dev +13 of 16 +no$/m);
    expect(out).toMatch(/^prod +yes +none +none +yes\? +yes +yes +no +no$/m);
  });

  test('one end: whom it reaches and who reaches it', async () => {
    const out = await matrix('dev:shop/deploy/db');
    expect(out).toContain('dev:shop/deployment/db is reached by');
    const { out: json } = await tenantplane(['reach', 'dev:shop/deploy/db', '-o', 'ndjson'], { cwd: fleet() });
    const into = json
      .trim()
      .split('\n')
      .map((line): { from: string; to: string } => JSON.parse(line))
      .filter(({ to }) => to === 'dev:shop/deployment/db');
    expect(into.map(({ from }) => from)).toEqual(['dev:shop/deployment/web', 'node']);
  });

  describe.each([
    ['enforced', {}],
    ['unknown', { 'facts.yaml': '' }],
    ['ignored', { 'facts.yaml': FACTS.replace('enforced', 'ignored') }],
  ])('where enforcement is %s', (_, facts) => {
    const WORDS: Readonly<Record<string, string>> = {
      'Admits Admits': 'yes',
      'NotSelected NotSelected': 'yes',
      'NotSelected DoesNotAdmit': 'yes',
      'NotSelected Admits': 'yes',
      'DoesNotAdmit DoesNotAdmit': 'no',
      'Undecidable DoesNotAdmit': 'no?',
      'Undecidable Admits': 'yes?',
      'Undecidable Undecidable': '?',
    };

    test('a cell says what the call by itself does, and a legend what that means', async () => {
      const cwd = fleet(facts);
      const { out } = await tenantplane(['reach', '--tenant', 'dev', '-q'], { cwd });
      const [, header = '', ...lines] = out.split('\n');
      const cellsOf = (line: string): string[] => line.split(/ {2,}/).map((each) => each.trim());
      const rows = lines.map(cellsOf).filter(([number]) => /^\d+$/.test(number ?? ''));
      const ends = [
        ...rows.map(([, name]) => `dev:${name}`),
        ...cellsOf(header)
          .slice(2 + rows.length)
          .map((name) => name.toLowerCase()),
      ];
      const [first = []] = rows;
      const told: string[] = [];
      for (const end of ends) {
        const asked = await tenantplane(['reach', `dev:${first[1]}`, end, '-o', 'json', '-q', '--tenant', 'dev'], { cwd });
        const document: { calls: readonly Call[] } = JSON.parse(asked.out);
        told.push([...new Set(document.calls.map(({ verdict, byPolicies }) => WORDS[`${verdict} ${byPolicies}`]))].join());
      }
      expect(first.slice(2)).toEqual(told);
      for (const word of ['yes?', 'no?'])
        expect([word, new RegExp(`^${word.replace('?', '\\?')} {2,}\\w`, 'm').test(out)]).toEqual([word, told.includes(word)]);
      const { out: html } = await tenantplane(['report', 'html', '-q'], { cwd });
      for (const word of new Set(told)) expect(html).toContain(`>${word}<`);
    });
  });

  test('a host that ignores policies keeps no tenants apart', async () => {
    const cwd = fleet({ 'facts.yaml': FACTS.replace('enforced', 'ignored') });
    const { out } = await tenantplane(['reach', '--tenants'], { cwd });
    expect(out).toMatch(/^dev +yes +yes$/m);
    expect(out).toMatch(/^prod +yes +all +all/m);
    expect(out).toContain('8 pairs of workloads of different tenants  all can reach each other');
  });

  test('of one tenant alone', async () => {
    expect(await matrix('--tenant', 'prod')).not.toContain('tenant team-dev/dev');
  });
});

describe('formats', () => {
  test.each(['table', 'wide', 'tree', 'yaml', 'ndjson', 'json'])('%s, of a call and of all', async (format) => {
    const cwd = fleet();
    const call = await tenantplane(['reach', 'web.shop', 'db.shop', '-o', format], { cwd });
    expect(call).toMatchObject({ code: 0, err: '' });
    expect(call.out).toContain('shop/deployment/db');
    const all = await tenantplane(['reach', '-o', format], { cwd });
    expect(all).toMatchObject({ code: 0, err: '' });
    expect(all.out).toContain('shop/deployment/db');
  });

  test('a report beside the text', async () => {
    const cwd = fleet();
    await tenantplane(['reach', 'web.shop', 'db.shop', '--report', 'json=reach.json'], { cwd });
    expect(JSON.parse(readFileSync(join(cwd, 'reach.json'), 'utf8'))).toMatchObject({
      kind: 'ReachReport',
      from: 'dev:shop/deployment/web',
    });
  });
});

describe('hostile text', () => {
  const EVIL = '\u001b[31m::error::\u202e</script>';
  test.each(['text', 'table', 'wide', 'tree'])('labels of a policy reach no terminal as they are, in %s', async (format) => {
    const policy = DB_POLICY.replace('app: web', `app: ${JSON.stringify(EVIL)}`);
    const cwd = fleet({ 'tenants/dev/objects/app.yaml': (FLEET['tenants/dev/objects/app.yaml'] ?? '').replace(DB_POLICY, policy) });
    const { out, err } = await tenantplane(['reach', 'web.shop', 'db.shop', '-o', format], { cwd });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(out + err).not.toMatch(/[\u001b\u202e]/);
  });

  test('neither do words of the command line', async () => {
    const { code, err } = await tenantplane(['reach', EVIL, 'internet'], { cwd: fleet() });
    expect(code).toBe(2);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(err).not.toMatch(/[\u001b\u202e]/);
  });
});
