import { expect, test } from 'vitest';
import { pick } from '../../ml/evidence/selection.ts';

const labels = Int32Array.from({ length: 30 }, (_, i) => i % 2);
const rated = (publishedDisadvantage: number, lossOf: (i: number) => number) => {
  const losses = Float64Array.from(labels, (_, i) => lossOf(i));
  return { publishedDisadvantage, losses: [losses], ownLosses: losses };
};
const wavering = (i: number): number => 0.5 + 0.3 * Math.sin(7 * i);

test('an established method wins where the trials cannot tell it from the lowest log-loss', () => {
  const candidates = [rated(1, (i) => wavering(i) + 0.01 + 0.2 * Math.cos(5 * i)), rated(8, wavering)];
  expect(pick(candidates, labels, 2, null).index).toBe(0);
});

test('a method of wildly higher log-loss is never chosen, however uncertain the difference or well established', () => {
  const candidates = [rated(-10, (i) => (i % 5 === 0 ? 20 : 0.05)), rated(8, () => 0.01)];
  expect(pick(candidates, labels, 2, null).index).toBe(1);
  const few = [rated(-10, (i) => (i === 3 ? 12 : 0.01)), rated(8, () => 0.01)];
  expect(pick(few, labels, 2, null).index).toBe(1);
});

test('many trials decide alone', () => {
  const many = Int32Array.from({ length: 4_000 }, (_, i) => i % 2);
  const of = (publishedDisadvantage: number, base: number) => {
    const losses = Float64Array.from(many, (_, i) => base + 0.3 * Math.sin(7 * i));
    return { publishedDisadvantage, losses: [losses], ownLosses: losses };
  };
  expect(pick([of(1, 0.55), of(8, 0.5)], many, 2, null).index).toBe(1);
});
