import type { ProfileSettings } from '../../plan/settings.ts';
import type { GroupName } from './groups.ts';
import type { AdmissionOptions } from './policy-object.ts';

/** One thing that the API server is to refuse. */
export interface Rule {
  readonly id: string;
  /** the policy that it stands in: rules of one group look at the same resources and operations */
  readonly group: GroupName;
  /** what it looks at, for the table in the docs */
  readonly matches: string;
  /** the controls that it enforces, as `CompiledObject.control` spells them */
  readonly controls: readonly string[];
  /** CEL of the requests that it looks at among those of its group; all where not said */
  readonly when?: string;
  /** CEL that holds for what is admitted; undefined where the profile asks for nothing here */
  expression(profile: ProfileSettings, options: AdmissionOptions): string | undefined;
  /** what is refused, for the refused person: what is wrong, then the remedy */
  readonly message: readonly [wrong: string, remedy: string];
  /** CEL of the offending value, a string, where it helps and cannot be secret */
  readonly found?: string;
  /** CEL of what would be admitted, a string, where there is one such thing */
  wanted?(profile: ProfileSettings): string;
  /** the same for the docs */
  readonly doc: string;
}

/** A rule of the whole fleet; the profile is not asked. */
export interface SharedRule extends Omit<Rule, 'expression' | 'wanted'> {
  expression(options: AdmissionOptions): string;
}
