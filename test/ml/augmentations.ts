import { createRandom } from '../../ml/random.ts';
import type { Random } from '../../ml/random.ts';
import { bandpassSos, sosfiltfilt } from '../../ml/signal/index.ts';
import type { Trials } from '../../ml/types.ts';

/** Ways to make further trials from trials that are no new trials. */

/** Standard normal deviates (Box & Muller 1958). */
export const gaussian = (random: Random) => (): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Filter coefficients of Kellet's pink noise: pole, gain. */
const poles = [
  [0.99886, 0.0555179],
  [0.99332, 0.0750759],
  [0.969, 0.153852],
  [0.8665, 0.3104856],
  [0.55, 0.5329522],
] as const;

/** Independent trials of pink noise on every channel, microvolts. */
export function pinkTrials(
  random: Random,
  { trials = 60, channels = 6, samples = 256, rateHz = 128 }: Partial<Trials> = {},
): Trials {
  const normal = gaussian(random);
  const data = new Float32Array(trials * channels * samples);
  for (let row = 0; row < trials * channels; row += 1) {
    const state = poles.map(([pole, gain]) => (gain * normal()) / Math.sqrt(1 - pole ** 2));
    for (let i = 0; i < samples; i += 1) {
      const white = normal();
      let sum = 0.5362 * white;
      poles.forEach(([pole, gain], k) => (sum += state[k] = pole * state[k]! + gain * white));
      data[row * samples + i] = 10 * sum;
    }
  }
  const names = ['C3', 'Cz', 'C4', 'CPz', 'FC3', 'FC4', 'CP3', 'CP4', 'Fz', 'Pz'];
  return { data, trials, channels, samples, rateHz, sourceRateHz: rateHz, channelNames: names.slice(0, channels) };
}

/** Applies `change` to every channel of every trial. */
export function eachRow(trials: Trials, change: (row: Float32Array) => ArrayLike<number>): Trials {
  const { data, samples } = trials;
  const out = new Float32Array(data.length);
  for (let at = 0; at < data.length; at += samples)
    out.set(Float32Array.from(change(data.subarray(at, at + samples))), at);
  return { ...trials, data: out };
}

const sizeOf = (row: Float32Array): number => Math.sqrt(row.reduce((sum, v) => sum + v * v, 0) / row.length);

const between = (row: Float32Array, at: number): number => {
  const i = Math.max(0, Math.min(row.length - 2, Math.floor(at)));
  return row[i]! + Math.max(0, Math.min(1, at - i)) * (row[i + 1]! - row[i]!);
};

const withNoise =
  (share: number) =>
  (trials: Trials, random: Random): Trials => {
    const normal = gaussian(random);
    return eachRow(trials, (row) => {
      const size = share * sizeOf(row);
      return row.map((value) => value + size * normal());
    });
  };

const perTrial = ({ channels, samples }: Trials): number => channels * samples;

/** A way to alter trials; trial i of the result comes from trial i. */
export type Augmentation = (trials: Trials, random: Random) => Trials;

export const augmentations: Readonly<Record<string, Augmentation>> = {
  'noise of 30 %': withNoise(0.3),
  'noise of 100 %': withNoise(1),
  'the sign flipped': (trials) => eachRow(trials, (row) => row.map((value) => -value)),
  'reversed in time': (trials) => eachRow(trials, (row) => row.toReversed()),
  'band-passed 2–30 Hz': (trials) => ({
    ...trials,
    data: Float32Array.from(
      sosfiltfilt(bandpassSos(2, 30, 4, trials.rateHz), trials.data, trials.trials * trials.channels, trials.samples),
    ),
  }),
  'average-referenced': (trials) => {
    const { channels, samples } = trials;
    const data = trials.data.slice();
    for (let t = 0; t < trials.trials; t += 1)
      for (let i = 0; i < samples; i += 1) {
        const at = (c: number): number => (t * channels + c) * samples + i;
        let mean = 0;
        for (let c = 0; c < channels; c += 1) mean += trials.data[at(c)]! / channels;
        for (let c = 0; c < channels; c += 1) data[at(c)]! -= mean;
      }
    return { ...trials, data };
  },
  'shifted by up to 50 ms': (trials, random) => {
    const { channels, rateHz } = trials;
    let row = 0;
    let shift = 0;
    return eachRow(trials, (values) => {
      if (row++ % channels === 0) shift = (random() - 0.5) * 0.1 * rateHz;
      return values.map((_, i) => between(values, i + shift));
    });
  },
  'stretched by 5 %': (trials) => eachRow(trials, (row) => row.map((_, i) => between(row, i * 0.95))),
  'shortened by 5 %': (trials) => eachRow(trials, (row) => row.map((_, i) => between(row, i * 1.05))),
  'mixed 70 to 30 with another trial': (trials) => ({
    ...trials,
    data: trials.data.map((value, i) => 0.7 * value + 0.3 * trials.data[(i + perTrial(trials)) % trials.data.length]!),
  }),
  'mixed half and half with its neighbour': (trials) => ({
    ...trials,
    data: trials.data.map((value, i) => {
      const [t, rest] = [Math.floor(i / perTrial(trials)), i % perTrial(trials)];
      return 0.5 * value + 0.5 * trials.data[(t ^ 1) * perTrial(trials) + rest]!;
    }),
  }),
};

/** Trials one after another. */
export const joinTrials = (...parts: readonly Trials[]): Trials => ({
  ...parts[0]!,
  trials: parts.reduce((sum, { trials }) => sum + trials, 0),
  data: Float32Array.from(parts.flatMap(({ data }) => [...data])),
});

export const seeded = (run: number): Random => createRandom(1000 + run);
