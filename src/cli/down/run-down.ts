import { apiVersionOf, groupOf, type KubeObject, kindOf } from '../../core/kube/object.ts';
import { SYSTEM_CLOCK } from '../../kube/clock.ts';
import type { Connection } from '../../kube/connection/connection.ts';
import { type Discovery, discovery } from '../../kube/discovery/discovery.ts';
import { isReason } from '../../kube/failure.ts';
import { getObject } from '../../kube/objects/get.ts';
import { type Call, refOf } from '../../kube/objects/object-path.ts';
import { listAll } from '../../kube/reflector/list-pages.ts';
import { openTransport } from '../../kube/transport/transport.ts';
import { TENANT_CLUSTERS } from '../../reconciler/process/watched-kinds.ts';
import { visible } from '../../report/escape.ts';
import { jsonText } from '../../report/json-text.ts';
import { plural } from '../../report/text.ts';
import { EXIT } from '../errors.ts';
import { connectionTo, type Reach, unanswered } from '../facts/open-host.ts';
import { withinLimit } from '../facts/within-limit.ts';
import type { CliContext } from '../io.ts';
import { fullName, readTenantName } from '../kubeconfig/find-tenant.ts';
import { endSoon } from '../reconciler/last-resort.ts';
import { readCommand } from '../reconciler/read-command.ts';
import { guardHost } from '../up/guard-host.ts';
import { leaderWords } from '../up/leader-words.ts';
import { localSettings, runLocally, whileItRuns } from '../up/local-reconciler.ts';
import { definitions, rights } from '../up/stages.ts';
import { timedLines } from '../up/timed-lines.ts';
import { awaitGone } from './await-gone.ts';
import { type DownReport, downDocument, keptLines, madeAnew, notGone, previewText } from './down-report.ts';
import { nameTenants } from './name-tenants.ts';
import { remove, removeAll, uidOf } from './remove.ts';
import { isUnknownPath, type Standing, type Survey, survey, surveyShared } from './survey.ts';

