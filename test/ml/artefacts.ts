import { createRandom } from '../../ml/random.ts';
import type { Trials } from '../../ml/types.ts';

export const cap = ['Fp1', 'Fp2', 'F3', 'F4', 'C3', 'Cz', 'C4', 'P3', 'P4', 'O1', 'O2'] as const;

/** How strongly an artefact or a source reaches each channel of `cap`. */
export const spread = {
  blink: [1, 1, 0.35, 0.35, 0.08, 0.1, 0.08, 0.04, 0.04, 0.02, 0.02],
  jaw: [0.6, 0.7, 0.5, 0.6, 0.9, 0.3, 1, 0.5, 0.6, 0.4, 0.4],
  hand: [0.05, 0.02, 0.3, 0.05, 1, 0.5, 0.1, 0.4, 0.05, 0.1, 0.02],
  flat: cap.map(() => 0),
} as const;

export interface Differing {
  /** Chance of a blink in a trial of each class, and what a blink is in microvolts. */
  readonly blinks?: readonly [number, number];
  /** Standard deviation of muscle noise in each class, microvolts. */
  readonly muscle?: readonly [number, number];
  /** Amplitude of a 12 Hz rhythm behind `spread.hand` in each class, microvolts. */
  readonly rhythm?: readonly [number, number];
  /** Amplitude in each class of a 10 Hz rhythm in the first half second, microvolts. */
  readonly before?: readonly [number, number];
  /** Amplitude behind `spread.hand` from 0.2 to 0.4 s in each class, microvolts. */
  readonly evoked?: readonly [number, number];
  readonly count?: number;
  readonly samples?: number;
  readonly seed?: number;
}

/**
 * Two classes in turn of brain-like noise (coloured, partly common to all channels), which differ in nothing but what
 * is asked for. Microvolts at 256 Hz.
 */
export function differing({
  blinks = [0, 0],
  muscle = [0, 0],
  rhythm = [0, 0],
  before = [0, 0],
  evoked = [0, 0],
  count = 80,
  samples = 512,
  seed = 1,
}: Differing): { trials: Trials; labels: string[] } {
  const random = createRandom(seed);
  const gauss = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const channels = cap.length;
  const data = new Float32Array(count * channels * samples);
  for (let t = 0; t < count; t += 1) {
    const own = t % 2;
    const at = (c: number): Float32Array =>
      data.subarray((t * channels + c) * samples, (t * channels + c + 1) * samples);
    const common = coloured(samples, gauss);
    const blinkAt = random() < blinks[own]! ? Math.floor(random() * samples) : -1;
    const phase = 2 * Math.PI * random();
    let last = 0;
    const tension = Float64Array.from({ length: samples }, () => {
      const now = gauss();
      const high = now - last;
      last = now;
      return muscle[own]! * high;
    });
    for (let c = 0; c < channels; c += 1) {
      const noise = coloured(samples, gauss);
      const row = at(c);
      for (let i = 0; i < samples; i += 1) {
        const seconds = i / 256;
        const blink = blinkAt < 0 ? 0 : 120 * Math.exp(-(((i - blinkAt) / 256 / 0.12) ** 2));
        const wave = Math.sin(2 * Math.PI * 12 * seconds + phase);
        const early = i < 128 ? before[own]! * Math.sin(2 * Math.PI * 10 * seconds + phase) : 0;
        const answer = seconds >= 0.2 && seconds < 0.4 ? evoked[own]! : 0;
        row[i] =
          4 * noise[i]! +
          4 * common[i]! +
          0.5 * gauss() +
          spread.blink[c]! * blink +
          spread.jaw[c]! * tension[i]! +
          spread.hand[c]! * (rhythm[own]! * wave + early + answer);
      }
    }
  }
  const trials = { data, trials: count, channels, samples, rateHz: 256, sourceRateHz: 256, channelNames: [...cap] };
  return { trials, labels: Array.from({ length: count }, (_, t) => (t % 2 ? 'right' : 'left')) };
}

/** Noise whose power falls with frequency, of standard deviation about 1. */
function coloured(samples: number, gauss: () => number): Float64Array {
  let value = gauss();
  return Float64Array.from({ length: samples }, () => (value = 0.95 * value + 0.31 * gauss()));
}
