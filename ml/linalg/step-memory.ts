import { allocateDoubles, kernels, scope, viewDoubles } from '../kernels/index.ts';

interface Step {
  /** Addresses. */
  readonly s: number;
  readonly y: number;
  rho: number;
}

/** Runs `use` with memory for the last `most` steps, allocated once. The memory is not valid after `use` returns. */
export const withStepMemory = <T>(size: number, most: number, use: (memory: StepMemory) => T): T =>
  scope(() => use(new StepMemory(size, most)));

/** The last steps of a search in [size] dimensions, in the kernels' memory. */
export class StepMemory {
  readonly #size: number;
  readonly #most: number;
  readonly #q: number;
  readonly #g: number;
  readonly #free: Step[];
  readonly #steps: Step[] = [];

  constructor(size: number, most: number) {
    [this.#size, this.#most] = [size, most];
    [this.#q, this.#g] = [allocateDoubles(size), allocateDoubles(size)];
    this.#free = Array.from({ length: most + 1 }, () => ({
      s: allocateDoubles(size),
      y: allocateDoubles(size),
      rho: 0,
    }));
  }

  /** Writes the descent direction; returns its inner product with the gradient. */
  direction(gradient: Float64Array, out: Float64Array): number {
    const size = this.#size;
    viewDoubles(this.#g, size).set(gradient);
    const start = viewDoubles(this.#q, size);
    for (let i = 0; i < size; i += 1) start[i] = -gradient[i];
    if (this.#steps.length > 0) twoLoops(this.#steps, this.#q, size);
    out.set(viewDoubles(this.#q, size));
    return kernels().dot(this.#q, this.#g, size);
  }

  /**
   * Stores a step between two points and their gradients in place of the oldest. Skips it if the slope does not rise
   * along it.
   */
  remember(from: Float64Array, to: Float64Array, slopes: Float64Array, nextSlopes: Float64Array): void {
    const size = this.#size;
    const own = this.#free[0];
    const [s, y] = [viewDoubles(own.s, size), viewDoubles(own.y, size)];
    for (let i = 0; i < size; i += 1) {
      s[i] = to[i] - from[i];
      y[i] = nextSlopes[i] - slopes[i];
    }
    const { dot } = kernels();
    const rise = dot(own.s, own.y, size);
    if (!(rise > 1e-14 * dot(own.y, own.y, size))) return;
    own.rho = 1 / rise;
    this.#steps.push(this.#free.shift()!);
    if (this.#steps.length > this.#most) this.#free.push(this.#steps.shift()!);
  }

  /** Forgets all steps. */
  clear(): void {
    this.#free.push(...this.#steps.splice(0));
  }

  /** Whether there is any. */
  isEmpty(): boolean {
    return this.#steps.length === 0;
  }
}

/** The two loops of algorithm 7.4 of Nocedal & Wright 2006 on q in place, one pass for each iteration. */
function twoLoops(steps: readonly Step[], q: number, size: number): void {
  const { dot, addThenDot } = kernels();
  const last = steps.at(-1)!;
  const alpha = new Float64Array(steps.length);
  let ahead = dot(last.s, q, size);
  for (let m = steps.length - 1; m >= 0; m -= 1) {
    alpha[m] = steps[m].rho * ahead;
    ahead = addThenDot(q, -alpha[m], steps[m].y, m > 0 ? steps[m - 1].s : steps[0].y, size);
  }
  const scale = 1 / (last.rho * dot(last.y, last.y, size));
  const view = viewDoubles(q, size);
  for (let i = 0; i < size; i += 1) view[i] *= scale;
  ahead *= scale;
  for (let m = 0; m < steps.length; m += 1) {
    const by = alpha[m] - steps[m].rho * ahead;
    ahead = addThenDot(q, by, steps[m].s, steps[Math.min(m + 1, steps.length - 1)].y, size);
  }
}
