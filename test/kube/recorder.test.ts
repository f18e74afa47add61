import { expect, test } from 'vitest';
import type { Occurrence } from '../../src/kube/events/event-object.ts';
import { eventRecorder } from '../../src/kube/events/recorder.ts';
import type { Result } from '../../src/kube/failure.ts';
import type { Answer, Transport } from '../../src/kube/transport/transport.ts';
import { manualClock } from '../support/manual-clock.ts';

const DONE: Result<Answer> = { value: { code: 201, text: '{}', header: () => undefined } };
const GONE: Result<Answer> = { failure: { kind: 'status', code: 404, reason: 'NotFound', message: 'gone', details: {} } };

const what = (name: string): Occurrence => ({
  type: 'Warning',
  reason: 'Failed',
  action: 'Sync',
  note: 'no',
  regarding: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'n', uid: name } },
});

/** Somebody who records, and a host that answers each request as a test says. */
function setting(answer: (method: string) => Promise<Result<Answer>>) {
  const clock = manualClock();
  const asked: string[] = [];
  const transport: Transport = {
    server: 'https://host',
    send: ({ method = 'GET', path }) => {
      asked.push(`${method} ${path.replace(/\?.*/, '').replace(/\.[0-9a-f]+$/, '')}`);
      return answer(method);
    },
    stream: () => Promise.reject(new Error('nobody watches')),
    connections: () => 0,
    close: () => undefined,
  };
  const recorder = eventRecorder({ transport, clock, random: () => 0.5, reporter: { controller: 'c', instance: 'i' } });
  return { clock, asked, recorder };
}

test('who is told to end in the step in which an event was written ends, and does not look for others first', async () => {
  let answered: (answer: Result<Answer>) => void = () => undefined;
  const { clock, recorder } = setting(() => new Promise((resolve) => (answered = resolve)));
  const stop = new AbortController();
  let ended = false;
  const run = recorder.run(stop.signal).then(() => {
    ended = true;
  });
  recorder.record(what('a'));
  await clock.advance(0);
  answered(DONE);
  stop.abort();
  await clock.advance(0);
  expect(ended).toBe(true);
  await run;
  expect(clock.sleeping()).toEqual([]);
});

test('what was dropped, since too much waited, is written when it happens again', async () => {
  const { clock, asked, recorder } = setting(async (method) => (method === 'PATCH' ? GONE : DONE));
  for (let n = 0; n < 1000; n += 1) recorder.record(what(`a${n}`));
  recorder.record(what('late'));
  expect(recorder.counts.dropped).toBe(1);
  const stop = new AbortController();
  const run = recorder.run(stop.signal);
  await expect.poll(() => recorder.counts.written, { timeout: 20_000 }).toBe(1000);
  recorder.record(what('late'));
  await clock.advance(0);
  stop.abort();
  await run;
  expect(recorder.counts.written).toBe(1001);
  expect(asked.slice(1000)).toEqual([
    'PATCH /apis/events.k8s.io/v1/namespaces/n/events/late',
    'POST /apis/events.k8s.io/v1/namespaces/n/events',
  ]);
});
