import { InvalidArgumentError } from 'commander';
import { DURATION, durationOf } from '../reconciler/duration.ts';

/** Milliseconds of a flag that is a duration. @throws InvalidArgumentError */
export function timeoutOf(text: string): number {
  const duration = durationOf(text);
  if (duration === undefined) throw new InvalidArgumentError(`It must be ${DURATION}.`);
  return duration;
}
