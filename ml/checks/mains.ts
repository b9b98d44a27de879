import { welchOf } from '../signal/index.ts';
import type { Trials } from '../types.ts';
import { told, type Check, type Checked } from './types.ts';

/** Rows (trials × channels) of training trials that are looked at: enough to see the mains, few enough to cost nothing. */
const looked = 160;
/** Of a prediction, which is to take milliseconds: the most channels, spread over the list, and the most trials. */
const [fewChannels, fewTrials] = [8, 3];
/**
 * A line this many times above its neighbourhood is mains noise; at an odd place, and this strong, it speaks of a wrong
 * rate.
 */
const lineRatio = 10;
const oddRatio = 60;
const mainsHz = [50, 60] as const;
/** Where the mains would show if the true rate were half or twice the declared one. */
const oddHz = [25, 30, 100, 120] as const;

interface MeanSpectrum {
  readonly power: Float64Array;
  readonly binHz: number;
}

const known = new WeakMap<Trials, MeanSpectrum | null>();
/** The spectrum of trials, taken once for all checks. */
function spectrumOf({ trials, labels }: Checked): MeanSpectrum | null {
  const spectrum = known.get(trials) ?? meanSpectrum(labels ? trials : someOf(trials));
  known.set(trials, spectrum);
  return spectrum;
}

/** Every n-th of `count` things, at most `most` of them. */
const spread = (count: number, most: number): number[] =>
  Array.from({ length: Math.min(count, most) }, (_, k) => Math.floor((k * count) / Math.min(count, most)));

/** A few trials of a few channels. */
function someOf(trials: Trials): Spectral {
  const { data, samples, rateHz } = trials;
  const rows = spread(trials.trials, fewTrials).flatMap((t) =>
    spread(trials.channels, fewChannels).map((c) => t * trials.channels + c),
  );
  const some = new Float32Array(rows.length * samples);
  rows.forEach((row, at) => some.set(data.subarray(row * samples, (row + 1) * samples), at * samples));
  const count = Math.min(trials.trials, fewTrials);
  return { data: some, trials: count, channels: rows.length / count, samples, rateHz };
}

type Spectral = Pick<Trials, 'data' | 'trials' | 'channels' | 'samples' | 'rateHz'>;

/** Median over channels of the mean spectrum over some trials; null where a trial is too short for bins of 2 Hz. */
function meanSpectrum({ data, trials, channels, samples, rateHz }: Spectral): MeanSpectrum | null {
  const segment = Math.min(samples, Math.round(rateHz));
  if (segment < rateHz / 2) return null;
  const used = Math.min(trials, Math.max(3, Math.floor(looked / channels)));
  const bins = (segment >> 1) + 1;
  const sums = new Float64Array(channels * bins);
  for (let k = 0; k < used; k += 1) {
    const t = Math.floor((k * trials) / used);
    const { power } = welchOf(
      data.subarray(t * channels * samples, (t + 1) * channels * samples),
      channels,
      samples,
      rateHz,
      { segment, window: 'hann' },
    );
    for (let i = 0; i < sums.length; i += 1) sums[i] += power[i] / used;
  }
  return { power: mediansOf(sums, channels, bins), binHz: rateHz / segment };
}

/** Median over the channels of each bin of `table` [channels × bins]. */
function mediansOf(table: Float64Array, channels: number, bins: number): Float64Array {
  const power = new Float64Array(bins);
  const values = new Float64Array(channels);
  for (let b = 0; b < bins; b += 1) {
    for (let c = 0; c < channels; c += 1) values[c] = table[c * bins + b];
    power[b] = upperMedian(values, channels);
  }
  return power;
}

/** Lists up to this length are sorted in place, without the price of a call. */
const short = 24;

/** The middle one of the first `count` values, of two the upper; reorders them. */
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
 * How far the spectrum at a frequency stands above its neighbourhood of 3 to 8 Hz on both sides; 0 beyond the spectrum.
 */
function ratioAt({ power, binHz }: MeanSpectrum, hz: number, topHz: number): number {
  if (hz + 8 > topHz) return 0;
  let peak = 0;
  const first = Math.max(0, Math.ceil((hz - 8) / binHz) - 1);
  const last = Math.min(power.length - 1, Math.floor((hz + 8) / binHz) + 1);
  const around = new Float64Array(last - first + 1);
  let count = 0;
  for (let b = first; b <= last; b += 1) {
    const away = Math.abs(b * binHz - hz);
    if (away <= 1.01) peak = Math.max(peak, power[b]);
    else if (away >= 3 && away <= 8) around[count++] = power[b];
  }
  return peak / Math.max(1e-12, count > 0 ? upperMedian(around, count) : Infinity);
}

/** How strong the lines of the mains are that stand out. */
function mainsIn(checked: Checked): { readonly hz: number; readonly ratio: number }[] {
  const { trials } = checked;
  const spectrum = spectrumOf(checked);
  const topHz = Math.min(trials.rateHz, trials.sourceRateHz) / 2;
  return mainsHz
    .map((hz) => ({ hz, ratio: spectrum ? ratioAt(spectrum, hz, topHz) : 0 }))
    .filter(({ ratio }) => ratio >= lineRatio);
}

/** Noise of the mains at 50 or 60 Hz. */
export const lineNoise: Check = (checked) => {
  const found = mainsIn(checked);
  return found.length === 0
    ? null
    : told(
        found
          .map(
            ({ hz, ratio }) =>
              `Line noise: power at ${hz} Hz is ${Math.round(ratio)} times that of its neighbourhood. Methods read ` +
              `below 45 Hz; a notch filter before sending helps.`,
          )
          .join(' '),
      );
};

/** A line where the mains would stand if the rate were half or twice the declared one. */
export const likelyRate: Check = (checked) => {
  const { trials } = checked;
  const spectrum = spectrumOf(checked);
  if (!spectrum || mainsIn(checked).length > 0) return null;
  const topHz = Math.min(trials.rateHz, trials.sourceRateHz) / 2;
  const [hz] = oddHz.filter((each) => ratioAt(spectrum, each, topHz) >= oddRatio);
  if (hz === undefined) return null;
  const truth = hz < 50 ? trials.sourceRateHz * 2 : trials.sourceRateHz / 2;
  return {
    message:
      `Likely wrong rate: a line at ${hz} Hz, ${Math.round(ratioAt(spectrum, hz, topHz))} times its neighbourhood, ` +
      `would be the mains if the true rate were ${truth} Hz and not ${trials.sourceRateHz} Hz.`,
    change: { sampling_rate_hz: truth },
    remove: null,
  };
};
