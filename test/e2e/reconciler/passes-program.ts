import { setTimeout as sleep } from 'node:timers/promises';
import { processIo } from '../../../src/cli/process-io.ts';
import { runReconcilerCommand } from '../../../src/cli/reconciler/run-reconciler-command.ts';
import { annotationsOf } from '../../../src/core/kube/object.ts';
import { getObject } from '../../../src/kube/objects/get.ts';
import { mergePatch } from '../../../src/kube/objects/patch.ts';
import { TENANT_CLUSTERS } from '../../../src/reconciler/process/watched-kinds.ts';
import type { MakeReconciler } from '../../../src/reconciler/reconcile.ts';

// The reconciler's process with passes that do what an annotation of their TenantCluster says.
const SECRET = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };

const make: MakeReconciler = ({ view, log, clock, transport, holds, tracer }) => ({
  reconcile: async (key, signal) => {
    const [namespace = '', name = ''] = key.split('/');
    const tenant = view.store('tenantclusters').get(key);
    const [what = '', argument = ''] = (tenant === undefined ? '' : (annotationsOf(tenant).get('do') ?? '')).split(' ');
    log.info('begins', { tenant: key, what });
    switch (what) {
      case 'sleep':
        await tracer.startActiveSpan('tenantplane.provision.sleep', async (span) => {
          await clock.sleep(Number(argument), signal);
          span.end();
        });
        break;
      case 'deaf':
        await sleep(Number(argument));
        break;
      case 'throw':
        throw new Error('thrown on purpose');
      case 'reject':
        void Promise.reject(new Error('nobody waits for this'));
        break;
      case 'refused':
        return { result: 'terminal', failure: 'never again' };
      case 'leak': {
        const secret = await getObject({ resource: SECRET, namespace, name: argument }, { transport, signal });
        if ('failure' in secret) return { result: 'error', failure: secret.failure.message };
        log.info('careless', { secret: secret.value });
        const data = Object.values((secret.value['data'] ?? {}) as Record<string, string>).map((text) =>
          Buffer.from(text, 'base64').toString(),
        );
        log.warn(`careless: ${data.join(' ')}`);
        throw new Error(`careless: ${data.join(' ')}`);
      }
    }
    if (what !== '' && holds(key)) {
      await mergePatch(
        { resource: TENANT_CLUSTERS, namespace, name },
        { metadata: { annotations: { did: what } } },
        { transport, signal, fieldManager: 'test' },
      );
    }
    log.info('ends', { tenant: key, what, holds: holds(key) });
    return { result: 'success' };
  },
});

const given = Object.fromEntries(process.argv.slice(2).map((flag) => flag.replace(/^--/, '').split('=') as [string, string]));
const context = { io: processIo(), exitCode: 0, json: false };
await runReconcilerCommand(given, context, make);
process.exitCode = context.exitCode;
