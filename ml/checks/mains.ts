import { welchOf } from '../signal/index.ts';
import type { Trials } from '../types.ts';
import { warningOf, type Check, type Checked } from './types.ts';
import { warningSentence } from '../warning-sentences.ts';

/**
 * Number of training rows (trials × channels) that are analysed: enough to detect line noise, few enough to be fast.
 */
const looked = 160;
/**
 * Limits for a prediction, which should take milliseconds: the most channels, spread over the list, and the most
 * trials.
 */
const [fewChannels, fewTrials] = [8, 3];
/**
 * A line this many times above its neighbourhood is line noise. At an unusual frequency, a line this strong indicates
 * a wrong rate.
 */
const lineRatio = 10;
const oddRatio = 60;
const mainsHz = [50, 60] as const;
/** Apparent frequencies of the mains if the true rate is half or twice the declared one. */
const oddHz = [25, 30, 100, 120] as const;

/** Mean spectrum of each channel over some trials. */
interface Spectra {
  /** [channels × bins] */
  readonly power: Float64Array;
  readonly channels: number;
  readonly binHz: number;
}

interface Line {
  readonly hz: number;
  /** Ratio to its neighbourhood. */
  readonly ratio: number;
}

interface Lines {
  /** Lines at the mains frequencies. */
  readonly mains: readonly Line[];
  /** The first line at an unusual frequency; searched only if no mains line is strong. */
  readonly odd: Line | undefined;
}

const known = new WeakMap<Trials, Lines>();
/** The lines of trials, computed once for all checks. */
function linesIn(checked: Checked): Lines {
  const { trials } = checked;
  const lines = known.get(trials) ?? findLines(checked);
  known.set(trials, lines);
  return lines;
}

function findLines({ trials, labels }: Checked): Lines {
  const spectra = meanSpectra(labels ? trials : someOf(trials));
  if (!spectra) return { mains: [], odd: undefined };
  const topHz = Math.min(trials.rateHz, trials.sourceRateHz) / 2;
  const above = (places: readonly number[], least: number): Line[] =>
    places.map((hz) => ({ hz, ratio: ratioAt(spectra, hz, topHz) })).filter(({ ratio }) => ratio >= least);
  const mains = above(mainsHz, lineRatio);
  return { mains, odd: mains.length > 0 ? undefined : above(oddHz, oddRatio)[0] };
}

/** Indices of at most `most` of `count` items, evenly spread. */
const spread = (count: number, most: number): number[] =>
  Array.from({ length: Math.min(count, most) }, (_, k) => Math.floor((k * count) / Math.min(count, most)));

/** A few trials of a few channels. */
function someOf({ data, trials, channels, samples, rateHz }: Trials): Spectral {
  const chosen = { trials: spread(trials, fewTrials), channels: spread(channels, fewChannels) };
  const form = { trials: chosen.trials.length, channels: chosen.channels.length, samples, rateHz };
  const some = new Float32Array(form.trials * form.channels * samples);
  let at = 0;
  for (const t of chosen.trials) {
    for (const c of chosen.channels) {
      const from = (t * channels + c) * samples;
      some.set(data.subarray(from, from + samples), at);
      at += samples;
    }
  }
  return { data: some, ...form };
}

type Spectral = Pick<Trials, 'data' | 'trials' | 'channels' | 'samples' | 'rateHz'>;

/** Mean spectra of some trials; null where a trial is too short for bins of 2 Hz. */
function meanSpectra({ data, trials, channels, samples, rateHz }: Spectral): Spectra | null {
  const segment = Math.min(samples, Math.round(rateHz));
  if (segment < rateHz / 2) return null;
  const used = Math.min(trials, Math.max(3, Math.floor(looked / channels)));
  const powerOf = (k: number): Float64Array => {
    const t = Math.floor((k * trials) / used);
    const trial = data.subarray(t * channels * samples, (t + 1) * channels * samples);
    return welchOf(trial, channels, samples, rateHz, { segment, window: 'hann' }).power;
  };
  const power = powerOf(0);
  if (used > 1) for (let i = 0; i < power.length; i += 1) power[i] /= used;
  for (let k = 1; k < used; k += 1) {
    const more = powerOf(k);
    for (let i = 0; i < power.length; i += 1) power[i] += more[i] / used;
  }
  return { power, channels, binHz: rateHz / segment };
}

/** Shorter lists are sorted in place, which saves a call. */
const short = 24;

/** Median of the first `count` values, the upper one of two. Reorders the values. */
function upperMedian(values: Float64Array, count: number): number {
  if (count > short) return values.subarray(0, count).sort()[count >> 1];
  for (let i = 1; i < count; i += 1) {
    const value = values[i];
    let at = i;
    for (; at > 0 && values[at - 1] > value; at -= 1) values[at] = values[at - 1];
    values[at] = value;
  }
  return values[count >> 1];
}

/**
 * Ratio of the channels' median spectrum at a frequency to that of its neighbourhood, 3 to 8 Hz on both sides; 0 beyond
 * the spectrum.
 */
function ratioAt({ power, channels, binHz }: Spectra, hz: number, topHz: number): number {
  if (hz + 8 > topHz) return 0;
  const bins = power.length / channels;
  const first = Math.max(0, Math.ceil((hz - 8) / binHz) - 1);
  const last = Math.min(bins - 1, Math.floor((hz + 8) / binHz) + 1);
  const values = new Float64Array(channels);
  const around = new Float64Array(last - first + 1);
  let peak = 0;
  let count = 0;
  for (let b = first; b <= last; b += 1) {
    const away = Math.abs(b * binHz - hz);
    if (away > 8 || (away > 1.01 && away < 3)) continue;
    for (let c = 0; c < channels; c += 1) values[c] = power[c * bins + b];
    const middle = upperMedian(values, channels);
    if (away <= 1.01) peak = Math.max(peak, middle);
    else around[count++] = middle;
  }
  return peak / Math.max(1e-12, count > 0 ? upperMedian(around, count) : Infinity);
}

/** Line noise at 50 or 60 Hz. */
export const lineNoise: Check = (checked) => {
  const { mains } = linesIn(checked);
  return mains.length === 0
    ? null
    : warningOf(
        mains.map(({ hz, ratio }) => warningSentence('line_noise', { line: hz, ratio: Math.round(ratio) })).join(' '),
      );
};

/** A line where line noise would appear if the rate were half or twice the declared one. */
export const likelyRate: Check = (checked) => {
  const { sourceRateHz } = checked.trials;
  const { odd } = linesIn(checked);
  if (!odd) return null;
  const { hz, ratio } = odd;
  const truth = hz < 50 ? sourceRateHz * 2 : sourceRateHz / 2;
  return {
    message: warningSentence('rate', { line: hz, ratio: Math.round(ratio), truth, rate: sourceRateHz }),
    change: { sampling_rate_hz: truth },
    remove: null,
  };
};
