import { expect, it } from 'vitest';
import { hiddenSessions } from '../../ml/evidence/hidden-sessions.ts';
import { foldPlan } from '../../ml/evidence/folds.ts';
import { heldOutWarnings } from '../../ml/checks/held-out.ts';
import { checkTrials } from '../../ml/checks/index.ts';
import { fingerprintsOf } from '../../ml/signal/index.ts';
import { trainingData } from '../../ml/train/index.ts';
import { createRandom } from '../../ml/random.ts';
import { listRecordings, readRecording, recordingsMissing } from '../support/recordings.ts';
import { pinkTrials, seeded } from './augmentations.ts';
import { pooledPeople } from './fooled.ts';

const numbers = (labels: readonly string[]): Int32Array => {
  const names = [...new Set(labels)].sort();
  return Int32Array.from(labels, (label) => names.indexOf(label));
};

const short = { classes: 2, seconds: 1 };

it('people that are sent as one recording are found at their borders', () => {
  const { trials, labels } = pooledPeople(createRandom(3));
  const own = numbers(labels);
  const found = hiddenSessions(fingerprintsOf(trials).levels, own, short)!;
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
  expect(hiddenSessions(fingerprintsOf(trials).levels, inTurn, short)).toBeNull();
  for (let run = 0; run < 20; run += 1) {
    const random = seeded(run);
    const labels = Int32Array.from({ length: 60 }, () => Math.floor(2 * random()));
    expect(hiddenSessions(fingerprintsOf(pinkTrials(random, { samples: 128 })).levels, labels, short)).toBeNull();
  }
});

it.each([
  ['motor', 1, true],
  ['sleep', 10, true],
  ['sleep', 30, false],
  ['other', 30, false],
] as const)('the checks and the fit find the same: %s, trials of %i s', (kind, seconds, isFound) => {
  const { trials, labels } = pooledPeople(createRandom(3));
  // The same samples, as a slower recording.
  const slow = { ...trials, rateHz: trials.samples / seconds, sourceRateHz: trials.samples / seconds };
  const features = { trials: trials.trials, shape: slow, sets: {}, versions: {} };
  const fingerprints = fingerprintsOf(trials);
  const { levels } = fingerprints;
  const data = trainingData(features, labels, null, { kind, levels });
  expect(data.foundSessions !== undefined).toBe(isFound);
  const check = heldOutWarnings({ trials: { ...slow, fingerprints }, labels, whole: true });
  expect(check.join(' ').includes('Hidden sessions: ')).toBe(isFound);
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
      const form = { classes: new Set(labels).size, seconds: samples / rateHz };
      return [name, hiddenSessions(levels, numbers(labels.slice(0, trials)), form)?.starts ?? null];
    });
    expect(found).toEqual(real.map((name) => [name, null]));
  },
);
