import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Note {
  readonly id: number;
  readonly author: string;
  body: string;
}

export interface Forge {
  readonly port: number;
  readonly notes: Note[];
  /** method and path of each request, without its query */
  readonly requests: string[];
  stop(): Promise<void>;
}

/**
 * The few calls of GitHub's and GitLab's API that concern comments, on loopback. `gh` speaks plain HTTP to its development host
 * github.localhost, so a proxy variable brings the real program here.
 */
export async function startForge(notes: readonly Note[] = []): Promise<Forge> {
  const kept = [...notes];
  const requests: string[] = [];
  const server = createServer((request, response) => {
    void answer(request, response, kept, requests);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, notes: kept, requests, stop: () => new Promise((resolve) => server.close(() => resolve())) };
}

async function answer(request: IncomingMessage, response: ServerResponse, notes: Note[], requests: string[]): Promise<void> {
  const { pathname: path } = new URL(request.url ?? '/', 'http://forge');
  const { method = 'GET' } = request;
  requests.push(`${method} ${path}`);
  let text = '';
  for await (const part of request) text += part;
  const reply = (status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  if (request.headers.authorization === undefined && request.headers['private-token'] === undefined) return reply(401, {});
  const shown = (note: Note): object => ({ ...note, user: { login: note.author }, author: { id: note.author } });
  if (path === '/api/v4/user') return reply(200, { id: ME });
  if (method === 'GET') return reply(200, notes.map(shown));
  const { body } = JSON.parse(text) as { readonly body: string };
  const note = method === 'POST' ? { id: notes.length + 1, author: ME, body } : notes.find(({ id }) => path.endsWith(`/${id}`));
  if (note === undefined) return reply(404, {});
  if (method === 'POST') notes.push(note);
  note.body = body;
  reply(method === 'POST' ? 201 : 200, shown(note));
}

export const ME = 'github-actions[bot]';
