import type { Log } from './log.ts';

/** Lines of one kind within `windowMs`; the rest are counted. */
const most = 5;
const windowMs = 10_000;

export interface StormGuard {
  /**
   * Whether a line of this kind may be written. In an outage each refused request would write one with its stack. Lines
   * that are left out are counted, and their number is written with the first line after the window.
   */
  admits(kind: string, log: Pick<Log, 'warn'>): boolean;
}

export function createStormGuard(now: () => number = () => performance.now()): StormGuard {
  const kinds = new Map<string, { from: number; lines: number; left: number }>();
  return {
    admits(kind, log) {
      let seen = kinds.get(kind);
      if (!seen || now() - seen.from >= windowMs) {
        if (seen && seen.left > 0)
          log.warn(
            `${seen.left} further faults ${kind} within ${windowMs / 1000} s were not written; metrics count all.`,
          );
        kinds.set(kind, (seen = { from: now(), lines: 0, left: 0 }));
      }
      seen.lines += 1;
      if (seen.lines <= most) return true;
      seen.left += 1;
      return false;
    },
  };
}
