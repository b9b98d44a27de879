import { describe, expect, test } from 'vitest';
import { extractFeatures } from '../../ml/features/index.ts';
import { createWorkspace, methodOf } from '../../ml/methods/index.ts';
import { patternsOf, trainingData } from '../../ml/train/index.ts';
import { cap, differing, spread } from './artefacts.ts';
import type { Differing } from './artefacts.ts';

function fitted(id: string, what: Differing, relabel: (label: string, i: number) => string = (label) => label) {
  const { trials, labels } = differing({ samples: 384, ...what });
  const method = methodOf(id);
  const data = trainingData(extractFeatures(trials, method.featureSets({})), labels.map(relabel), null);
  const rows = Int32Array.from(labels, (_, i) => i);
  const workspace = createWorkspace();
  const head = method.fit({ data, rows, workspace });
  const choice = { method: id, version: method.version, temperature: 1, explanation: '' };
  return patternsOf(choice, { head }, data, workspace);
}

const cosine = (a: ArrayLike<number>, b: readonly number[]): number => {
  const norm = (v: ArrayLike<number>): number => Math.hypot(...Array.from(v));
  return Array.from(a).reduce((sum, value, i) => sum + value * b[i]!, 0) / norm(a) / norm(b);
};

describe('patterns show where the source is, not what the filter leaves out', () => {
  test.each(['csp-lda', 'csp-tuned-lda', 'csp-lda-aligned'])('%s', (id) => {
    const { components } = fitted(id, { rhythm: [0, 6] }).patterns!;
    const strongest = components.toSorted((a, b) => Math.abs(b.weights![1]!) - Math.abs(a.weights![1]!))[0]!;
    expect(cosine(strongest.values, spread.hand)).toBeGreaterThan(0.9);
    expect(Math.max(...strongest.values)).toBe(1);
    expect(strongest.weights![1]).toBeGreaterThan(0);
  });

  test.each(['windowed-means-lda', 'windowed-means-ridge'])('%s', (id) => {
    const { components, unit } = fitted(id, { evoked: [0, 14], count: 120 }).patterns!;
    expect(unit).toBe('µV');
    const named = (name: string) => components.find((each) => each.name === name)!;
    const during = named('0.227 to 0.301 s');
    expect(during.class).toBe('right');
    expect(cosine(during.values, spread.hand)).toBeGreaterThan(0.9);
    const largest = ({ values }: typeof during): number => Math.max(...values.map(Math.abs));
    expect(largest(named('1.051 to 1.125 s'))).toBeLessThan(0.5 * largest(during));
  });

  test('log-power-logistic', () => {
    const { components } = fitted('log-power-logistic', { rhythm: [0, 6] }).patterns!;
    const at = (name: string): Float64Array => components.find((each) => each.name === name)!.values;
    expect(at('12 to 14 Hz')[cap.indexOf('C3')]).toBeCloseTo(1);
    expect(Math.abs(at('30 to 35 Hz')[cap.indexOf('C3')]!)).toBeLessThan(0.4);
  });
});

test('a method that is not linear in channel space has no patterns, and the report says so', () => {
  for (const id of ['tangent-logistic', 'mdm', 'laplacian-power-ridge', 'power-trees']) {
    const { patterns, reason } = fitted(id, { rhythm: [0, 6], count: 24 });
    expect([patterns, reason]).toEqual([null, expect.stringContaining('linear in channel space')]);
  }
});

test('patterns with more numbers than a report may contain are left out, and the report says how many', () => {
  const { patterns, reason } = fitted('log-spectrum-ridge', { samples: 512, count: 80 }, (_, i) => `class ${i % 20}`);
  expect([patterns, reason]).toEqual([null, 'They would take 19580 numbers, and a report holds at most 16384.']);
});
