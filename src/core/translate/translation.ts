import type { Check } from '../checks/check.ts';
import type { Subject, TenantContext } from '../plan/tenant-context.ts';
import type { Edit } from './edit.ts';

/** One step of a translation. It may set, remove, note, refuse and refer; it never throws on tenant input of any shape. */
export type Step = (edit: Edit, subject: Subject, ctx: TenantContext) => void;

/**
 * What is special about a kind: checks before, steps after the common ones (metadata, identity, labels, pod rules where the
 * kind holds a pod). A kind without a row gets the common steps alone.
 */
export interface KindTranslation {
  /** `Service`, `Deployment.apps` */
  readonly key: string;
  readonly checks?: readonly Check[];
  readonly steps?: readonly Step[];
}
