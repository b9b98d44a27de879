/**
 * Checks of the data before any fit: one check per file, one table. An estimate, a create and a batch return the same
 * findings.
 */
import type { Finding, Trials } from '../types.ts';
import { loudArtefacts } from './artefacts.ts';
import { augmentedCopies } from './augmented-copies.ts';
import { dependentChannels } from './dependent-channels.ts';
import { doubledChannels } from './doubled-channels.ts';
import { doubledTrials } from './doubled-trials.ts';
import { flatChannels } from './flat-channels.ts';
import { dropouts, flatTrials } from './flat-trials.ts';
import { labelOrder } from './label-order.ts';
import { lowRate } from './low-rate.ts';
import { likelyRate, lineNoise } from './mains.ts';
import { offsets } from './offsets.ts';
import { overlappingTrials } from './overlapping-trials.ts';
import { heldOutSessions, sessionsAndClasses } from './sessions.ts';
import { statisticsOf } from './statistics.ts';
import type { Check, Checked } from './types.ts';
import { enoughLeft } from './trials-left.ts';
import { likelyUnits } from './units.ts';

/** Checks of predictions, whose channels are those of the model and whose trials may arrive one at a time. */
const prediction: Readonly<Record<string, Check>> = {
  low_rate: lowRate,
  flat_trials: flatTrials,
  units: likelyUnits,
  rate: likelyRate,
  flat_channels: flatChannels,
  dropouts,
  offsets,
  line_noise: lineNoise,
};

/** Checks in the order of their warnings: those that affect all results first. */
const training: Readonly<Record<string, Check>> = {
  low_rate: lowRate,
  flat_trials: flatTrials,
  artefacts: loudArtefacts,
  units: likelyUnits,
  rate: likelyRate,
  flat_channels: flatChannels,
  dropouts,
  doubled_channels: doubledChannels,
  doubled_trials: doubledTrials,
  augmented_copies: augmentedCopies,
  overlapping_trials: overlappingTrials,
  label_order: labelOrder,
  held_out_sessions: heldOutSessions,
  sessions_and_classes: sessionsAndClasses,
  offsets,
  rank: dependentChannels,
  line_noise: lineNoise,
};

/**
 * All findings in trials as sent; without labels, the findings of a prediction. No finding proposes to leave out trials
 * if a class would have too few left.
 */
export function checkTrials(checked: Checked): Finding[] {
  const statistics = statisticsOf(checked.trials);
  return Object.entries(checked.labels ? training : prediction).flatMap(([check, find]) => {
    const found = find(checked, statistics);
    const fails = checked.whole && found?.remove && !enoughLeft(checked, found.remove.trials);
    return found ? [{ check, ...found, ...(fails && { remove: null }) }] : [];
  });
}

/** Names of the checks, as in `Finding.check`. */
export const checksOfTrials: readonly string[] = Object.keys({ ...prediction, ...training });

/** Standard deviation of the median channel, microvolts. */
export const scaleOf = (trials: Trials): number => statisticsOf(trials).typical;

export { deadTrials, silentChannels } from './dead-trials.ts';
export { linksIn } from './links-in.ts';
export type { Checked } from './types.ts';
