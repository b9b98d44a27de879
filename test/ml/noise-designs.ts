import { shuffle } from '../../ml/random.ts';
import type { Random } from '../../ml/random.ts';
import type { Trials } from '../../ml/types.ts';

/** Labelled trials in which nothing tells the classes apart but what the design gets wrong. */
export interface NoiseTrials {
  readonly trials: Trials;
  readonly labels: string[];
  readonly sessions: string[] | null;
}

const names = ['C3', 'Cz', 'C4', 'CPz', 'FC3', 'FC4', 'CP3', 'CP4', 'Fz', 'Pz'];
const count = 40;

const gaussian = (random: Random) => (): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

interface Cut {
  readonly trials?: number;
  readonly channels?: number;
  readonly samples?: number;
  /** Samples from the beginning of one trial to that of the next. */
  readonly step?: number;
  readonly gain?: (trial: number, channel: number) => number;
}

/** Windows of one recording of noise, one after another. Microvolts at 256 Hz. */
export function windows(
  random: Random,
  { trials = count, channels = 3, samples = 96, step = samples, gain = () => 1 }: Cut = {},
): Trials {
  const normal = gaussian(random);
  const data = new Float32Array(trials * channels * samples);
  for (let c = 0; c < channels; c += 1) {
    const row = Float64Array.from({ length: (trials - 1) * step + samples }, () => 10 * normal());
    for (let t = 0; t < trials; t += 1)
      for (let i = 0; i < samples; i += 1) data[(t * channels + c) * samples + i] = gain(t, c) * row[t * step + i]!;
  }
  return {
    data,
    trials,
    channels,
    samples,
    rateHz: 256,
    sourceRateHz: 256,
    channelNames: names.slice(0, channels),
  };
}

/** Windows of half a second, long enough for nearly every method to read. */
const half = 128;

const inTurn = (trials: number, run: number): string[] =>
  Array.from({ length: trials }, (_, t) => `class ${Math.floor(t / run) % 2}`);
const inAnyOrder = (trials: number, random: Random): string[] => {
  const labels = inTurn(trials, 1);
  return shuffle([...labels.keys()], random).map((t) => labels[t]!);
};

/** Each channel's gain wanders from trial to trial: a random walk of its logarithm. */
function drift(random: Random): (trial: number, channel: number) => number {
  const normal = gaussian(random);
  const paths = names.map(() => {
    let at = 0;
    return Array.from({ length: count }, () => Math.exp((at += 0.1 * normal())));
  });
  return (trial, channel) => paths[channel]![trial]!;
}

/** Drifting noise in so many blocks, whose classes come in turn. */
export const drifting =
  (blocks: number, samples = half) =>
  (random: Random): NoiseTrials => ({
    trials: windows(random, { samples, gain: drift(random) }),
    labels: inTurn(count, count / blocks),
    sessions: null,
  });

/** Designs with windows of so many samples. */
export const designsOf = (samples: number): Readonly<Record<string, (random: Random) => NoiseTrials>> => ({
  'exchangeable trials': (random) => ({
    trials: windows(random, { samples }),
    labels: inAnyOrder(count, random),
    sessions: null,
  }),
  'two short sessions': (random) => ({
    trials: windows(random, { samples }),
    labels: inAnyOrder(count, random),
    sessions: Array.from({ length: count }, (_, t) => (2 * t < count ? 'first' : 'second')),
  }),
  'sessions of one trial': (random) => ({
    trials: windows(random, { samples }),
    labels: inAnyOrder(count, random),
    sessions: Array.from({ length: count }, (_, t) => `trial ${t}`),
  }),
  'trials that overlap by half': (random) => ({
    trials: windows(random, { samples, step: samples / 2 }),
    labels: inAnyOrder(count, random),
    sessions: null,
  }),
  'trials that overlap by half, three of a class in turn': (random) => ({
    trials: windows(random, { samples, channels: 10, step: samples / 2 }),
    labels: inTurn(count, 3),
    sessions: null,
  }),
  'every trial twice': (random) => {
    const once = windows(random, { samples, trials: count / 2 });
    const labels = inAnyOrder(count / 2, random);
    const data = Float32Array.from([...once.data, ...once.data]);
    return { trials: { ...once, trials: count, data }, labels: [...labels, ...labels], sessions: null };
  },
  'four blocks with drift': drifting(4, samples),
  'ten blocks with drift': drifting(10, samples),
});

export const designs = designsOf(half);
