import { withStepMemory } from '../linalg/index.ts';
import type { StepMemory } from '../linalg/index.ts';

export interface Objective {
  /** Value at `x`; writes the gradient into `gradient`. */
  at(x: Float64Array, gradient: Float64Array): number;
}

export interface LbfgsOptions {
  /** Stops when no component of the gradient exceeds this. */
  readonly gradientTolerance: number;
  readonly maxIterations: number;
}

/** Steps that are remembered. */
const most = 12;

const largest = (a: Float64Array): number => {
  let out = 0;
  for (let i = 0; i < a.length; i += 1) out = Math.max(out, Math.abs(a[i]));
  return out;
};

/**
 * Minimises a smooth convex objective by limited-memory BFGS with backtracking. Returns the last point where the
 * tolerance is not reached within `maxIterations`.
 *
 * Source: Nocedal & Wright 2006, algorithm 7.5.
 */
export const minimise = (objective: Objective, start: Float64Array, options: LbfgsOptions): Float64Array =>
  withStepMemory(start.length, most, (steps) => search(objective, start, options, steps));

function search(objective: Objective, start: Float64Array, options: LbfgsOptions, steps: StepMemory): Float64Array {
  const size = start.length;
  const d = new Float64Array(size);
  let x = start.slice();
  let gradient = new Float64Array(size);
  let next = new Float64Array(size);
  let nextGradient = new Float64Array(size);
  let value = objective.at(x, gradient);
  for (
    let iteration = 0;
    iteration < options.maxIterations && largest(gradient) > options.gradientTolerance;
    iteration += 1
  ) {
    let slope = steps.direction(gradient, d);
    if (slope >= 0) {
      steps.clear();
      slope = steps.direction(gradient, d);
    }
    let rate = steps.isEmpty() ? Math.min(1, 1 / Math.sqrt(-slope)) : 1;
    let nextValue = Infinity;
    for (let tries = 0; tries < 40; tries += 1, rate /= 2) {
      for (let i = 0; i < size; i += 1) next[i] = x[i] + rate * d[i];
      nextValue = objective.at(next, nextGradient);
      if (nextValue <= value + 1e-4 * rate * slope + 1e-14 * Math.abs(value)) break;
    }
    if (!(nextValue <= value + 1e-12 * Math.abs(value))) break;
    steps.remember(x, next, gradient, nextGradient);
    [x, next] = [next, x];
    [gradient, nextGradient] = [nextGradient, gradient];
    value = nextValue;
  }
  return x;
}
