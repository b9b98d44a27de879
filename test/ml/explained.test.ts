import { expect, test } from 'vitest';
import { explained } from '../../ml/evidence/control.ts';

const toExplain = { score: 0.75, interval: [0.68, 0.82], chance: 0.5 } as const;
const control = { balancedAccuracy: 0.64, interval: [0.55, 0.73], p: 0.001 } as const;
const without = (balancedAccuracy: number, interval: readonly [number, number]) => ({ balancedAccuracy, interval });

test('a wide interval of few trials does not show that a control explains the score', () => {
  expect(explained(control, toExplain, without(0.63, [0.47, 0.77]))).toBeNull();
  expect(explained(control, toExplain, without(0.55, [0.47, 0.63]))).toBe('all');
  expect(explained(control, toExplain, without(0.55, [0.51, 0.6]))).toBeNull();
});

test('a control that reaches the interval explains all of a score, and one near it most', () => {
  expect(explained({ ...control, balancedAccuracy: 0.7 }, toExplain)).toBe('all');
  expect(explained({ ...control, balancedAccuracy: 0.67 }, toExplain)).toBe('most');
  expect(explained({ ...control, p: 0.2 }, toExplain)).toBeNull();
});
