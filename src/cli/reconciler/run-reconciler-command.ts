import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { RECONCILER } from '../../core/isolation/reconciler.ts';
import { SYSTEM_CLOCK } from '../../kube/clock.ts';
import type { Connection, Impersonation } from '../../kube/connection/connection.ts';
import { makeLog } from '../../reconciler/log/log.ts';
import { makeMetrics } from '../../reconciler/metrics/metrics.ts';
import { type ProcessParts, runReconciler } from '../../reconciler/process/run-reconciler.ts';
import type { MakeReconciler } from '../../reconciler/reconcile.ts';
import { currentTrace, startTracing } from '../../reconciler/trace/tracing.ts';
import { EXIT, TenantplaneError } from '../errors.ts';
import { connectionTo } from '../facts/open-host.ts';
import type { CliContext } from '../io.ts';
import { VERSION } from '../version.ts';
import { endSoon, lastResort } from './last-resort.ts';
import { LEASE_LOST } from './lease-lost.ts';
import { readCommand } from './read-command.ts';

export interface Run extends Pick<ProcessParts, 'onLeader'> {
  /** in place of what the settings name: a kubeconfig may name another host by now */
  readonly host?: Connection;
  /** in place of whom the kubeconfig names */
  readonly as?: Impersonation;
  /** the command has more to do once the reconciler has ended, and ends the process itself */
  readonly goesOn?: boolean;
}

/**
 * Runs until a signal, or until somebody else may lead.
 * @throws TenantplaneError where a flag or a file is wrong, before anything is asked of a host
 */
export async function runReconcilerCommand(
  given: Readonly<Record<string, string | undefined>>,
  context: CliContext,
  make: MakeReconciler,
  { host, as, onLeader, goesOn = false }: Run = {},
): Promise<void> {
  const { io } = context;
  const { env, stderr, signal } = io;
  const { settings, inputs, reach } = readCommand(given, io);
  const connection = { ...(host ?? (await connectionTo(reach, io))), ...(as !== undefined && { impersonate: as }) };
  const log = makeLog({
    write: (line) => stderr.write(line),
    wall: Date.now,
    level: settings.logLevel,
    format: settings.logFormat,
    current: currentTrace,
  });
  lastResort(log);
  const identity = `${env['POD_NAME'] ?? hostname()}_${randomUUID()}`;
  const parts = {
    clock: SYSTEM_CLOCK,
    random: Math.random,
    log,
    metrics: makeMetrics({ byTenant: settings.byTenant }),
    tracing: await startTracing({ env, version: VERSION, instance: identity }),
    make: (tools: Parameters<MakeReconciler>[0]) => make(tools, inputs),
    ...(onLeader !== undefined && { onLeader }),
  };
  log.info('starting', { version: VERSION, identity, host: connection.server });
  const leaseNamespace = settings.leaseNamespace ?? podNamespace() ?? RECONCILER.namespace;
  const ended = await runReconciler({ ...settings, connection, version: VERSION, identity, leaseNamespace }, parts, signal).catch(
    (error: unknown) => {
      if (!(error instanceof Error) || !('syscall' in error)) throw error;
      throw new TenantplaneError('system', `Probes or metrics cannot be served: ${error.message}.`, {
        hint: 'Give --metrics-bind-address and --health-probe-bind-address addresses that are free.',
        cause: error,
      });
    },
  );
  if (ended === 'stopped') log.info('stopped');
  else log.error(LEASE_LOST, { ended });
  context.exitCode = ended === 'stopped' ? EXIT.done : EXIT.findings;
  if (!goesOn) endSoon(context.exitCode);
}

/** Where the kubelet says which namespace a pod is in. */
function podNamespace(): string | undefined {
  try {
    return readFileSync('/var/run/secrets/kubernetes.io/serviceaccount/namespace', 'utf8').trim() || undefined;
  } catch {
    return undefined; // no pod, or one without an account
  }
}
