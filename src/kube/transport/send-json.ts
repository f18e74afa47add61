import { isObject, type Json, type JsonObject } from '../../core/kube/json.ts';
import { failed, type Result } from '../failure.ts';
import { parseJson } from '../parse-json.ts';
import type { ApiRequest, Transport } from './transport.ts';

/** A request whose answer is an object, as all but health and metrics are. */
export async function sendJson(transport: Transport, request: ApiRequest): Promise<Result<JsonObject>> {
  const answer = await transport.send(request);
  return 'failure' in answer ? answer : objectOf(answer.value.text, transport.server);
}

export function objectOf(text: string, server: string): Result<JsonObject> {
  let value: Json | undefined;
  try {
    value = parseJson(text);
  } catch {
    value = undefined;
  }
  return isObject(value) ? { value } : failed({ kind: 'malformed', message: `What ${server} answered is no JSON object.` });
}
