import { createRandom } from '../../ml/random.ts';
import type { TaskKind, Trials } from '../../ml/types.ts';

/** Simulated trials in the usual form of one kind of task. */
export interface SimulatedForm {
  readonly kind: TaskKind;
  readonly channelNames: readonly string[];
  readonly seconds: number;
  readonly perClass: number;
  /** One frequency per class. Its trials contain it on one channel. */
  readonly hz: readonly number[];
  /** The classes are flicker responses at these frequencies. */
  readonly flicker?: boolean;
}

const rateHz = 256;
const noiseMicrovolts = 20;
const rhythmMicrovolts = 6;

const central = ['FC3', 'FCz', 'FC4', 'C5', 'C3', 'C1', 'Cz', 'C2', 'C4', 'C6', 'CP3', 'CPz', 'CP4'];
const parietal = ['Fz', 'Cz', 'Pz', 'P3', 'P4', 'PO7', 'PO8', 'Oz'];
const occipital = ['POz', 'PO3', 'PO4', 'O1', 'Oz', 'O2'];

/**
 * The forms that a thread is warmed up with, the most common one first. They are small, but large enough for the
 * compiler to optimise the hot code.
 */
export const simulatedForms: readonly SimulatedForm[] = [
  { kind: 'motor', channelNames: central, seconds: 2, perClass: 20, hz: [10, 12] },
  { kind: 'erp', channelNames: parietal, seconds: 1, perClass: 30, hz: [3, 5] },
  { kind: 'other', channelNames: occipital, seconds: 3, perClass: 8, hz: [8, 13], flicker: true },
  { kind: 'sleep', channelNames: ['Fpz', 'Cz', 'Pz'], seconds: 30, perClass: 8, hz: [2, 10, 14] },
];

/** White noise with a rhythm on one channel per class. Deterministic. */
export function simulate({ channelNames, seconds, perClass, hz }: SimulatedForm): { trials: Trials; labels: string[] } {
  const random = createRandom(14);
  const [channels, samples, count] = [channelNames.length, seconds * rateHz, perClass * hz.length];
  const data = new Float32Array(count * channels * samples);
  for (let i = 0; i < data.length; i += 1) data[i] = noiseMicrovolts * (random() + random() + random() - 1.5);
  for (let trial = 0; trial < count; trial += 1) {
    const of = trial % hz.length;
    const from = (trial * channels + ((of * 4) % channels)) * samples;
    const phase = 2 * Math.PI * random();
    for (let i = 0; i < samples; i += 1)
      data[from + i] += rhythmMicrovolts * Math.sin((2 * Math.PI * hz[of] * i) / rateHz + phase);
  }
  const labels = Array.from({ length: count }, (_, trial) => `class ${trial % hz.length}`);
  return { labels, trials: { data, trials: count, channels, samples, rateHz, sourceRateHz: rateHz, channelNames } };
}
