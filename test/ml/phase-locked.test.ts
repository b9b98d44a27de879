import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { extractFeatures } from '../../ml/features/index.ts';
import { cosineLayout } from '../../ml/methods/locked/bands.ts';
import { correlate, type Templates } from '../../ml/methods/locked/templates.ts';
import { createWorkspace, methodOf } from '../../ml/methods/index.ts';
import { trainingData } from '../../ml/train/index.ts';
import { relativeError } from './noise.ts';

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
    const head = methodOf(id).fit({ data, rows, workspace: createWorkspace() });
    const own = correlate(head['templates'] as Templates, features, cosineLayout(features), held, classes);
    expect(own.length).toBe(theirs.length);
    own.forEach((value, i) => expect(Math.abs(value - theirs[i]!)).toBeLessThan(2e-4));
  });

  test('know the trials that they have not seen better than chance', () => {
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
