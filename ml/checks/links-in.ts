import { linksOf } from '../evidence/chains.ts';
import type { Links } from '../evidence/types.ts';
import { fingerprintsOf } from '../signal/index.ts';
import type { Trials } from '../types.ts';

const known = new WeakMap<Trials, Links | null>();

/** Trials that overlap in the recording, computed once for all checks; null if none do. */
export function linksIn(trials: Trials): Links | null {
  const links = known.has(trials)
    ? known.get(trials)!
    : linksOf([{ trials: trials.trials, fingerprints: fingerprintsOf(trials) }]);
  known.set(trials, links);
  return links;
}
