/** Value at `x`; writes the gradient into `gradient`. */
export type Objective = (x: Float64Array, gradient: Float64Array) => number;

export interface LbfgsOptions {
  /** Stops when no component of the gradient exceeds this. */
  readonly gradientTolerance: number;
  readonly maxIterations: number;
}

const memory = 12;
/** In four sums, which need not wait for one another. */
function dot(a: Float64Array, b: Float64Array): number {
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  let i = 0;
  for (; i + 3 < a.length; i += 4) {
    s0 += a[i] * b[i];
    s1 += a[i + 1] * b[i + 1];
    s2 += a[i + 2] * b[i + 2];
    s3 += a[i + 3] * b[i + 3];
  }
  for (; i < a.length; i += 1) s0 += a[i] * b[i];
  return s0 + s1 + (s2 + s3);
}
const largest = (a: Float64Array): number => {
  let out = 0;
  for (let i = 0; i < a.length; i += 1) out = Math.max(out, Math.abs(a[i]));
  return out;
};

interface Step {
  readonly s: Float64Array;
  readonly y: Float64Array;
  readonly rho: number;
}

/** q ← q + by · a, and its inner product with b: one pass over them. */
function addThenDot(q: Float64Array, by: number, a: Float64Array, b: Float64Array): number {
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  let i = 0;
  for (; i + 3 < q.length; i += 4) {
    s0 += (q[i] += by * a[i]) * b[i];
    s1 += (q[i + 1] += by * a[i + 1]) * b[i + 1];
    s2 += (q[i + 2] += by * a[i + 2]) * b[i + 2];
    s3 += (q[i + 3] += by * a[i + 3]) * b[i + 3];
  }
  for (; i < q.length; i += 1) s0 += (q[i] += by * a[i]) * b[i];
  return s0 + s1 + (s2 + s3);
}

/** The direction in which to go downhill: the two loops of algorithm 7.4, each turn of them one pass. */
function direction(gradient: Float64Array, steps: readonly Step[]): Float64Array {
  const q = gradient.map((slope) => -slope);
  const last = steps.at(-1);
  if (!last) return q;
  const alpha = new Float64Array(steps.length);
  let ahead = dot(last.s, q);
  for (let m = steps.length - 1; m >= 0; m -= 1) {
    alpha[m] = steps[m].rho * ahead;
    ahead = addThenDot(q, -alpha[m], steps[m].y, m > 0 ? steps[m - 1].s : steps[0].y);
  }
  const scale = 1 / (last.rho * dot(last.y, last.y));
  for (let i = 0; i < q.length; i += 1) q[i] *= scale;
  ahead *= scale;
  for (let m = 0; m < steps.length; m += 1) {
    const by = alpha[m] - steps[m].rho * ahead;
    ahead = addThenDot(q, by, steps[m].s, steps[Math.min(m + 1, steps.length - 1)].y);
  }
  return q;
}

/** Limited-memory BFGS with backtracking (Nocedal & Wright 2006, algorithm 7.5) for smooth convex objectives. */
export function minimise(objective: Objective, start: Float64Array, options: LbfgsOptions): Float64Array {
  const size = start.length;
  let x = start.slice();
  let gradient = new Float64Array(size);
  let next = new Float64Array(size);
  let nextGradient = new Float64Array(size);
  let value = objective(x, gradient);
  const steps: Step[] = [];
  for (
    let iteration = 0;
    iteration < options.maxIterations && largest(gradient) > options.gradientTolerance;
    iteration += 1
  ) {
    let d = direction(gradient, steps);
    let slope = dot(d, gradient);
    if (slope >= 0) {
      steps.length = 0;
      d = gradient.map((g) => -g);
      slope = -dot(gradient, gradient);
    }
    let rate = steps.length === 0 ? Math.min(1, 1 / Math.sqrt(-slope)) : 1;
    let nextValue = Infinity;
    for (let tries = 0; tries < 40; tries += 1, rate /= 2) {
      for (let i = 0; i < size; i += 1) next[i] = x[i] + rate * d[i];
      nextValue = objective(next, nextGradient);
      if (nextValue <= value + 1e-4 * rate * slope + 1e-14 * Math.abs(value)) break;
    }
    if (!(nextValue <= value + 1e-12 * Math.abs(value))) break;
    remember(steps, difference(next, x), difference(nextGradient, gradient));
    [x, next] = [next, x];
    [gradient, nextGradient] = [nextGradient, gradient];
    value = nextValue;
  }
  return x;
}

function remember(steps: Step[], s: Float64Array, y: Float64Array): void {
  const sy = dot(s, y);
  if (!(sy > 1e-14 * dot(y, y))) return;
  steps.push({ s, y, rho: 1 / sy });
  if (steps.length > memory) steps.shift();
}

function difference(a: Float64Array, b: Float64Array): Float64Array {
  const out = new Float64Array(a.length);
  for (let i = 0; i < a.length; i += 1) out[i] = a[i] - b[i];
  return out;
}
