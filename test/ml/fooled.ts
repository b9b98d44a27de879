import { shuffle } from '../../ml/random.ts';
import type { Random } from '../../ml/random.ts';
import { augmentations, gaussian, joinTrials, pinkTrials, type Augmentation } from './augmentations.ts';
import { designs, drifting, type NoiseTrials } from './noise-designs.ts';
import { differing } from './artefacts.ts';

/** Known ways to make noise look like classes. Nothing in these trials tells the classes apart. */

const count = 40;

const inAnyOrder = (trials: number, random: Random): string[] =>
  shuffle(
    Array.from({ length: trials }, (_, t) => t),
    random,
  ).map((t) => `class ${t % 2}`);

const withCopies =
  (...copies: readonly Augmentation[]) =>
  (random: Random): NoiseTrials => {
    const original = pinkTrials(random, { trials: count / (1 + copies.length), samples: 128 });
    const labels = inAnyOrder(original.trials, random);
    return {
      trials: joinTrials(original, ...copies.map((augment) => augment(original, random))),
      labels: Array.from({ length: count }, (_, t) => labels[t % original.trials]!),
      sessions: null,
    };
  };

/** A copy under a label that is drawn anew. */
const underAnotherLabel = (random: Random): NoiseTrials => {
  const { trials, sessions } = withCopies(augmentations['noise of 30 %']!)(random);
  return { trials, labels: inAnyOrder(count, random), sessions };
};

export const copies: Readonly<Record<string, (random: Random) => NoiseTrials>> = {
  ...Object.fromEntries(
    Object.entries(augmentations).map(([name, augment]) => [`each trial and its copy, ${name}`, withCopies(augment)]),
  ),
  'each trial and three copies': withCopies(
    ...['noise of 100 %', 'reversed in time', 'stretched by 5 %'].map((name) => augmentations[name]!),
  ),
  'a copy under another label': underAnotherLabel,
};

/** People pooled without `sessions`: each has an own mixture of sources, and 15 or 85 % of trials of one class. */
export const pooledPeople = (random: Random): NoiseTrials => {
  const normal = gaussian(random);
  const { channels, samples, ...trials } = pinkTrials(random, { trials: 60 });
  const people = 6;
  const data = trials.data.slice();
  const labels: string[] = [];
  for (let person = 0; person < people; person += 1) {
    const mixing = Array.from({ length: channels * channels }, (_, i) =>
      i % (channels + 1) === 0 ? 1 : 0.5 * normal(),
    );
    for (let t = 10 * person; t < 10 * (person + 1); t += 1) {
      labels.push(`class ${Number(random() < (person % 2 ? 0.85 : 0.15))}`);
      for (let i = 0; i < samples; i += 1)
        for (let c = 0; c < channels; c += 1) {
          let sum = 0;
          for (let d = 0; d < channels; d += 1)
            sum += mixing[c * channels + d]! * trials.data[(t * channels + d) * samples + i]!;
          data[(t * channels + c) * samples + i] = sum;
        }
    }
  }
  return { trials: { ...trials, channels, samples, data }, labels, sessions: null };
};

/** Wide-band muscle noise in one class, at 128 Hz. */
const wideBandMuscle = (random: Random): NoiseTrials => {
  const { trials, labels } = differing({ count: 60, samples: 512, muscle: [0, 1.6], seed: Math.floor(1e9 * random()) });
  const data = trials.data.filter((_, i) => i % 2 === 0);
  return { trials: { ...trials, data, samples: 256, rateHz: 128, sourceRateHz: 128 }, labels, sessions: null };
};

/** Every known way to fool the evidence, and what the report says about it. */
export const fooling: Readonly<
  Record<string, { readonly make: (random: Random) => NoiseTrials; readonly says: RegExp }>
> = {
  ...Object.fromEntries(Object.entries(copies).map(([name, make]) => [name, { make, says: /Augmented copies: / }])),
  'six people pooled without sessions': { make: pooledPeople, says: /Hidden sessions: / },
  'wide-band muscle noise in one class, 128 Hz': { make: wideBandMuscle, says: /Muscle tension that differs/ },
  'trials that overlap by half': { make: designs['trials that overlap by half']!, says: /Overlap: / },
  'every trial twice': { make: designs['every trial twice']!, says: /The same trial twice: / },
  'two blocks with drift': { make: drifting(2), says: /come in 2 blocks/ },
  'ten blocks with drift': { make: drifting(10), says: /come in 10 blocks/ },
};
