import type { Statistics } from './statistics.ts';
import { told, type Check, type Checked } from './types.ts';

/** The beginning of a trial that is looked for: so many rises of the signal, over this time in all. */
const rises = 16;
const beginningSeconds = 0.1;
/** How closely the rises must agree, and how closely they agree in a rhythm, as shares of the mean rise. */
const closeness = { copy: 1e-3, rhythm: 0.1 } as const;
/** Samples that are searched at most: every trial's beginning is looked for in trials that are evenly spread. */
const searched = 400_000;

interface Overlap {
  readonly earlier: number;
  readonly later: number;
  /** Samples of the earlier trial before the later one begins. */
  readonly lag: number;
}

/** Beginnings of trials that are found within another trial, on the channel that varies most. */
function findOverlaps({ trials: { data, trials, channels, samples, rateHz } }: Checked, statistics: Statistics) {
  const { channelDeviations } = statistics;
  const channel = channelDeviations.indexOf(Math.max(...channelDeviations));
  const stride = Math.max(1, Math.round((beginningSeconds * rateHz) / rises));
  const places = samples - rises * stride;
  if (places < rises * stride) return [];
  const at = (trial: number, sample: number): number => data[(trial * channels + channel) * samples + sample];
  const rise = (trial: number, sample: number): number => at(trial, sample + stride) - at(trial, sample);
  const meanRise = (trial: number): number => {
    let sum = 0;
    for (let i = 0; i < rises; i += 1) sum += Math.abs(rise(trial, i * stride));
    return sum / rises;
  };
  const all = Array.from({ length: trials }, (_, t) => meanRise(t));
  const typical = all.reduce((a, b) => a + b, 0) / trials;
  const agrees = (later: number, earlier: number, lag: number, most: number): boolean => {
    for (let i = 0; i < rises * stride; i += stride)
      if (Math.abs(rise(later, i) - rise(earlier, lag + i)) > most) return false;
    return true;
  };
  const comesAgain = (trial: number): boolean => {
    for (let lag = (rises * stride) >> 2; lag < places; lag += 1)
      if (agrees(trial, trial, lag, closeness.rhythm * all[trial])) return true;
    return false;
  };
  const close = closeness.copy * typical;
  const beginnings = new Map<number, number[]>();
  for (let t = 0; t < trials; t += 1) {
    if (all[t] < 0.1 * typical || comesAgain(t)) continue;
    const key = Math.floor(rise(t, 0) / close);
    const held = beginnings.get(key);
    if (held) held.push(t);
    else beginnings.set(key, [t]);
  }
  const found: Overlap[] = [];
  const each = Math.max(1, Math.ceil((trials * samples) / searched));
  for (let earlier = 0; earlier < trials && found.length <= trials; earlier += each)
    for (let lag = 1; lag < places; lag += 1) {
      const key = Math.floor(rise(earlier, lag) / close);
      for (const near of [key - 1, key, key + 1])
        for (const later of beginnings.get(near) ?? [])
          if (later !== earlier && agrees(later, earlier, lag, close)) found.push({ earlier, later, lag });
    }
  return found;
}

/**
 * Trials that share a stretch of the recording (sliding windows): one of them then tests what the other taught. A mean
 * taken off each trial does not hide it; a filter run on each trial by itself may. Rhythms that repeat themselves
 * within a trial are none.
 */
export const overlappingTrials: Check = (checked, statistics) => {
  const { samples, rateHz } = checked.trials;
  const found = statistics.alive.length === 0 ? [] : findOverlaps(checked, statistics);
  if (found.length === 0) return null;
  const [{ earlier, later, lag }] = found;
  const seconds = (count: number): number => Math.round((count / rateHz) * 1000) / 1000;
  return told(
    `Overlapping trials: trial ${later} begins ${seconds(lag)} s into trial ${earlier}, which lasts ` +
      `${seconds(samples)} s${found.length > 1 ? `, and ${found.length - 1} more pairs overlap` : ''}. Held-out trials ` +
      'then repeat what the fit has seen and scores are too high: cut epochs that do not overlap, or give the trials ' +
      'of each recording one name in `sessions`, so that whole recordings are held out.',
  );
};
