import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { writeImageArchive } from '../image-archive.ts';
import { untilReady } from '../server.ts';
import { type Machine, startMachine } from './machine.ts';
import { PAUSE, PAUSE_LAYER } from './pause-image.ts';
import type { PodNetwork } from './pod-network.ts';

export interface Containerd {
  readonly machine: Machine;
  readonly socket: string;
  /** imports an archive of images, as `podman save` makes them, for the kubelet */
  importImages(archive: string): Promise<void>;
}

/** Where Debian puts the network plugins. */
const PLUGINS = '/usr/lib/cni';

/** Starts a containerd of its own on a machine of its own, with pods on this network. */
export async function startContainerd(folder: string, network: PodNetwork): Promise<Containerd> {
  const file = (name: string): string => join(folder, name);
  mkdirSync(file('cni'), { recursive: true });
  writeFileSync(file('cni/bed.conflist'), JSON.stringify(cniConfig(network, file('cni-addresses'))));
  writeFileSync(file('containerd.toml'), containerdConfig(folder, network));
  const socket = file('containerd.sock');
  const start = { name: 'containerd', binary: 'containerd', args: ['--config', file('containerd.toml')], folder };
  const machine = await startMachine(start, network.namespace);
  await untilReady(machine.server, () => accepts(socket));
  const importImages = (archive: string): Promise<void> => ctr(socket, ['images', 'import', archive]);
  mkdirSync(file('pause'));
  await importImages(await writeImageArchive(file('pause'), PAUSE_LAYER, [PAUSE]));
  return { machine, socket, importImages };
}

/** The kubelet, which is not in the node's network, reaches what containerd streams at the router's address. */
const containerdConfig = (folder: string, { router }: PodNetwork): string => `version = 2
root = "${folder}/containerd"
state = "${folder}/containerd-state"
oom_score = 0
disabled_plugins = ["io.containerd.internal.v1.opt", "io.containerd.tracing.processor.v1.otlp"]
[grpc]
address = "${folder}/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "${PAUSE.name}"
restrict_oom_score_adj = true
disable_apparmor = true
stream_server_address = "${router}"
stream_server_port = "0"
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "${PLUGINS}"
conf_dir = "${folder}/cni"
`;

/** Each pod has a link of its own to the router, so that what it says to another one passes there, as on nodes with a proxy of Services. */
function cniConfig({ subnet, router, pods }: PodNetwork, addresses: string): object {
  const [rangeStart, rangeEnd] = pods;
  const range = { subnet, gateway: router, rangeStart, rangeEnd };
  const ipam = { type: 'host-local', dataDir: addresses, ranges: [[range]], routes: [{ dst: '0.0.0.0/0' }] };
  return { cniVersion: '1.0.0', name: 'bed', plugins: [{ type: 'ptp', ipam }, { type: 'loopback' }] };
}

function accepts(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = connect(socket);
    asked.on('connect', () => resolve(true)).on('error', () => resolve(false));
    asked.on('connect', () => asked.destroy());
  });
}

async function ctr(socket: string, args: readonly string[]): Promise<void> {
  const child = spawn('ctr', ['--address', socket, '--namespace', 'k8s.io', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const status = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (status !== 0) throw new Error(`ctr ${args.join(' ')}: ${stderr}`);
}
