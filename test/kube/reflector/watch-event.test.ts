import { expect, test } from 'vitest';
import { readWatchEvent } from '../../../src/kube/reflector/watch-event.ts';

test.each<[string, object]>([
  ['{"type":"ADDED","object":{"metadata":{"name":"a"}}}', { type: 'put', object: { metadata: { name: 'a' } } }],
  ['{"type":"MODIFIED","object":{"spec":{"n":9007199254740993}}}', { type: 'put', object: { spec: { n: 9007199254740993n } } }],
  ['{"type":"DELETED","object":{}}', { type: 'deleted' }],
  ['{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7"}}}', { type: 'bookmark', resourceVersion: '7', initialEnd: false }],
  [
    '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7","annotations":{"k8s.io/initial-events-end":"true"}}}}',
    { type: 'bookmark', resourceVersion: '7', initialEnd: true },
  ],
  [
    '{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}}',
    { type: 'error', failure: { kind: 'status', code: 410, reason: 'Expired', message: 'too old' } },
  ],
  ['{"type":"ERROR","object":{}}', { type: 'error', failure: { kind: 'status', code: 500 } }],
  ['{"type":"SOMETHING","object":{}}', { type: 'error', failure: { kind: 'malformed' } }],
  ['{"type":"ADDED","object":5}', { type: 'error', failure: { kind: 'malformed' } }],
  ['{"type":"ADDED","obj', { type: 'error', failure: { kind: 'malformed' } }],
])('%s', (line, event) => {
  expect(readWatchEvent(line)).toMatchObject(event);
});
