import { shellWord } from '../../core/decision/shell-word.ts';
import { type KubeObject, kindOf } from '../../core/kube/object.ts';
import { SYSTEM_CLOCK } from '../../kube/clock.ts';
import { discovery } from '../../kube/discovery/discovery.ts';
import { openTransport } from '../../kube/transport/transport.ts';
import { jsonText } from '../../report/json-text.ts';
import { plural } from '../../report/text.ts';
import { EXIT } from '../errors.ts';
import { connectionTo, type Reach } from '../facts/open-host.ts';
import { withinLimit } from '../facts/within-limit.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { fullName } from '../kubeconfig/find-tenant.ts';
import { endSoon } from '../reconciler/last-resort.ts';
import { readCommand } from '../reconciler/read-command.ts';
import { needFolder } from '../render/load-package.ts';
import type { PlanFlags } from '../render/plan-package.ts';
import { runRender } from '../render/run-render.ts';
import { applyStage, checkServed } from './apply-stage.ts';
import { awaitReady, type Waited } from './await-ready.ts';
import { guardHost } from './guard-host.ts';
import { afterwards, leaderWords } from './leader-words.ts';
import { localSettings, runLocally, whileItRuns } from './local-reconciler.ts';
import { definitions, packageStages, rights, type Stage } from './stages.ts';
import { tellConditions } from './tell-conditions.ts';
import { timedLines } from './timed-lines.ts';
import { upDocument } from './up-report.ts';

export interface UpFlags {
  /** the package, absolute */
  readonly root: string;
  readonly plan: Omit<PlanFlags, 'root'> & SharedFlags;
  readonly reach: Reach;
  /** a host that is elsewhere is meant */
  readonly anywhere: boolean;
  readonly releases?: string;
  /** milliseconds for the tenants to get ready */
  readonly timeout: number;
  /** end once they are */
  readonly untilReady: boolean;
  /** a report on stdout */
  readonly json: boolean;
}

/** Applies all that a package and its host need, runs the reconciler here, and waits for the tenants. */
export async function runUp(flags: UpFlags, context: CliContext): Promise<void> {
  const { io } = context;
  const say = timedLines(io, flags.plan.quiet === true);
  needFolder(flags.root, 'package');
  readCommand(localSettings(flags), io);
  const connection = await connectionTo(flags.reach, io);
  guardHost(connection.server, flags.reach, flags.anywhere);
  const stages = await rendered(flags, context);
  if (stages === undefined) return;
  const tenants = stages.flatMap(({ objects }) => objects).filter((object) => kindOf(object) === 'TenantCluster');

  const all = [definitions(), rights(), ...stages];
  const transport = openTransport(connection, { clock: SYSTEM_CLOCK });
  try {
    await withinLimit(
      io.signal,
      async (signal) => {
        const served = discovery(transport, SYSTEM_CLOCK);
        await checkServed(all, served, signal);
        for (const stage of all) {
          await applyStage(stage, served, { transport, signal });
          say(`applied ${stage.name}: ${plural(stage.objects.length, 'object')}`);
        }
      },
      flags.timeout,
    );
    const running = runLocally(flags, connection, context, (other) => say(leaderWords(other)));
    const leads = (): boolean => running.leader() === undefined;
    const waiting = awaitReady(tenants, { transport, signal: io.signal }, { limit: flags.timeout, leads, say });
    const waited = await whileItRuns(running, io.signal, 'the tenants were ready', waiting);
    const ready = waited.late.length === 0;
    if (ready) say(`ready: ${tenants.map(fullName).join(', ')}`);
    else io.stderr.write(notReady(waited, flags));
    if (flags.json)
      io.stdout.write(`${jsonText(upDocument({ host: connection.server, applied: all, leader: running.leader(), ...waited }), 2)}\n`);
    if (ready && flags.plan.quiet !== true)
      io.stderr.write(nextSteps(tenants, flags, { leader: running.leader(), standIns: namesStandIns(stages) }));
    const code = await (flags.untilReady ? running.end() : running.ended);
    context.exitCode = ready ? code : EXIT.findings;
    endSoon(context.exitCode);
  } finally {
    transport.close();
  }
}

/** @returns undefined where the render says that it must not be applied, which it has told */
async function rendered({ root, plan }: UpFlags, context: CliContext): Promise<ReturnType<typeof packageStages> | undefined> {
  const { io } = context;
  const pieces: string[] = [];
  const stdout = { isTTY: false, write: (text: string) => void pieces.push(text) };
  const flags = { ...plan, root, output: 'stdout' as const, check: false, diff: false, ledger: false, cache: false, report: [], mend: '' };
  context.exitCode = await runRender(flags, { ...context, io: { ...io, stdout } });
  return context.exitCode === EXIT.done ? packageStages(pieces.join('')) : undefined;
}

function notReady({ late, unreachable }: Waited, { timeout, untilReady }: UpFlags): string {
  const lines = [
    unreachable.length === late.length
      ? `not reachable from this machine: ${late.map(fullName).join(', ')}`
      : `not ready after ${timeout / 1000} s: ${late.map(fullName).join(', ')}`,
    ...(unreachable.length > 0 ? NOT_ROUTED : []),
    ...late.flatMap((tenant) => [fullName(tenant), ...tellConditions(tenant)]),
    'docs/troubleshooting.md tells more of each condition and reason.',
    ...(untilReady ? [] : ['The reconciler runs on until you interrupt it.']),
  ];
  return `${lines.join('\n')}\n`;
}

/** Kubernetes calls the pod ready, and the reconciler of this very process gets no answer at its address. */
const NOT_ROUTED = [
  'Servers that are ready on the host do not answer at the addresses of their pods. Mostly this machine has no way to pods (kind, k3s in a container, a cloud).',
  '  try: run the reconciler in the cluster, where it has one (docs/install-reconciler.md), and Ctrl-C here: it goes on with these tenants. Where this machine',
  '       is a node of the host, look at the NetworkPolicies of the control plane’s namespace, and at what its row below says.',
];

/** Examples name images that nobody has published. */
function namesStandIns(stages: readonly Stage[]): boolean {
  return JSON.stringify(stages).includes('"image":"registry.example.com/');
}

interface Outcome {
  /** of another process */
  readonly leader: string | undefined;
  readonly standIns: boolean;
}

function nextSteps(tenants: readonly KubeObject[], { reach, untilReady }: UpFlags, { leader, standIns }: Outcome): string {
  const [first] = tenants;
  if (first === undefined) return '';
  const host = [
    ...(reach.kubeconfig === undefined ? [] : [`--kubeconfig ${shellWord(reach.kubeconfig)}`]),
    ...(reach.context === undefined ? [] : [`--context ${shellWord(reach.context)}`]),
  ];
  const lines = [
    'Reach a tenant:',
    `  ${['tenantplane kubeconfig', shellWord(fullName(first)), ...host].join(' ')}`,
    'What is made in that API stays there and does not run yet: workloads run from Git.',
    ...(standIns ? ['Those of this package name images of registry.example.com, which do not exist: their pods cannot start.'] : []),
    afterwards(leader, untilReady),
  ];
  return `${lines.join('\n')}\n`;
}
