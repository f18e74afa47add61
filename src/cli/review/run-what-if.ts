import { join } from 'node:path';
import { HOST_FOLDER } from '../../krm/package.ts';
import { TenantplaneError } from '../errors.ts';
import type { CliContext } from '../io.ts';
import { needObjects } from '../package/need-objects.ts';
import { loadPackage } from '../render/load-package.ts';
import { progress } from '../render/progress.ts';
import { resolveConfig } from '../render/render-config.ts';
import { type Edits, edited } from './edits.ts';
import { reviewSides } from './plan-sides.ts';
import { type ReviewFlags, tellReview } from './tell-review.ts';

export interface WhatIfFlags extends Omit<Edits, 'tenants'>, ReviewFlags {
  /** absolute */
  readonly root: string;
  readonly platform?: string;
  readonly config?: string;
  readonly hostVersion?: string;
}

/** What would change on the host if the configuration said something else. Nothing is written. @returns the exit code */
export async function runWhatIf(flags: WhatIfFlags, context: CliContext): Promise<number> {
  const { io } = context;
  const asked = [
    ...flags.set.map((text) => `--set ${text}`),
    ...flags.patch.map((file) => `--patch ${file}`),
    ...flags.use.map((text) => `--use ${text}`),
  ];
  if (flags.hostVersion !== undefined) asked.push(`--host-version ${flags.hostVersion}`);
  if (asked.length === 0) {
    throw new TenantplaneError('usage', 'What if what? Nothing says what to change.', {
      hint: "tenantplane what-if --set 'IsolationProfile/restricted:spec.level=sandboxed', --patch FILE, --use OLD=NEW or --host-version 1.35",
    });
  }
  const talk = progress(io, flags);
  try {
    talk.say('reading');
    const loaded = await loadPackage(flags.root, {
      tree: join(flags.root, HOST_FOLDER),
      ...(flags.platform !== undefined && { platform: flags.platform }),
      signal: io.signal,
    });
    needObjects(loaded);
    const inputs = edited(loaded.inputs, flags, io.cwd);
    const from = flags.config === undefined ? {} : { config: flags.config };
    const before = await resolveConfig(from, loaded.texts);
    const after = await resolveConfig(
      { ...from, ...(flags.hostVersion !== undefined && { hostVersion: flags.hostVersion }) },
      loaded.texts,
    );
    talk.say('planning both sides');
    const { review, tenants } = await reviewSides({
      before: { label: 'as it is', loaded, treePaths: [], config: before.render },
      after: { label: `with ${asked.join(' ')}`, loaded: { ...loaded, inputs }, treePaths: [], config: after.render },
    });
    talk.clear();
    return tellReview({ kind: 'WhatIfReport', review, tenants, root: flags.root }, flags, io);
  } finally {
    talk.clear();
  }
}
