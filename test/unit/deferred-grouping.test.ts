import { describe, expect, it } from 'vitest';
import { extractInParts } from '../../activities/compute/extract-in-parts.ts';
import { tasks } from '../../activities/compute/tasks.ts';
import { notesOf } from '../../api/use-cases/batch-notes.ts';
import { planFit } from '../../api/intake/plan-fit.ts';
import { encode } from '../../infra/drivers/codec.ts';
import { extractFeatures } from '../../ml/features/index.ts';
import { takeRows } from '../../ml/rows.ts';
import type { Features, Trials } from '../../ml/types.ts';
import type { StoredBatch } from '../../infra/contract/fit-request.ts';
import { simulated } from '../ml/simulated.ts';
import { computeHere, mergedHere, storedBatch } from '../support/stored-batches.ts';

const { trials, labels } = simulated({ count: 10, channels: 3, samples: 512 });
const sets = ['cov/8-32'];
type Batch = Partial<Omit<StoredBatch, 'features'>> & { readonly features?: Features };
/** The data of the fit of these batches. */
const merged = (...batches: readonly Batch[]) => {
  const objects = new Map<string, Uint8Array>();
  const names = batches.map((_, at) => `batch ${at}`);
  for (const [at, { features = extractFeatures(trials, sets), ...rest }] of batches.entries())
    for (const [name, bytes] of storedBatch(names[at]!, features, { labels, sessions: null, ...rest }, 4))
      objects.set(name, bytes);
  return mergedHere(objects, names, sets);
};
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
  it('keeps recordings of one name together over batches; a batch without names counts by its sessions', async () => {
    const name = (value: string) => labels.map(() => value);
    const data = await merged({ recordings: name('a') }, { recordings: name('b') }, { recordings: name('a') });
    const recordings = data.training.recordings!;
    expect([recordings[0], recordings[10], recordings[20]]).toEqual([0, 1, 0]);
    expect(data.training.sessions).toBeNull();
    const mixed = await merged({ recordings: name('a') }, { sessions: name('monday') });
    expect(new Set(mixed.training.recordings).size).toBe(2);
    expect((await merged({}, {})).training.recordings).toBeUndefined();
  });

  it('has the trials of all parts of all batches in their order, without flat ones', async () => {
    const whole = extractFeatures(trials, sets);
    const { features, labels: indices } = (await merged({ flat: [0, 5] }, {})).training;
    expect(features.trials).toBe(18);
    const rows = [1, 2, 3, 4, 6, 7, 8, 9, ...labels.keys()];
    expect(features.sets['cov/8-32']).toEqual(takeRows(whole.sets['cov/8-32']!, 6, rows));
    expect([...indices]).toEqual(rows.map((row) => Number(labels[row] !== [...labels].sort()[0])));
  });

  it('warns of trials that are in two batches, also with another label, and ignores flat ones', async () => {
    const other = { ...trials, data: trials.data.map((value) => -3 * value) };
    const away = { features: extractFeatures({ ...other, data: other.data.toReversed() }, sets) };
    const warnings = async (...batches: Batch[]) => (await merged(...batches)).warnings?.join(' ');
    expect(await warnings({}, away)).toBe('');
    expect(await warnings({}, away, {})).toMatch(
      /^Doubled trials: trial 0 of batch 3 = trial 0 of batch 1, .* and 6 more hold the same signal/,
    );
    expect(await warnings({}, { labels: labels.toReversed() })).toMatch(/\d+ of these pairs have two different labels/);
    const zeros = { ...trials, data: trials.data.map((value, at) => (at < 3 * 512 ? 0 : value)) };
    const louder = { ...zeros, data: zeros.data.map((value) => 2 * value) };
    const withFlat = (of: Trials): Batch => ({ features: extractFeatures(of, sets), flat: [0] });
    expect(await warnings(withFlat(zeros), withFlat(louder))).toBe('');
  });

  it('an immediate create carries them as well', async () => {
    const { signal } = new AbortController();
    const recordings = labels.map((_, i) => `r${i % 2}`);
    const staged = encode({ format: 2, trials, labels, sessions: null, recordings });
    const data = await extractInParts(computeHere, 2, staged, { featureSets: sets, taskKind: 'other' }, signal);
    expect(data.training.features).toEqual(extractFeatures(trials, sets));
    expect([...data.training.recordings!.subarray(0, 4)]).toEqual([0, 1, 0, 1]);
    expect(tasks.open({ bytes: tasks.pack({ data }) })).toEqual(data);
  });

  it('is planned from the facts of all batches: sessions, recordings, missing channels, and the sets of the first one', () => {
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

  it('tries only methods whose features every batch has, and names the missing ones', () => {
    const plan = planFit({ ...input, sessions: 2, missingChannels: 'nearest', stored: sets });
    expect(plan.featureSets).toEqual(sets);
    expect(plan.candidates.map(({ id }) => id)).toContain('tangent-logistic-recentred');
    expect(plan.skipped.find(({ id }) => id === 'log-power-logistic')!.reason).toMatch(/first batch \(logpower\)/);
    expect(planFit({ ...input, sessions: 1, missingChannels: 'nearest' }).candidates.length).toBeGreaterThan(
      plan.candidates.length,
    );
  });
});
