import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { extractFeatures } from '../../ml/features/index.ts';
import { cosineLayout } from '../../ml/methods/locked/bands.ts';
import { correlate } from '../../ml/methods/locked/correlate.ts';
import { correlateFiltered } from '../../ml/methods/locked/filtered.ts';
import type { Templates } from '../../ml/methods/locked/templates.ts';
import { createWorkspace, methodOf } from '../../ml/methods/index.ts';
import { trainingData } from '../../ml/train/index.ts';
import { noise, relativeError } from './noise.ts';

interface Golden {
  readonly classes: number;
  readonly perClass: number;
  readonly channels: number;
  readonly samples: number;
  readonly x: readonly number[];
  readonly coefficients: readonly number[];
  readonly correlations: Readonly<Record<string, readonly number[]>>;
}

/** Made by golden/make_phase_locked.py with NumPy and SciPy. */
const golden = JSON.parse(
  readFileSync(new URL('golden/phase-locked.json', import.meta.url), 'utf8'),
) as readonly Golden[];

describe.each(golden)('templates of $classes classes, against NumPy and SciPy', (set) => {
  const { classes, perClass, channels, samples } = set;
  const trials = {
    data: Float32Array.from(set.x),
    trials: classes * perClass,
    channels,
    samples,
    rateHz: 256,
    sourceRateHz: 256,
    channelNames: ['O1', 'Oz', 'O2', 'POz'],
  };
  const features = extractFeatures(trials, ['cosines/60']);
  const labels = Array.from({ length: trials.trials }, (_, i) => `class ${String(i % classes).padStart(2, '0')}`);
  const data = trainingData(features, labels, null);
  const all = Int32Array.from(labels.keys());
  const rows = all.filter((row) => row < classes * (perClass - 1));
  const held = all.filter((row) => row >= classes * (perClass - 1));

  test('are made of the same cosine coefficients', () => {
    const own = features.sets['cosines/60']!.subarray(0, set.coefficients.length);
    expect(relativeError(own, set.coefficients)).toBeLessThan(1e-6);
  });

  test.each(Object.entries(set.correlations))('%s has the same correlations in every sub-band', (id, theirs) => {
    const workspace = createWorkspace();
    const head = methodOf(id).fit({ data, rows, workspace });
    const templates = head['templates'] as Templates;
    const own = correlate(templates, { features, layout: cosineLayout(features), classes }, held, workspace);
    expect(own.length).toBe(theirs.length);
    own.forEach((value, i) => expect(Math.abs(value - theirs[i]!)).toBeLessThan(2e-4));
  });

  test('are the same, bit for bit, for a method alone and after another one that has whitened', () => {
    const shared = createWorkspace();
    methodOf('ensemble-trca').fit({ data, rows, workspace: shared });
    const [beside, alone] = [shared, createWorkspace()].map((workspace) => {
      const method = methodOf('class-templates');
      return method.decide(method.fit({ data, rows, workspace }), features, held, workspace);
    });
    expect(beside).toEqual(alone);
  });

  test('correlate a trial alike, bit for bit, whatever trials are beside it', () => {
    const workspace = createWorkspace();
    const templates = methodOf('ensemble-trca').fit({ data, rows, workspace })['templates'] as Templates;
    const layout = cosineLayout(features);
    const whole = correlate(templates, { features, layout, classes }, held, workspace);
    const size = classes * layout.bands.length;
    held.slice(0, 3).forEach((row, i) => {
      const own = correlate(templates, { features, layout, classes }, Int32Array.of(row), workspace);
      expect(own).toEqual(whole.slice(i * size, (i + 1) * size));
    });
  });

  test('classify unseen trials better than chance', () => {
    const method = methodOf('ensemble-trca');
    const workspace = createWorkspace();
    const scores = method.decide(method.fit({ data, rows, workspace }), features, held, workspace);
    const right = held.filter((row, i) => {
      const own = scores.subarray(i * classes, (i + 1) * classes);
      return own.indexOf(Math.max(...own)) === data.labels[row];
    });
    expect(right.length / held.length).toBeGreaterThan(0.6);
  });
});

test('trials correlate with templates projected onto the channels as they do through the filters', () => {
  const [classes, channels, samples, count] = [2, 12, 256, 40];
  const trials = { data: Float32Array.from(noise(count * channels * samples, 7)), trials: count, channels, samples };
  const channelNames = Array.from({ length: channels }, (_, c) => `E${c + 1}`);
  const features = extractFeatures({ ...trials, rateHz: 256, sourceRateHz: 256, channelNames }, ['cosines/60']);
  const labels = Array.from({ length: count }, (_, i) => `class ${i % classes}`);
  const data = trainingData(features, labels, null);
  const rows = Int32Array.from(labels.keys());
  const workspace = createWorkspace();
  const templates = methodOf('class-templates').fit({ data, rows, workspace })['templates'] as Templates;
  expect(templates.ranks[0]).toBe(channels);
  const layout = cosineLayout(features);
  const own = correlate(templates, { features, layout, classes }, rows, workspace);
  const filtered = correlateFiltered(templates, { features, layout, classes }, rows);
  expect(own).not.toEqual(filtered);
  expect(relativeError(own, filtered)).toBeLessThan(1e-12);
  expect(correlate(templates, { features, layout, classes }, rows.subarray(3, 5), createWorkspace())).toEqual(
    own.slice(3 * classes * layout.bands.length, 5 * classes * layout.bands.length),
  );
});
