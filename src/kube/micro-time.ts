/** Kubernetes' MicroTime: six digits, of which a millisecond clock knows three. */
export function microTime(wall: number): string {
  return new Date(wall).toISOString().replace('Z', '000Z');
}
