import type { TrainingData } from './types.ts';

/** Iterations of the scaling that makes all classes equally frequent. */
const scalings = 50;
/** The test statistic of independence must be this many standard deviations above its mean. */
const clear = 6;

/** True if neighbouring trials are read together: stages of sleep last for minutes. */
export const stagesFollow = ({ kind }: Pick<TrainingData, 'kind'>): boolean => kind === 'sleep';

/** True if a trial directly follows another in the data sent. A sample may contain neither neighbour. */
export const comesNext = ({ sampledFrom }: Pick<TrainingData, 'sampledFrom'>, before: number, row: number): boolean =>
  sampledFrom ? sampledFrom.rows[row] - sampledFrom.rows[before] === 1 : row - before === 1;

/**
 * Transition matrix of the classes in their recordings (else sessions), among `rows` in the order sent: probabilities
 * [classes × classes] of the next class. It is scaled so that all classes are equally frequent in the long run
 * (Sinkhorn & Knopp 1967, Pac. J. Math. 21), like the probabilities of an answer. Null if no recording is named, and if
 * labels do not depend on the label before (a G-test), as in shuffled trials.
 */
export function sequenceOf(data: TrainingData, rows: Int32Array): Float64Array | null {
  const groups = data.recordings ?? data.sessions;
  if (!groups) return null;
  const classes = data.classes.length;
  const counts = new Float64Array(classes * classes);
  const last = new Map<number, number>();
  for (const row of rows) {
    const before = last.get(groups[row]);
    if (before !== undefined && comesNext(data, before, row))
      counts[data.labels[before] * classes + data.labels[row]] += 1;
    last.set(groups[row], row);
  }
  const sum = (of: (j: number) => number): number =>
    Array.from({ length: classes }, (_, j) => of(j)).reduce((a, b) => a + b);
  const from = Float64Array.from({ length: classes }, (_, k) => sum((j) => counts[k * classes + j]));
  const to = Float64Array.from({ length: classes }, (_, k) => sum((j) => counts[j * classes + k]));
  const total = from.reduce((a, b) => a + b, 0);
  const expected = counts.map((_, at) => (from[Math.floor(at / classes)] * to[at % classes]) / Math.max(1, total));
  const dependence = counts.reduce((g, n, at) => g + (n > 0 ? 2 * n * Math.log(n / expected[at]) : 0), 0);
  const freedom = (classes - 1) ** 2;
  if (dependence < freedom + clear * Math.sqrt(2 * freedom)) return null;
  const out = counts.map((n, at) => n + (classes * expected[at]) / total + 1e-3);
  for (let step = 0; step < scalings; step += 1) {
    for (const [across, along] of [
      [1, classes],
      [classes, 1],
    ]) {
      for (let k = 0; k < classes; k += 1) {
        const lineSum = sum((j) => out[k * across + j * along]);
        for (let j = 0; j < classes; j += 1) out[k * across + j * along] /= lineSum;
      }
    }
  }
  return out;
}

/**
 * Probabilities [trials × classes] of the trials of one recording in order, each read with its neighbours: the forward
 * and backward passes of a hidden Markov model whose states are the classes (Rabiner 1989, Proc. IEEE 77).
 */
export function readInOrder(probabilities: Float64Array, transitions: Float64Array): Float64Array {
  const classes = Math.sqrt(transitions.length);
  const trials = probabilities.length / classes;
  const out = probabilities.slice();
  const pass = (order: readonly number[], step: (from: number, to: number) => number): Float64Array => {
    const carried = new Float64Array(probabilities.length).fill(1 / classes);
    order.forEach((row, i) => {
      if (i === 0) return;
      const before = order[i - 1];
      for (let k = 0; k < classes; k += 1) {
        let sum = 0;
        for (let j = 0; j < classes; j += 1)
          sum += carried[before * classes + j] * probabilities[before * classes + j] * step(j, k);
        carried[row * classes + k] = sum;
      }
      normalise(carried, row, classes);
    });
    return carried;
  };
  const rows = Array.from({ length: trials }, (_, i) => i);
  const forward = pass(rows, (j, k) => transitions[j * classes + k]);
  const backward = pass(rows.toReversed(), (j, k) => transitions[k * classes + j]);
  for (let at = 0; at < out.length; at += 1) out[at] *= forward[at] * backward[at];
  for (const row of rows) normalise(out, row, classes);
  return out;
}

function normalise(table: Float64Array, row: number, classes: number): void {
  let sum = 0;
  for (let k = 0; k < classes; k += 1) sum += table[row * classes + k];
  for (let k = 0; k < classes; k += 1)
    table[row * classes + k] = sum > 0 ? table[row * classes + k] / sum : 1 / classes;
}
