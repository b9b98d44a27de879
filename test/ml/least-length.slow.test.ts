import { expect, it } from 'vitest';
import { matmul } from '../../ml/linalg/index.ts';
import { matrixOf } from '../../ml/matrix.ts';
import { createRandom } from '../../ml/random.ts';
import { predictTrials, trainClassifier } from '../../ml/train/index.ts';
import type { Trials } from '../../ml/types.ts';
import { gaussian, pinkTrials } from './augmentations.ts';

const channels = 64;

/** One mixture of sources for all recordings [channels × channels]. */
const mixing = (() => {
  const normal = gaussian(createRandom(99));
  const own = Float64Array.from({ length: channels ** 2 }, (_, i) => 0.15 * normal() + (i % (channels + 1) ? 0 : 1));
  return matrixOf(own, channels);
})();

/** Trials of pink noise in 64 channels. The classes differ only in which two of four sources are 2.5 times as large. */
function covariances(seed: number, count: number, samples: number): { trials: Trials; labels: string[] } {
  const random = createRandom(seed);
  const trials = pinkTrials(random, { trials: count, channels, samples, rateHz: 256 });
  const size = channels * samples;
  const labels = Array.from({ length: count }, (_, t) => {
    const own = random() < 0.5 ? 0 : 1;
    const trial = trials.data.subarray(t * size, (t + 1) * size);
    for (let c = own; c < 4; c += 2) for (let i = 0; i < samples; i += 1) trial[c * samples + i]! *= 2.5;
    trial.set(matmul(mixing, matrixOf(Float64Array.from(trial), samples)).data);
    return `class ${own}`;
  });
  return { trials: { ...trials, channelNames: Array.from({ length: channels }, (_, i) => `E${i + 1}`) }, labels };
}

it.each([
  [0.1, 26, 0.8],
  [0.375, 96, 0.95],
])('trials of %d s with 64 channels are told apart by their covariances', (_, samples, least) => {
  const { trials, labels } = covariances(1, 48, samples);
  const { model } = trainClassifier(trials, labels, null);
  const fresh = covariances(2, 200, samples);
  const given = predictTrials(model, fresh.trials, { align: 'none' });
  const [first, second] = model.classes;
  const right = fresh.labels.filter((label, t) => label === (given[2 * t]! > given[2 * t + 1]! ? first : second));
  expect(right.length / 200).toBeGreaterThanOrEqual(least);
});
