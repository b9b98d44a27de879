import { describe, expect, it } from 'vitest';
import { tasks } from '../../activities/compute/tasks.ts';
import { notesOf } from '../../api/use-cases/batch-notes.ts';
import { planFit } from '../../api/threads/plan.ts';
import { encode } from '../../infra/drivers/codec.ts';
import { extractFeatures } from '../../ml/features/index.ts';
import { simulated } from '../ml/simulated.ts';

const { trials, labels } = simulated({ count: 10, channels: 3, samples: 512 });
const sets = ['cov/8-32'];
const stored = (part: object) =>
  encode({ format: 2, features: extractFeatures(trials, sets), labels, sessions: null, ...part });
const input = {
  description: 'imagined movement: left or right',
  trialsPerClass: { left: 20, right: 20 },
  channelNames: ['C3', 'Cz', 'C4'],
  sourceRateHz: 256,
  samples: 512,
  seconds: 2,
  storedFeaturesOnly: true,
};

describe('the fit of stored batches', () => {
  it('keeps recordings of one name together over batches; a batch without names counts by its sessions', () => {
    const name = (value: string) => labels.map(() => value);
    const data = tasks.merge({
      batches: [
        stored({ recordings: name('a') }),
        stored({ recordings: name('b') }),
        stored({ recordings: name('a') }),
      ],
      featureSets: sets,
    });
    const recordings = data.training.recordings!;
    expect([recordings[0], recordings[10], recordings[20]]).toEqual([0, 1, 0]);
    expect(data.training.sessions).toBeNull();
    const mixed = tasks.merge({
      batches: [stored({ recordings: name('a') }), stored({ sessions: name('monday') })],
      featureSets: sets,
    });
    expect(new Set(mixed.training.recordings).size).toBe(2);
    expect(tasks.merge({ batches: [stored({}), stored({})], featureSets: sets }).training.recordings).toBeUndefined();
  });

  it('tells of trials that two batches hold, of another label too, and of no flat ones', () => {
    const other = { ...trials, data: trials.data.map((value) => -3 * value) };
    const away = stored({ features: extractFeatures({ ...other, data: other.data.toReversed() }, sets) });
    const warnings = (...batches: Uint8Array[]) => tasks.merge({ batches, featureSets: sets }).warnings?.join(' ');
    expect(warnings(stored({}), away)).toBe('');
    expect(warnings(stored({}), away, stored({}))).toMatch(
      /^Doubled trials: trial 0 of batch 3 = trial 0 of batch 1, .* and 6 more hold the same signal/,
    );
    expect(warnings(stored({}), stored({ labels: labels.toReversed() }))).toMatch(
      /\d+ of these pairs have two different labels/,
    );
    const zeros = { ...trials, data: trials.data.map((value, at) => (at < 3 * 512 ? 0 : value)) };
    const withFlat = stored({ features: extractFeatures(zeros, sets), flat: [0] });
    expect(
      warnings(
        withFlat,
        stored({ features: extractFeatures({ ...zeros, data: zeros.data.map((v) => 2 * v) }, sets), flat: [0] }),
      ),
    ).toBe('');
  });

  it('an immediate create carries them as well', () => {
    const recordings = labels.map((_, i) => `r${i % 2}`);
    const unpacked = tasks.unpack({ staged: encode({ format: 2, trials, labels, sessions: null, recordings }) });
    const parts = [0, 1, 2].map((part) =>
      tasks.extract({ trials: unpacked.trials, featureSets: sets, part, parts: 3 }),
    );
    const data = tasks.join({ ...unpacked, parts });
    expect(parts.map((part) => part.trials)).toEqual([3, 3, 4]);
    expect(data.training.features).toEqual(extractFeatures(trials, sets));
    expect([...data.training.recordings!.subarray(0, 4)]).toEqual([0, 1, 0, 1]);
    expect(tasks.open({ bytes: tasks.pack({ data }) })).toEqual(data);
  });

  it('is planned from what all batches said: sessions, recordings, missing channels, and the sets of the first', () => {
    const notes = notesOf([
      { missingChannels: 'nearest', featureSets: sets, positions: [[0, 0, 0.1]], sessions: ['mon'] },
      { missingChannels: 'reject', sessions: ['tue', 'mon'] },
      { missingChannels: 'nearest' },
    ]);
    expect(notes).toEqual({ sessions: 3, missingChannels: 'reject', positions: [[0, 0, 0.1]], stored: sets });
    expect(notesOf([undefined])).toEqual({ sessions: 1, missingChannels: 'nearest' });
    expect(
      notesOf([
        { missingChannels: 'nearest', recordings: ['a', 'b'] },
        { missingChannels: 'nearest', recordings: ['b'] },
      ]),
    ).toMatchObject({ sessions: 1, recordings: 2 });
  });

  it('tries only methods whose features every batch holds, and says which are missing', () => {
    const plan = planFit({ ...input, sessions: 2, missingChannels: 'nearest', stored: sets });
    expect(plan.featureSets).toEqual(sets);
    expect(plan.candidates.map(({ id }) => id)).toContain('tangent-logistic-recentred');
    expect(plan.skipped.find(({ id }) => id === 'log-power-logistic')!.reason).toMatch(/first batch \(logpower\)/);
    expect(planFit({ ...input, sessions: 1, missingChannels: 'nearest' }).candidates.length).toBeGreaterThan(
      plan.candidates.length,
    );
  });
});
