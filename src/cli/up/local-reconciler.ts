import { RECONCILER } from '../../core/isolation/reconciler.ts';
import type { Connection, Impersonation } from '../../kube/connection/connection.ts';
import { makeTenantReconciler } from '../../reconciler/make-tenant-reconciler.ts';
import { EXIT, TenantplaneError } from '../errors.ts';
import type { Reach } from '../facts/open-host.ts';
import type { CliContext } from '../io.ts';
import { runReconcilerCommand } from '../reconciler/run-reconciler-command.ts';

/** As what it runs in a cluster: what it lacks in rights shows here too. */
const ACCOUNT: Impersonation = {
  user: `system:serviceaccount:${RECONCILER.namespace}:${RECONCILER.name}`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${RECONCILER.namespace}`, 'system:authenticated'],
};

export interface LocalReconciler {
  readonly reach: Reach;
  readonly releases?: string;
}

/** Metrics and probes are for a cluster, and their ports may be taken here. */
export function localSettings({ reach, releases }: LocalReconciler): Readonly<Record<string, string | undefined>> {
  return {
    ...reach,
    releases,
    'metrics-bind-address': '0',
    'health-probe-bind-address': '0',
    'log-format': 'text',
    'log-level': 'warn',
  };
}

export interface Run {
  /** of the process that leads; undefined where it is this one */
  leader(): string | undefined;
  /** Ends it, and waits until it has. @returns its exit code */
  end(): Promise<number>;
  /** its exit code, once it ends by itself or by an interrupt */
  readonly ended: Promise<number>;
}

/** Runs the reconciler in this process, on that host, until the context is interrupted, or it is ended. */
export function runLocally(
  wanted: LocalReconciler,
  host: Connection,
  context: CliContext,
  onLeader: (other: string | undefined) => void,
): Run {
  const told = new AbortController();
  const signal = AbortSignal.any([context.io.signal, told.signal]);
  const own: CliContext = { ...context, io: { ...context.io, signal }, exitCode: EXIT.done };
  let leader: string | undefined;
  const options = {
    host,
    as: ACCOUNT,
    goesOn: true,
    onLeader: (other: string | undefined): void => {
      leader = other;
      onLeader(other);
    },
  };
  const ended = runReconcilerCommand(localSettings(wanted), own, makeTenantReconciler, options).then(() => own.exitCode);
  return {
    leader: () => leader,
    end: () => {
      told.abort();
      return ended;
    },
    ended,
  };
}

/** What is worked on with it, which is over where it ends first. @throws TenantplaneError */
export async function whileItRuns<T>({ ended, end }: Run, signal: AbortSignal, what: string, work: Promise<T>): Promise<T> {
  const over = ended.then(() => Promise.reject(new TenantplaneError('system', `The reconciler ended before ${what}.`)));
  return await Promise.race([work, over]).catch(async (error: unknown) => {
    await end();
    if (signal.aborted) throw new TenantplaneError('interrupted', 'Interrupted.', { cause: error });
    throw error;
  });
}
