import { expect, test } from 'vitest';
import { minimise } from '../../ml/classify/lbfgs.ts';
import { allocate, kernels, scope } from '../../ml/kernels/index.ts';
import { withStepMemory } from '../../ml/linalg/index.ts';
import { createRandom } from '../../ml/random.ts';

const size = 23;
const random = createRandom(5);
const vector = (): Float64Array => Float64Array.from({ length: size }, () => random() - 0.5);
const sum = (a: Float64Array, b: Float64Array): number => a.reduce((total, value, i) => total + value * b[i]!, 0);

/** Steps with a slope that rises along each. */
const steps = Array.from({ length: 5 }, () => {
  const s = vector();
  return { s, y: s.map((value, i) => value * (1 + (i % 4))) };
});

/** The inverse Hessian of BFGS updates in full, times the negative gradient (Nocedal & Wright 2006, equation 6.17). */
function byDefinition(kept: typeof steps, gradient: Float64Array): Float64Array {
  const last = kept.at(-1)!;
  const gamma = sum(last.s, last.y) / sum(last.y, last.y);
  const times = (depth: number, v: Float64Array): Float64Array => {
    if (depth === 0) return v.map((value) => gamma * value);
    const { s, y } = kept[depth - 1]!;
    const rho = 1 / sum(s, y);
    const right = v.map((value, i) => value - rho * sum(s, v) * y[i]!);
    const inner = times(depth - 1, right);
    return inner.map((value, i) => value + rho * (sum(s, v) - sum(y, inner)) * s[i]!);
  };
  return times(
    kept.length,
    gradient.map((slope) => -slope),
  );
}

test('the direction is that of the last steps, older ones are forgotten', () => {
  withStepMemory(size, 3, (memory) => {
    const [gradient, out, zero] = [vector(), new Float64Array(size), new Float64Array(size)];
    expect(memory.direction(gradient, out)).toBeCloseTo(-sum(gradient, gradient), 12);
    steps.forEach(({ s, y }, n) => {
      memory.remember(zero, s, zero, y);
      const kept = steps.slice(Math.max(0, n - 2), n + 1);
      const slope = memory.direction(gradient, out);
      byDefinition(kept, gradient).forEach((value, i) => expect(out[i]).toBeCloseTo(value, 12));
      expect(slope).toBeCloseTo(sum(out, gradient), 12);
    });
    memory.clear();
    expect(memory.isEmpty()).toBe(true);
  });
});

test('a step along which no slope rises is not kept', () => {
  withStepMemory(size, 3, (memory) => {
    const { s, y } = steps[0]!;
    const zero = new Float64Array(size);
    memory.remember(
      zero,
      s,
      zero,
      y.map((value) => -value),
    );
    expect(memory.isEmpty()).toBe(true);
  });
});

test('a search stays right while its objective makes the memory of the kernels grow', () => {
  const [wanted, before] = [vector(), kernels().memory.buffer.byteLength];
  const objective = (x: Float64Array, gradient: Float64Array): number => {
    scope(() => allocate(before));
    x.forEach((value, i) => (gradient[i] = (1 + i) * (value - wanted[i]!)));
    return 0.5 * x.reduce((total, value, i) => total + (1 + i) * (value - wanted[i]!) ** 2, 0);
  };
  const found = minimise({ at: objective }, new Float64Array(size), { gradientTolerance: 1e-9, maxIterations: 200 });
  found.forEach((value, i) => expect(value).toBeCloseTo(wanted[i]!, 8));
  expect(kernels().memory.buffer.byteLength).toBeGreaterThan(before);
});
