import { describe, expect, it } from 'vitest';
import { shippedWeights } from '../../infra/encoders/shipped-weights.ts';
import { headPositionOf } from '../../ml/channels/index.ts';
import { movementCard, provideMovementWeights } from '../../ml/encoders/movement/index.ts';
import { montageScores } from '../../ml/reference-fits/network-evidence.ts';
import { fitNetworkForPeople, networkModel } from '../../ml/reference-fits/network-fit.ts';
import { extractFeatures } from '../../ml/features/index.ts';
import { bankOf } from '../../ml/methods/movement/centres.ts';
import { movedBank } from '../../ml/methods/movement/moved-bank.ts';
import { range } from '../../ml/rows.ts';
import { predictFeatures, predictTrials } from '../../ml/train/index.ts';
import type { Trials } from '../../ml/types.ts';
import { handSignals } from '../support/hand-trials.ts';

const electrodesOf = (montage: string): readonly string[] =>
  movementCard.scores.find((score) => score.montage === montage)!.electrodes;
const task = {
  id: 'left-right-fist-imagined',
  kind: 'motor',
  classes: ['left_fist_imagined', 'right_fist_imagined'],
} as const;
/** Has the montages of 21 central electrodes, of 16 others, and smaller ones in full. */
const channels = [...new Set([...electrodesOf('central21'), ...electrodesOf('other16'), 'Oz'])];
const shape = { channelNames: channels, seconds: 4, sourceRateHz: 256 };
const { trials } = handSignals({ channels, trials: 6, seed: 4 });

/** The trials with other channels as noise of the same size. */
function withNoise(kept: readonly string[]): Trials {
  const other = handSignals({ channels, trials: 6, seed: 5 }).trials.data;
  const own = trials.data.slice();
  for (let t = 0; t < trials.trials; t += 1)
    channels.forEach((name, c) => {
      const from = (t * channels.length + c) * trials.samples;
      if (!kept.includes(name)) own.set(other.subarray(from, from + trials.samples), from);
    });
  return { ...trials, data: own };
}

provideMovementWeights(shippedWeights);

describe('the network without own trials', () => {
  const { model, evidence } = fitNetworkForPeople(task, shape);
  const answers = (sent: Trials, align: 'none' | 'batch' = 'none') => [...predictTrials(model, sent, { align })];

  it('takes the montage with the best score of those that the caller has in full', () => {
    const owned = movementCard.scores.filter(
      ({ head, align, electrodes }) =>
        head === 'left_right_imagined' && align === 'batch' && electrodes.every((name) => channels.includes(name)),
    );
    expect(owned.length).toBeGreaterThan(2);
    const best = Math.max(...owned.map(({ lowerBound95 }) => lowerBound95));
    expect(montageScores(task.id, channels)!.batch.lowerBound95).toBe(best);
    const largest = owned.toSorted((a, b) => b.electrodes.length - a.electrodes.length)[0]!;
    expect(evidence.network!.montage).not.toBe(largest.montage);
  });

  it.each(['none', 'batch'] as const)('reads the electrodes of that montage alone, with align %s', (align) => {
    const { read } = evidence;
    expect(read.toSorted()).toEqual([...evidence.network!.electrodes].sort());
    expect([...read, ...evidence.notRead].toSorted()).toEqual(channels.toSorted());
    expect(answers(withNoise(read), align)).toEqual(answers(trials, align));
    expect(answers(withNoise(read.slice(1)), align)).not.toEqual(answers(trials, align));
  });

  it.each(['other16', 'central8', 'central3'])('recentres a batch of n trials with %s by n / (n + 3)', (montage) => {
    const own = networkModel(task, shape, montage);
    const [set] = own.featureSets as [string];
    const features = extractFeatures(trials, [set]);
    const n = trials.trials;
    const bank = movedBank(bankOf(features, set), range(n), own.centres[set]!, {
      trust: n / (n + 3),
      otherScale: true,
    });
    const moved = { ...features, aligned: true as const, sets: { [set]: bank } };
    const expected = predictFeatures({ ...own, temperatureAlone: own.temperature }, moved, { align: 'none' });
    expect(predictFeatures(own, features, { align: 'batch' })).toEqual(expected);
  });

  it.each([
    ['none', 1],
    ['none', 6],
    ['batch', 1],
    ['batch', 2],
    ['batch', 6],
  ] as const)('answers the same at every gain of an amplifier: align %s, %i trials', (align, count) => {
    const some = { ...trials, trials: count, data: trials.data.slice(0, count * trials.channels * trials.samples) };
    const expected = answers(some, align);
    for (const gain of [0.1, 10]) {
      const own = answers({ ...some, data: some.data.map((value) => gain * value) }, align);
      own.forEach((value, i) => expect(value).toBeCloseTo(expected[i]!, 4));
    }
  });

  it('reads its electrodes by name where a prediction sends positions', () => {
    const elsewhere = channels.toReversed().map((name) => headPositionOf(name)!);
    expect(answers({ ...trials, positions: elsewhere })).toEqual(answers(trials));
  });
});
