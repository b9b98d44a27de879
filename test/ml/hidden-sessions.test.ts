import { expect, it } from 'vitest';
import { hiddenSessions } from '../../ml/evidence/hidden-sessions.ts';
import { foldPlan } from '../../ml/evidence/folds.ts';
import { checkTrials } from '../../ml/checks/index.ts';
import { fingerprintsOf } from '../../ml/signal/index.ts';
import { createRandom } from '../../ml/random.ts';
import { listRecordings, readRecording, recordingsMissing } from '../support/recordings.ts';
import { pinkTrials, seeded } from './augmentations.ts';
import { pooledPeople } from './fooled.ts';

const numbers = (labels: readonly string[]): Int32Array => {
  const names = [...new Set(labels)].sort();
  return Int32Array.from(labels, (label) => names.indexOf(label));
};

it('people that are sent as one recording are found at their borders', () => {
  const { trials, labels } = pooledPeople(createRandom(3));
  const own = numbers(labels);
  const found = hiddenSessions(fingerprintsOf(trials).levels, own, 2)!;
  expect(found.starts).toEqual([0, 10, 20, 30, 40, 50]);
  const data = { labels: own, classes: ['a', 'b'], sessions: found.of, foundSessions: found.starts };
  const plan = foldPlan(data, 6);
  expect([plan.validation, plan.folds[0]!.test.length]).toEqual(['sessions', 10]);
  expect(plan.warnings.join(' ')).toMatch(/changes at trial 10, 20, 30, 40, 50, and the 6 parts have different shares/);
  const warned = checkTrials({ trials, labels, sessions: null, whole: true }).find(
    ({ check }) => check === 'label_order',
  );
  expect(warned?.message).toMatch(/Hidden sessions: /);
});

it('nothing is found where the classes have the same shares in all parts, or nothing changes', () => {
  const { trials } = pooledPeople(createRandom(4));
  const inTurn = Int32Array.from({ length: 60 }, (_, t) => t % 2);
  expect(hiddenSessions(fingerprintsOf(trials).levels, inTurn, 2)).toBeNull();
  for (let run = 0; run < 20; run += 1) {
    const random = seeded(run);
    const labels = Int32Array.from({ length: 60 }, () => Math.floor(2 * random()));
    expect(hiddenSessions(fingerprintsOf(pinkTrials(random, { samples: 128 })).levels, labels, 2)).toBeNull();
  }
});

const real = listRecordings();
it.skipIf(recordingsMissing(...(real.length > 0 ? real : ['eegmmidb_eyes/S001'])))(
  'no sessions are found in real recordings of one person',
  () => {
    const found = real.map((name) => {
      const { x, channels: channelNames, rateHz, trials: all, samples, labels } = readRecording(name);
      const [channels, trials] = [channelNames.length, Math.min(all, 500)];
      const data = x.subarray(0, trials * channels * samples);
      const { levels } = fingerprintsOf({ data, trials, channels, samples, rateHz, channelNames });
      return [name, hiddenSessions(levels, numbers(labels.slice(0, trials)), new Set(labels).size)?.starts ?? null];
    });
    expect(found).toEqual(real.map((name) => [name, null]));
  },
);
