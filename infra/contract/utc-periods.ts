/** Whole seconds from `at` to the next UTC day or month; at least 1. */
export function secondsUntilNext(period: 'day' | 'month', at: Date): number {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const next = period === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1);
  return Math.max(1, Math.ceil((next - at.getTime()) / 1000));
}
