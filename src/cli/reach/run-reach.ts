import { parseCidr } from '../../core/kube/cidr.ts';
import { type AddressSet, addresses } from '../../core/reach/address-set.ts';
import { type Call, call } from '../../core/reach/call.ts';
import type { CallPort } from '../../core/reach/endpoint.ts';
import { visible } from '../../report/escape.ts';
import { tenantId } from '../../report/tally.ts';
import { type AnswerFlags, printAnswer } from '../answer/print-answer.ts';
import { EXIT, TenantplaneError } from '../errors.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { packageWords } from '../package/package-words.ts';
import { packageStyle, printPlaced } from '../render/package-style.ts';
import { type PlannedPackage, planPackage } from '../render/plan-package.ts';
import { progress } from '../render/progress.ts';
import type { ConfigFlags } from '../render/render-config.ts';
import { selectTenants } from '../render/select-tenants.ts';
import { type Atlas, atlasOf } from './atlas.ts';
import { callAnswer } from './call-answer.ts';
import { callRecord } from './call-record.ts';
import { prover } from './evidence.ts';
import { findPlace, type Surroundings } from './find-place.ts';
import { matrixAnswer } from './matrix-answer.ts';
import { readPort, splitPort, type WantedPort } from './read-words.ts';
import type { Place, Target } from './target.ts';

export interface ReachFlags extends AnswerFlags, ConfigFlags, SharedFlags {
  /** absolute */
  readonly root: string;
  readonly platform?: string;
  /** none, one or both ends, as typed */
  readonly ends: readonly string[];
  readonly ports: readonly string[];
  readonly namespace?: string;
  readonly tenant?: string;
  readonly tenants: boolean;
  readonly podCidrs: readonly string[];
  /** whether a call that may not pass is exit code 1 */
  readonly exitCode: boolean;
}

/** Says who can reach whom, by which policy. @returns the exit code */
export async function runReach(flags: ReachFlags, context: CliContext): Promise<number> {
  const { io } = context;
  const talk = progress(io, flags);
  const podAddresses = podRanges(flags.podCidrs);
  let planned: PlannedPackage;
  try {
    planned = await planPackage({ ...flags, tenants: [] }, io, talk);
  } finally {
    talk.clear();
  }
  const atlas = atlasOf(planned, podAddresses, packageWords(io.cwd, flags));
  if (flags.quiet !== true) for (const line of notes(planned)) io.stderr.write(`note: ${visible(line)}\n`);
  const style = packageStyle(planned, io, flags);
  const tenant = flags.tenant === undefined ? undefined : selectTenants(planned.plan, [flags.tenant]).tenants[0];
  const around: Surroundings = {
    ...(flags.namespace !== undefined && { namespace: flags.namespace }),
    ...(tenant !== undefined && { tenant: tenantId(tenant) }),
  };
  const [from, to] = flags.ends;
  if (from === undefined || to === undefined) {
    if (flags.ports.length > 0)
      throw new TenantplaneError('usage', '--port is of a call with two ends.', { hint: 'Name both: reach A B --port 8080.' });
    if (flags.exitCode)
      throw new TenantplaneError('usage', '--exit-code is of a call with two ends.', { hint: 'Name both: reach A B --exit-code.' });
    const whose = from === undefined ? undefined : findPlace(from, atlas, around);
    printAnswer(
      matrixAnswer(atlas, {
        ...(whose !== undefined && { from: whose }),
        ...(around.tenant !== undefined && { tenant: around.tenant }),
        tenants: flags.tenants,
      }),
      flags,
      style,
      io,
    );
    return EXIT.done;
  }
  const asked = askedCalls([from, to], flags, atlas, around);
  const answer = await printPlaced(planned, style, (placed) => {
    const prove = prover(planned, atlas.world.policiesIn, placed);
    return callAnswer({ from: asked.from.name, to: asked.to.name, records: asked.calls.map((each) => callRecord(each, atlas, prove)) });
  });
  printAnswer(answer, flags, style, io);
  const passes = asked.calls.every(({ verdict }) => verdict === 'Admits' || verdict === 'NotSelected');
  return flags.exitCode && !passes ? EXIT.findings : EXIT.done;
}

/** What is easily overlooked: answers are about what would be rendered, not about what is there. */
function notes({ plan }: PlannedPackage): string[] {
  const stop = plan.findings.find(({ severity }) => severity === 'error');
  return [
    ...(plan.stopped ? [`the render stops, so nothing of this is written: ${stop?.message ?? ''}`] : []),
    ...plan.tenants.flatMap((tenant) =>
      tenant.frozen === undefined ? [] : [`tenant ${tenantId(tenant)} is frozen, so its tree is taken as it stands: ${tenant.frozen}`],
    ),
  ];
}

function podRanges(texts: readonly string[]): AddressSet | undefined {
  if (texts.length === 0) return undefined;
  return addresses(
    texts.map((text) => {
      const cidr = parseCidr(text);
      if (cidr === undefined)
        throw new TenantplaneError('usage', `--pod-cidr is ${text}, which is no range.`, { hint: 'Write it as 10.244.0.0/16.' });
      return cidr;
    }),
  );
}

function askedCalls(
  words: readonly [string, string],
  flags: ReachFlags,
  atlas: Atlas,
  around: Surroundings,
): { readonly from: Place; readonly to: Place; readonly calls: readonly Call[] } {
  const target = splitPort(words[1]);
  const from = findPlace(words[0], atlas, around);
  const [first] = from.targets;
  // A name alone is meant where the caller is: its tenant, then its namespace.
  const whose = around.tenant ?? first?.tenant;
  const workload = atlas.world.workloads.find(({ end }) => end === first?.end);
  const near = workload?.virtualNamespace;
  const to = findPlace(target.end, atlas, {
    ...around,
    ...(whose !== undefined && { tenant: whose }),
    ...(near !== undefined && { near }),
  });
  const ports = [...flags.ports.map(readPort), ...(target.port === undefined ? [] : [target.port])];
  const calls = from.targets.flatMap((source) =>
    to.targets.flatMap((destination) => portsOf(destination, ports).map((port) => call(atlas.world, source, destination, port))),
  );
  if (calls.length === 0) throw noPort(to, ports);
  return { from, to, calls };
}

function portsOf(target: Target, wanted: readonly WantedPort[]): readonly CallPort[] {
  return wanted.length === 0 ? target.ports : wanted.flatMap((port) => target.meant(port));
}

function noPort(to: Place, wanted: readonly WantedPort[]): TenantplaneError {
  const declared = [
    ...new Set(
      to.targets.flatMap(({ ports }) => ports.flatMap(({ protocol, port }) => (port === undefined ? [] : [`${port}/${protocol}`]))),
    ),
  ];
  return new TenantplaneError('usage', `${to.name} has no port ${wanted.map(({ port }) => port).join(', ') || 'that leads to its pods'}.`, {
    hint: declared.length === 0 ? 'Give a number: --port 8080.' : `It declares ${declared.join(', ')}.`,
  });
}
