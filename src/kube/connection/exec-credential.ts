import { resolve as resolvePath } from 'node:path';
import { type Json, type JsonObject, objectsOf, own, stringAt } from '../../core/kube/json.ts';
import type { Clock } from '../clock.ts';
import { parseJson } from '../parse-json.ts';
import { sharedRun } from '../shared-run.ts';
import { type CredentialSource, type Credentials, CredentialsError } from './connection.ts';
import { type Program, runProgram } from './run-program.ts';

/** A plugin that waits for somebody gets as long as one takes to sign in with a browser. */
const LIMIT = 120_000;
const BYTES = 1024 * 1024;
const VERSIONS: readonly string[] = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

/**
 * Reads a credential plugin, as kubeconfigs of cloud providers and single sign-on name one (client.authentication.k8s.io).
 * @param folder of the kubeconfig: a command with a slash in it is named from there
 * @param cluster what the plugin is told of the cluster, where `provideClusterInfo` asks for it
 * @returns what is wrong with it, in words, where it is not one that can be run
 */
export function readExecPlugin(
  exec: JsonObject,
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
  cluster: JsonObject,
): Program | string {
  const [command, version] = [stringAt(exec, 'command') ?? '', stringAt(exec, 'apiVersion') ?? ''];
  if (command === '') return 'command is missing';
  if (!VERSIONS.includes(version)) return `apiVersion ${JSON.stringify(version)} is none of ${VERSIONS.join(', ')}`;
  if (own(exec, 'interactiveMode') === 'Always')
    return 'interactiveMode Always needs somebody at a terminal; IfAvailable can be used without one';
  const args = own(exec, 'args') ?? [];
  if (!isStrings(args)) return 'args is no list of strings';
  const named = objectsOf(own(exec, 'env')).map((entry): [string, string] => [
    stringAt(entry, 'name') ?? '',
    stringAt(entry, 'value') ?? '',
  ]);
  const info = {
    apiVersion: version,
    kind: 'ExecCredential',
    spec: { interactive: false, ...(own(exec, 'provideClusterInfo') === true && { cluster }) },
  };
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    command: /[/\\]/.test(command) ? resolvePath(folder, command) : command,
    args,
    env: { ...Object.fromEntries(given), ...Object.fromEntries(named), KUBERNETES_EXEC_INFO: JSON.stringify(info) },
  };
}

function isStrings(value: Json): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

interface Held {
  readonly credentials: Credentials;
  /** milliseconds since 1970 */
  readonly until: number;
}

/** Runs the plugin when its last credentials have ended or were refused; requests that wait for it share one run. */
export function execCredentials(plugin: Program, clock: Clock, talk: (text: string) => void): CredentialSource {
  let held: Held | undefined;
  const run = sharedRun((signal) => runPlugin(plugin, talk, signal));
  return {
    current: async (signal) => {
      if (held === undefined || clock.wall() >= held.until) held = await run(signal);
      return held.credentials;
    },
    refused: (credentials) => {
      if (held?.credentials === credentials) held = undefined;
      return true;
    },
  };
}

async function runPlugin(plugin: Program, talk: (text: string) => void, signal: AbortSignal): Promise<Held> {
  const output = await runProgram(plugin, { milliseconds: LIMIT, bytes: BYTES, talk }, signal);
  if ('why' in output) throw new CredentialsError(`The credential plugin ${plugin.command} ${output.why}.`);
  return readExecCredential(output.text, plugin.command);
}

/** @throws CredentialsError, whose message never holds what the plugin said: that may be half of a secret */
function readExecCredential(output: string, command: string): Held {
  let said: Json;
  try {
    said = parseJson(output);
  } catch {
    throw new CredentialsError(`What the credential plugin ${command} says is no JSON.`);
  }
  const field = (name: string): string | undefined => stringAt(said, 'status', name) || undefined;
  const [token, certificate, key] = [field('token'), field('clientCertificateData'), field('clientKeyData')];
  if (token === undefined && (certificate === undefined || key === undefined)) {
    throw new CredentialsError(`The credential plugin ${command} gives neither a token nor a certificate with its key.`);
  }
  // one that cannot be read is not kept
  const expiry = field('expirationTimestamp');
  return {
    credentials: {
      ...(token !== undefined && { token }),
      ...(certificate !== undefined && key !== undefined && { certificate, key }),
    },
    until: expiry === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiry) || 0,
  };
}
