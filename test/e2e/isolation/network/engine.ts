import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Json, JsonObject } from '../../../../src/core/kube/json.ts';
import { buildTool } from '../../../bed/build-tool.ts';

/** A pod as a network plugin sees it. */
export interface Pod {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  /** container ports with their names */
  readonly ports?: readonly JsonObject[];
  readonly address: string;
}

export interface Port {
  readonly protocol: 'TCP' | 'UDP' | 'SCTP';
  readonly port: number;
}

/** All that decides about packets in a cluster, and what is asked about it. */
export interface Cluster {
  /** labels of each namespace by its name */
  readonly namespaces: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly pods: readonly Pod[];
  readonly policies: readonly JsonObject[];
  /** outside the cluster */
  readonly addresses: readonly string[];
  readonly ports: readonly Port[];
}

/** What is let through; peers are numbered: pods in their order, then addresses. */
export interface Verdicts {
  /** whether the source's policies let the packet leave */
  out(source: number, destination: number, port: number): boolean;
  /** whether the destination's policies let the packet in */
  in(source: number, destination: number, port: number): boolean;
}

export interface Engine {
  ask(cluster: Cluster): Promise<Verdicts>;
  stop(): void;
}

interface Answer {
  readonly out: readonly (readonly string[])[];
  readonly in: readonly (readonly string[])[];
  readonly error?: string;
}

/** The engine of kube-network-policies (`test/bed/network-policy`), which takes a question a line for as long as it runs. */
export async function startEngine(): Promise<Engine> {
  const child = spawn(await buildTool('networkpolicy'), { stdio: ['pipe', 'pipe', 'pipe'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let complaints = '';
  child.stderr.on('data', (chunk) => {
    complaints += String(chunk);
  });
  // Where it has ended, the answer that does not come tells why.
  child.stdin.on('error', () => {});
  return {
    async ask(cluster) {
      child.stdin.write(
        `${JSON.stringify(question(cluster), (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))}\n`,
      );
      const line = await lines.next();
      if (line.done === true) throw new Error(`the engine ended: ${complaints}`);
      const answer: Answer = JSON.parse(line.value);
      if (answer.error !== undefined) throw new Error(answer.error);
      return {
        out: (source, destination, port) => answer.out[port]?.[source]?.[destination] === '+',
        in: (source, destination, port) => answer.in[port]?.[source]?.[destination] === '+',
      };
    },
    stop: () => void child.kill(),
  };
}

function question({ namespaces, pods, policies, addresses, ports }: Cluster): Json {
  return {
    namespaces: [...namespaces].map(([name, labels]) => ({ metadata: { name, labels: { ...labels } } })),
    pods: pods.map((pod) => ({
      metadata: { name: pod.name, namespace: pod.namespace, labels: { ...pod.labels } },
      spec: { containers: [{ name: 'main', ports: [...(pod.ports ?? [])] }] },
      status: { podIP: pod.address },
    })),
    policies: [...policies],
    addresses: [...addresses],
    ports: ports.map((port) => ({ ...port })),
  };
}
