/** Who can reach whom: groups of endpoints, and for each ordered pair what the policies say. */
export interface ReachModel {
  readonly groups: readonly string[];
  readonly pairs: readonly ReachPair[];
}

export interface ReachPair {
  readonly from: string;
  readonly to: string;
  readonly verdict: 'open' | 'partly' | 'closed' | 'unknown';
  /** which policies let it or stop it */
  readonly because: string;
}