export interface DownFlags {
  /** `shop` or `team-shop/shop`; all of the host, and what is left of others, where none is named */
  readonly tenants: readonly string[];
  /** and what they share, the reconciler and the definitions */
  readonly everything: boolean;
  readonly volumes: boolean;
  readonly dryRun: boolean;
  readonly reach: Reach;
  readonly anywhere: boolean;
  readonly releases?: string;
  /** milliseconds for the control planes to be gone, and then for the rest */
  readonly timeout: number;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Takes tenants off a host: their control planes first, by the reconciler, which runs here; then what is left of them. */
export async function runDown(flags: DownFlags, context: CliContext): Promise<void> {
  const { io } = context;
  const say = timedLines(io, flags.quiet);
  const wanted = flags.tenants.map((word) => readTenantName(word, undefined));
  readCommand(localSettings(flags), io);
  const connection = await connectionTo(flags.reach, io);
  if (!flags.dryRun) guardHost(connection.server, flags.reach, flags.anywhere);
  const transport = openTransport(connection, { clock: SYSTEM_CLOCK });
  const inTime = <T>(work: (call: Call) => Promise<T>, limit?: number): Promise<T> =>
    withinLimit(io.signal, (signal) => work({ transport, signal }), limit);
  const print = (report: DownReport): void => {
    if (flags.json) io.stdout.write(`${jsonText(downDocument(report), 2)}\n`);
    else if (report.dryRun) io.stdout.write(previewText(report));
  };
  try {
    const host = discovery(transport, SYSTEM_CLOCK);
    const all = wanted.length === 0;
    const { standing: tenants, names } = await inTime(async (call) =>
      all ? { standing: await allTenants(call), names: new Set<string>() } : nameTenants(wanted, call, io.cwd),
    );
    const about = { host: connection.server, tenants };
    const meant = (staying: readonly KubeObject[]) => (key: string) =>
      key !== '' && (all || names.has(key)) && !staying.some((each) => fullName(each) === key);
    if (flags.dryRun) {
      const report = await inTime(async (call) => {
        const found = await survey(host, call, { meant: meant([]), volumes: flags.volumes, standing: tenants });
        const rest = flags.everything ? [...(await surveyShared(host, call)), ...(await shipped(host, call))] : [];
        return { ...about, dryRun: true, late: [], objects: objectsOf([...order(found), ...rest]), kept: found.kept };
      });
      return print(report);
    }

    const late = tenants.length === 0 ? [] : await takeDown(tenants, { transport, signal: io.signal }, connection, flags, context, say);
    // an applier brings back what is deleted, and nobody would take down what is in a namespace that goes
    const known = new Set(tenants.map(uidOf));
    const anew = (await inTime(allTenants)).filter((each) => !known.has(uidOf(each)) && meant([])(fullName(each)));
    const report = await inTime(async (call) => {
      const deleted: Standing[] = [];
      const step = async (what: string, standing: readonly Standing[]): Promise<void> => {
        await removeAll(standing, call);
        deleted.push(...standing);
        if (standing.length > 0) say(`deleted ${what}: ${plural(standing.length, 'object')}`);
      };
      const found = await survey(host, call, { meant: meant([...late, ...anew]), volumes: flags.volumes, standing: [] });
      await step('what ran and served', found.objects);
      await step('namespaces', found.namespaces);
      await step('their own objects of the cluster', found.cluster);
      if (flags.everything && late.length + anew.length === 0 && found.kept.length === 0) {
        await step('what tenants share', await surveyShared(host, call));
        await step('the reconciler and the definitions', await shipped(host, call));
      }
      const others = anew.filter((each) => !tenants.some((old) => fullName(old) === fullName(each)));
      return {
        ...about,
        tenants: [...tenants, ...others],
        dryRun: false,
        late: [...late, ...anew],
        objects: objectsOf(deleted),
        kept: found.kept,
      };
    }, flags.timeout);
    if (report.tenants.length + report.objects.length + report.kept.length === 0) say('nothing to take off is there');
    for (const line of keptLines(report.kept)) io.stderr.write(`${visible(line)}\n`);
    if (anew.length > 0) io.stderr.write(madeAnew(anew));
    if (late.length > 0) io.stderr.write(notGone(late, flags.timeout));
    else if (flags.everything && report.kept.length > 0)
      io.stderr.write('What tenants share, the reconciler and the definitions stay as long as a Namespace does.\n');
    print(report);
    context.exitCode = report.late.length > 0 ? EXIT.findings : EXIT.done;
    if (tenants.length > 0) endSoon(context.exitCode);
  } finally {
    transport.close();
  }
}

async function allTenants({ transport, signal }: Call): Promise<readonly KubeObject[]> {
  const listed = await listAll(transport, { resource: TENANT_CLUSTERS }, signal);
  if ('value' in listed) return listed.value.objects;
  // without the definition there are none
  if (isUnknownPath(listed.failure)) return [];
  throw unanswered(listed.failure);
}

/** @returns those that are not gone in time */
async function takeDown(
  tenants: readonly KubeObject[],
  call: Call,
  host: Connection,
  flags: DownFlags,
  context: CliContext,
  say: (line: string) => void,
): Promise<readonly KubeObject[]> {
  const running = runLocally(flags, host, context, (other) => say(leaderWords(other)));
  const resource = { ...TENANT_CLUSTERS, verbs: new Set<string>(), shortNames: [], singular: '', subresources: new Set<string>() };
  const work = async (): Promise<readonly KubeObject[]> => {
    for (const object of tenants) await remove({ resource, object }, call);
    return awaitGone(tenants, call, flags.timeout, say);
  };
  const late = await whileItRuns(running, call.signal, 'the control planes were gone', work());
  await running.end();
  return late;
}

/** A workload goes before what closes its namespace. */
function order({ objects, namespaces, cluster }: Survey): readonly Standing[] {
  return [...objects, ...namespaces, ...cluster];
}

/** What `up` applies of deploy/, the last first. */
async function shipped(host: Discovery, call: Call): Promise<readonly Standing[]> {
  const all = [definitions(), rights()].flatMap(({ objects }) => objects).toReversed();
  const standing = await Promise.all(all.map((object) => standingOf(object, host, call)));
  // a Namespace takes what is in it along, and definitions what is of them
  return standing.filter((each) => each !== undefined).sort((a, b) => LAST.indexOf(kindOf(a.object)) - LAST.indexOf(kindOf(b.object)));
}
const LAST = ['Namespace', 'CustomResourceDefinition'];

async function standingOf(object: KubeObject, host: Discovery, call: Call): Promise<Standing | undefined> {
  const found = await host.lookUp({ group: groupOf(apiVersionOf(object)), kind: kindOf(object) }, call.signal);
  if ('failure' in found) throw unanswered(found.failure);
  if (found.value === undefined) return undefined;
  const read = await getObject(refOf(found.value, object), call);
  if ('value' in read) return { resource: found.value, object: read.value };
  if (isReason(read.failure, 'NotFound')) return undefined;
  throw unanswered(read.failure);
}

function objectsOf(standing: readonly Standing[]): readonly KubeObject[] {
  return standing.map(({ object }) => object);
}
