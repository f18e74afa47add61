import type { CallPort, Endpoint } from './endpoint.ts';
import { type Judgement, judge, type Missing, type Verdict } from './judge.ts';
import type { World } from './world.ts';

/** One end of a call under the name that it was asked by. */
export interface Party {
  readonly name: string;
  readonly end: Endpoint;
  /** whose it is, where it is a tenant's: `team-dev/dev` */
  readonly tenant?: string;
  /** one pod, and not several of a kind */
  readonly single?: boolean;
  /** the node that a pod runs on */
  readonly node?: boolean;
}

/** Why policies do not count: packets that no policy stops (networking/v1). */
export type Always = 'self' | 'node';

export interface Call {
  readonly from: Party;
  readonly to: Party;
  readonly port: CallPort;
  /** undefined where that end is no pod, or where no policy counts */
  readonly out?: Judgement;
  readonly in?: Judgement;
  readonly always?: Always;
  /** what the policies that are rendered say, where the host enforces them */
  readonly byPolicies: Verdict;
  /** the same, with what is not known about the host */
  readonly verdict: Verdict;
  /** facts that are missing */
  readonly missing: readonly (Missing | 'enforcement')[];
}

/** Whether a call passes both ends. Replies always do. */
export function call(world: World, from: Party, to: Party, port: CallPort): Call {
  const always = alwaysOf(from, to);
  if (always !== undefined) return { from, to, port, always, byPolicies: 'Admits', verdict: 'Admits', missing: [] };
  const side = (direction: 'Egress' | 'Ingress', subject: Endpoint, other: Endpoint): Judgement | undefined =>
    subject.is === 'pod' ? judge(world.policiesIn(subject.namespace), direction, { subject, other, port }) : undefined;
  const ends = { out: side('Egress', from.end, to.end), in: side('Ingress', to.end, from.end) };
  const judged = [ends.out, ends.in].filter((end) => end !== undefined);
  const byPolicies = together(judged.filter(({ missing }) => missing !== 'otherPolicies').map(({ verdict }) => verdict));
  const missing: (Missing | 'enforcement')[] =
    byPolicies === 'DoesNotAdmit'
      ? world.enforcement === undefined
        ? ['enforcement']
        : []
      : [...new Set(judged.flatMap((end) => end.missing ?? []))];
  const verdict = world.enforcement === 'ignored' ? 'NotSelected' : missing.length > 0 ? 'Undecidable' : byPolicies;
  return {
    from,
    to,
    port,
    byPolicies,
    verdict,
    missing: world.enforcement === 'ignored' ? [] : missing,
    ...(ends.out !== undefined && { out: ends.out }),
    ...(ends.in !== undefined && { in: ends.in }),
  };
}

function alwaysOf(from: Party, to: Party): Always | undefined {
  if (from.node === true || to.node === true) return 'node';
  return from.end === to.end && from.single === true ? 'self' : undefined;
}

const WORST_FIRST: readonly Verdict[] = ['DoesNotAdmit', 'Undecidable', 'Admits'];

function together(verdicts: readonly Verdict[]): Verdict {
  return WORST_FIRST.find((verdict) => verdicts.includes(verdict)) ?? 'NotSelected';
}
