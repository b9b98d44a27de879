import { readWeightsSet } from '../../ml/encoders/ids.ts';
import { movementId, usedSites } from '../../ml/encoders/movement/index.ts';
import type { SignalShape, Trials } from '../../ml/types.ts';
import { requestSentence } from './request-sentences.ts';

type Placed = Pick<SignalShape, 'channelNames' | 'positions'>;

const placesOf = (shape: Placed): string => JSON.stringify(usedSites(shape));

/**
 * Trials whose sent positions put the electrodes of the movement network elsewhere than in the fit get the fit's
 * positions: the network was recentred on those electrodes, and features of others cannot be compared with them.
 * `fitted`: channels as those of the trials, in the same order. Also returns a warning if positions were replaced.
 */
export function atFittedSites(
  trials: Trials,
  { shape: fitted, featureSets }: { readonly shape: Placed; readonly featureSets: readonly string[] },
): { readonly trials: Trials; readonly notes: readonly string[] } {
  const reads = featureSets.some((set) => {
    const read = readWeightsSet(set);
    return read?.id === movementId && read.name === 'bank';
  });
  if (!reads || !trials.positions || placesOf(trials) === placesOf(fitted)) return { trials, notes: [] };
  const { positions: _, ...rest } = trials;
  return {
    trials: fitted.positions ? { ...rest, positions: fitted.positions } : rest,
    notes: [requestSentence('positions_not_used', {})],
  };
}
