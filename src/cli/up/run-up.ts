import { shellWord } from '../../core/decision/shell-word.ts';
import { RECONCILER } from '../../core/isolation/reconciler.ts';
import { type KubeObject, kindOf } from '../../core/kube/object.ts';
import { SYSTEM_CLOCK } from '../../kube/clock.ts';
import type { Impersonation } from '../../kube/connection/connection.ts';
import { discovery } from '../../kube/discovery/discovery.ts';
import { openTransport } from '../../kube/transport/transport.ts';
import { makeTenantReconciler } from '../../reconciler/make-tenant-reconciler.ts';
import { plural } from '../../report/text.ts';
import { EXIT, TenantplaneError } from '../errors.ts';
import { connectionTo, type Reach } from '../facts/open-host.ts';
import { withinLimit } from '../facts/within-limit.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { fullName } from '../kubeconfig/find-tenant.ts';
import { readCommand } from '../reconciler/read-command.ts';
import { runReconcilerCommand } from '../reconciler/run-reconciler-command.ts';
import { needFolder } from '../render/load-package.ts';
import type { PlanFlags } from '../render/plan-package.ts';
import { runRender } from '../render/run-render.ts';
import { applyStage, checkServed } from './apply-stage.ts';
import { awaitReady } from './await-ready.ts';
import { guardHost } from './guard-host.ts';
import { afterwards, leaderWords } from './leader-words.ts';
import { definitions, packageStages, rights, type Stage } from './stages.ts';
import { tellConditions } from './tell-conditions.ts';

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
}

/** As what it runs in a cluster: what it lacks in rights shows here too. */
const ACCOUNT: Impersonation = {
  user: `system:serviceaccount:${RECONCILER.namespace}:${RECONCILER.name}`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${RECONCILER.namespace}`, 'system:authenticated'],
};

/** Applies all that a package and its host need, runs the reconciler here, and waits for the tenants. */
export async function runUp(flags: UpFlags, context: CliContext): Promise<void> {
  const { io } = context;
  const begin = performance.now();
  const say = (line: string): void => {
    if (flags.plan.quiet !== true) io.stderr.write(`${((performance.now() - begin) / 1000).toFixed(1).padStart(6)} s  ${line}\n`);
  };
  needFolder(flags.root, 'package');
  readCommand(settingsOf(flags), io);
  const connection = await connectionTo(flags.reach, io);
  guardHost(connection.server, flags.reach, flags.anywhere);
  const stages = await rendered(flags, context);
  if (stages === undefined) return;
  const tenants = stages.flatMap(({ objects }) => objects).filter((object) => kindOf(object) === 'TenantCluster');

  const transport = openTransport(connection, { clock: SYSTEM_CLOCK });
  const ended = new AbortController();
  try {
    await withinLimit(
      io.signal,
      async (signal) => {
        const served = discovery(transport, SYSTEM_CLOCK);
        const all = [definitions(), rights(), ...stages];
        await checkServed(all, served, signal);
        for (const stage of all) {
          await applyStage(stage, served, { transport, signal });
          say(`applied ${stage.name}: ${plural(stage.objects.length, 'object')}`);
        }
      },
      flags.timeout,
    );
    const signal = AbortSignal.any([io.signal, ended.signal]);
    const reconciler: CliContext = { ...context, io: { ...io, signal } };
    let leader: string | undefined;
    const onLeader = (other: string | undefined): void => {
      leader = other;
      say(leaderWords(other));
    };
    const running = runReconcilerCommand(settingsOf(flags), reconciler, makeTenantReconciler, { as: ACCOUNT, onLeader });
    const late = await Promise.race([
      awaitReady(tenants, { transport, signal: io.signal }, flags.timeout, say),
      running.then(() => Promise.reject(new TenantplaneError('system', 'The reconciler ended before the tenants were ready.'))),
    ]).catch(async (error: unknown) => {
      ended.abort();
      await running;
      if (io.signal.aborted) throw new TenantplaneError('interrupted', 'Interrupted.', { cause: error });
      throw error;
    });
    const ready = late.length === 0;
    if (ready) say(`ready: ${tenants.map(fullName).join(', ')}`);
    else io.stderr.write(notReady(late, flags));
    if (ready && flags.plan.quiet !== true) io.stderr.write(nextSteps(tenants, flags, { leader, standIns: namesStandIns(stages) }));
    if (flags.untilReady) ended.abort();
    await running;
    context.exitCode = ready ? reconciler.exitCode : EXIT.findings;
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

/** Metrics and probes are for a cluster, and their ports may be taken here. */
function settingsOf({ reach, releases }: UpFlags): Readonly<Record<string, string | undefined>> {
  return {
    ...reach,
    releases,
    'metrics-bind-address': '0',
    'health-probe-bind-address': '0',
    'log-format': 'text',
    'log-level': 'warn',
  };
}

function notReady(late: readonly KubeObject[], { timeout, untilReady }: UpFlags): string {
  const lines = [
    `not ready after ${timeout / 1000} s: ${late.map(fullName).join(', ')}`,
    ...late.flatMap((tenant) => [fullName(tenant), ...tellConditions(tenant)]),
    'docs/troubleshooting.md tells more of each condition and reason.',
    ...(untilReady ? [] : ['The reconciler runs on until you interrupt it.']),
  ];
  return `${lines.join('\n')}\n`;
}

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
