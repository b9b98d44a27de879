import { describe, expect, it } from 'vitest';
import { extractFeatures, featureSet, rowsOf } from '../../ml/features/index.ts';
import { mergeFeatures } from '../support/merge-features.ts';
import type { Trials } from '../../ml/types.ts';
import golden from './golden/numerics.json' with { type: 'json' };
import { relativeError, trialsOf } from './noise.ts';

/** Sets without parameters of the caller. */
const plainIds = [
  'cov/8-32',
  'cov/1-40',
  'cov/4-40',
  'fbcov',
  'acm/8-32',
  'logpower',
  'logspectrum',
  'erp/windows',
  'erp/windows/40',
  'cosines/60',
  'cosines/8-28',
  'sleep',
  'sites19/logpower',
  'laplacian/logpower',
];
const ids = [...plainIds, 'ssvep/13,17', 'cca/13,17', 'fbcca/13,17', 'fbcov/4-8,8-12'];
const trials = trialsOf(3, 4, 384, 21);

/** Trials with another row order: `trialOrder` of trials, `channelOrder` of channels, values times `gain`. */
function rearranged(source: Trials, trialOrder: number[], channelOrder: number[], gain = 1): Trials {
  const { samples, channels } = source;
  const data = new Float32Array(trialOrder.length * channels * samples);
  trialOrder.forEach((t, i) =>
    channelOrder.forEach((c, j) => {
      const from = (t * channels + c) * samples;
      data.set(
        source.data.subarray(from, from + samples).map((v) => v * gain),
        (i * channels + j) * samples,
      );
    }),
  );
  return { ...source, trials: trialOrder.length, data, channelNames: channelOrder.map((c) => source.channelNames[c]) };
}

describe('feature sets, against their recipe in SciPy, scikit-learn and pyRiemann', () => {
  it.each(Object.entries(golden.features))('%s', (id, expected) => {
    expect(relativeError(extractFeatures(trials, [id]).sets[id], expected)).toBeLessThan(1e-6);
  });

  it('sleep', () => {
    const own = extractFeatures(trialsOf(1, 2, 2560, 9), ['sleep']).sets['sleep'];
    own.forEach((value, i) =>
      expect(Math.abs(value - golden.sleep[i])).toBeLessThan(1e-5 * Math.max(1, Math.abs(golden.sleep[i]))),
    );
  });
});

describe('feature sets', () => {
  it.each(ids)('%s has the dimension it says, for short, long, narrow and wide signals', (id) => {
    for (const [channels, samples, sourceRateHz] of [
      [1, 51, 50],
      [4, 384, 256],
      [3, 2560, 100],
      [70, 60, 5000],
    ]) {
      if (channels > 8 && /acm|ssvep/.test(id)) continue;
      const source = { ...trialsOf(2, channels, samples, 1), sourceRateHz };
      const features = extractFeatures(source, [id]);
      expect(features.sets[id].length).toBe(2 * featureSet(id).dimension(features.shape));
      expect(features.sets[id].every(Number.isFinite)).toBe(true);
    }
  });

  it.each(ids)('%s of a trial does not depend on the other trials', (id) => {
    const all = extractFeatures(trials, [id]).sets[id];
    const turned = extractFeatures(rearranged(trials, [2, 0], [0, 1, 2, 3]), [id]);
    const expected = rowsOf({ ...turned, trials: 3, sets: { [id]: all } }, id, Int32Array.of(2, 0));
    expect(turned.sets[id]).toEqual(expected);
  });

  it.each(ids)('%s stays finite for flat channels and trials', (id) => {
    const data = trials.data.slice();
    data.fill(0, 0, 4 * 384);
    data.fill(5, 5 * 384, 6 * 384);
    expect(extractFeatures({ ...trials, data }, [id]).sets[id].every(Number.isFinite)).toBe(true);
  });

  it('covariances scale with the square of the unit and follow the order of channels', () => {
    const id = 'cov/8-32';
    const own = extractFeatures(trials, [id]).sets[id];
    const scaled = extractFeatures(rearranged(trials, [0, 1, 2], [0, 1, 2, 3], 4), [id]).sets[id];
    expect(
      relativeError(
        scaled,
        own.map((v) => 16 * v),
      ),
    ).toBeLessThan(1e-12);
    const turned = extractFeatures(rearranged(trials, [0, 1, 2], [3, 2, 1, 0]), [id]).sets[id];
    expect(relativeError([turned[0], turned[1], turned[9]], [own[9], own[8], own[0]])).toBeLessThan(1e-12);
  });

  it('sets taken together equal sets taken alone', () => {
    const together = extractFeatures(trials, ids);
    for (const id of ids) expect(together.sets[id]).toEqual(featureSet(id).extract(trials));
  });

  it('merges batches and refuses batches of another shape', () => {
    const parts = [[0], [1, 2]].map((rows) =>
      extractFeatures(rearranged(trials, rows, [0, 1, 2, 3]), ['cov/8-32', 'logpower']),
    );
    const merged = mergeFeatures(parts);
    expect(merged.trials).toBe(3);
    expect(merged.sets).toEqual(extractFeatures(trials, ['cov/8-32', 'logpower']).sets);
    expect(() => mergeFeatures([parts[0], extractFeatures(trialsOf(1, 4, 200, 1), ['cov/8-32', 'logpower'])])).toThrow(
      'Batches differ',
    );
  });

  it('names what there is when an id is unknown', () => {
    expect(() => featureSet('wavelets')).toThrow("no feature set 'wavelets'");
    expect(() => featureSet('cov/32-8')).toThrow('not a band');
    expect(() => featureSet('erp/area')).toThrow("'erp/windows'");
  });

  it('stores nothing of the signal above the wide cosine set', () => {
    expect(
      plainIds
        .map((id) => featureSet(id))
        .filter((set) => !set.storable)
        .map((set) => set.id),
    ).toEqual(['cosines/60']);
  });
});

it.each([
  ['an even number of samples', 384],
  ['an odd number of samples', 385],
])('cosines are the DCT-II of each channel without its line, with %s', (_, samples) => {
  const signal = trialsOf(2, 3, samples, 5);
  const set = extractFeatures(signal, ['cosines/8-28']).sets['cosines/8-28']!;
  const count = set.length / (2 * 3);
  const first = Math.ceil((2 * samples * 8) / signal.rateHz - 1e-9);
  const wanted = Float64Array.from(set, (__, i) => {
    const row = signal.data.subarray(Math.floor(i / count) * samples, (Math.floor(i / count) + 1) * samples);
    const middle = (samples - 1) / 2;
    const mean = row.reduce((a, b) => a + b, 0) / samples;
    const slope = row.reduce((sum, x, at) => sum + x * (at - middle), 0) / ((samples * (samples * samples - 1)) / 12);
    const k = first + (i % count);
    return row.reduce(
      (sum, x, at) =>
        sum +
        (x - mean - slope * (at - middle)) * Math.cos((Math.PI * k * (at + 0.5)) / samples) * Math.sqrt(2 / samples),
      0,
    );
  });
  expect(relativeError(set, wanted)).toBeLessThan(1e-6);
});
