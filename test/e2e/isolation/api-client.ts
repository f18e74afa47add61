import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { asString, at, isObject, type JsonObject, stringAt } from '../../../src/core/kube/json.ts';
import type { Cluster } from '../../bed/cluster.ts';

/** What the API server answered. */
export interface Answer {
  readonly status: number;
  readonly object: JsonObject;
  /** the message of a Status; empty where the request went through */
  readonly message: string;
}

export interface Identity {
  readonly user: string;
  readonly groups: readonly string[];
}

export interface ApiClient {
  send(method: string, path: string, body?: JsonObject, as?: Identity): Promise<Answer>;
  close(): void;
}

/** Requests to a cluster, as its admin or as somebody else: a kubectl for each would take ten times as long. */
export function apiClient(cluster: Cluster): ApiClient {
  const config: unknown = JSON.parse(readFileSync(cluster.kubeconfig, 'utf8'));
  const read = isObject(config as JsonObject) ? (config as JsonObject) : {};
  const token = stringAt(read, 'users', 0, 'user', 'token') ?? '';
  const ca = Buffer.from(stringAt(read, 'clusters', 0, 'cluster', 'certificate-authority-data') ?? '', 'base64');
  const agent = new Agent({ keepAlive: true, maxSockets: 4, ca });
  return {
    send: async (method, path, body, as) => {
      for (;;) {
        const result = await once(method, path, body, as);
        if (!(method === 'POST' && result.status === 409 && RACED.test(result.message))) return result;
      }
    },
    close: () => agent.destroy(),
  };

  function once(method: string, path: string, body?: JsonObject, as?: Identity): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers: Record<string, string | string[]> = {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': contentType(method, path) }),
        ...(as !== undefined && { 'impersonate-user': as.user, 'impersonate-group': [...as.groups] }),
      };
      const sent = request(`${cluster.url}${path}`, { method, agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('error', reject).on('end', () => resolve(answer(response.statusCode ?? 0, text)));
      });
      sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

/** A patch is an apply where it says who applies. */
function contentType(method: string, path: string): string {
  if (method !== 'PATCH') return 'application/json';
  return path.includes('fieldManager=') ? 'application/apply-patch+yaml' : 'application/merge-patch+json';
}

/** A creation that lost its ResourceQuota to other writers, a few times in a row: nothing was made, clients send it again. */
const RACED = /Operation cannot be fulfilled on resourcequotas/;

function answer(status: number, text: string): Answer {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = { message: text };
  }
  const object = typeof parsed === 'object' && parsed !== null ? (parsed as JsonObject) : {};
  return { status, object, message: status >= 400 ? (asString(at(object, 'message')) ?? '') : '' };
}
