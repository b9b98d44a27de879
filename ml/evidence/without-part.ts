import { matmul, matmulTransposed, solveSpd, transpose } from '../linalg/index.ts';
import { matrixOf } from '../matrix.ts';
import type { Matrix } from '../matrix.ts';
import { firstPass } from './drawn-folds.ts';
import { meanConfusion } from './confusion.ts';
import { accuracyInterval } from './interval.ts';
import { countsOf, softmax } from './scores.ts';
import type { CandidateScore, FoldPlan, LabelledTrials } from './types.ts';

/** Score of a method without the part of its scores that a part of the signal predicts. */
export interface WithoutPart {
  readonly balancedAccuracy: number;
  /** 95 % interval. */
  readonly interval: readonly [number, number];
}

/** Largest and smallest log-odds: a score without limits would dominate the regression. */
const limit = 4;

/**
 * What a method still reaches without a part of the signal (confound regression within the folds; Snoek, Miletić &
 * Scholte 2019, NeuroImage 184). A ridge regression without labels predicts the method's held-out log-odds from
 * features of the part [trials × values] and from the held-out log-scores of a control that reads the part; it is
 * fitted on the training trials of each fold. The rest of the log-odds decides. Whatever method and part have in common
 * is removed, also where it comes from the brain.
 */
export function scoreWithoutPart(
  { outOfFold, temperature }: Pick<CandidateScore, 'outOfFold' | 'temperature'>,
  { values, control }: { readonly values: Float64Array; readonly control: Float64Array },
  data: LabelledTrials,
  plan: FoldPlan,
): WithoutPart {
  const classes = data.classes.length;
  const trials = data.labels.length;
  const odds = oddsOf(outOfFold.subarray(0, trials * classes), classes, temperature);
  const { part, width } = besideEachOther(values, oddsOf(control.subarray(0, trials * classes), classes, 1), trials);
  const left = new Float64Array(trials * classes).fill(Number.NaN);
  for (const { train, test } of firstPass(plan)) {
    const tested = train.filter((row) => !Number.isNaN(odds[row * classes]));
    const { x, means, scales } = standardised(part, width, tested);
    weighControl(x, classes, scales);
    const y = new Float64Array(tested.length * classes);
    const centre = new Float64Array(classes);
    tested.forEach((row) => {
      for (let k = 0; k < classes; k += 1) centre[k] += odds[row * classes + k] / tested.length;
    });
    tested.forEach((row, i) => {
      for (let k = 0; k < classes; k += 1) y[i * classes + k] = odds[row * classes + k] - centre[k];
    });
    const weights = ridgeWeights(x, matrixOf(y, classes))?.data ?? new Float64Array(width * classes);
    for (const row of test)
      for (let k = 0; k < classes; k += 1) {
        let value = odds[row * classes + k] - centre[k];
        for (let j = 0; j < width; j += 1)
          value -= ((part[row * width + j] - means[j]) / scales[j]) * weights[j * classes + k];
        left[row * classes + k] = value;
      }
  }
  const { recalls } = meanConfusion({ outOfFold: left }, data, { evidencePasses: 1 });
  return {
    balancedAccuracy: recalls.reduce((sum, recall) => sum + recall, 0) / classes,
    interval: accuracyInterval(recalls, countsOf(data.labels, classes)),
  };
}

/** Log-odds of each class [trials × classes], limited. */
function oddsOf(logScores: Float64Array, classes: number, temperature: number): Float64Array {
  const odds = softmax(logScores, classes, temperature);
  for (let i = 0; i < odds.length; i += 1)
    odds[i] = Math.max(-limit, Math.min(limit, Math.log((odds[i] + 1e-9) / (1 - odds[i] + 1e-9))));
  return odds;
}

/** The columns of two tables with one row for each trial. Missing values of the second are 0. */
function besideEachOther(
  first: Float64Array,
  second: Float64Array,
  trials: number,
): { part: Float64Array; width: number } {
  const [a, b] = [first.length / trials, second.length / trials];
  const part = new Float64Array(trials * (a + b));
  for (let t = 0; t < trials; t += 1) {
    part.set(first.subarray(t * a, (t + 1) * a), t * (a + b));
    for (let j = 0; j < b; j += 1) part[t * (a + b) + a + j] = second[t * b + j] || 0;
  }
  return { part, width: a + b };
}

/** Enlarges the last columns, the scores of the control, so that the penalty hardly affects them. */
function weighControl({ data, rows, columns }: Matrix, last: number, scales: Float64Array): void {
  const by = Math.sqrt(columns);
  for (let j = columns - last; j < columns; j += 1) {
    scales[j] /= by;
    for (let i = 0; i < rows; i += 1) data[i * columns + j] *= by;
  }
}

function standardised(
  part: Float64Array,
  width: number,
  rows: Int32Array,
): { x: Matrix; means: Float64Array; scales: Float64Array } {
  const [means, scales] = [new Float64Array(width), new Float64Array(width)];
  for (const row of rows) for (let j = 0; j < width; j += 1) means[j] += part[row * width + j] / rows.length;
  for (const row of rows)
    for (let j = 0; j < width; j += 1) scales[j] += (part[row * width + j] - means[j]) ** 2 / rows.length;
  for (let j = 0; j < width; j += 1) scales[j] = scales[j] > 1e-18 ? Math.sqrt(scales[j]) : Infinity;
  const x = new Float64Array(rows.length * width);
  rows.forEach((row, i) => {
    for (let j = 0; j < width; j += 1) x[i * width + j] = (part[row * width + j] - means[j]) / scales[j];
  });
  return { x: matrixOf(x, width, rows.length), means, scales };
}

/**
 * Weights [width × classes] of a ridge regression. The penalty is the width: half of the variance is then expected to
 * be predictable, however many features there are. Null if the system cannot be solved.
 */
function ridgeWeights(x: Matrix, y: Matrix): Matrix | null {
  const turned = transpose(x);
  if (x.columns <= x.rows) return solveSpd(penalised(matmul(turned, x), x.columns), matmul(turned, y));
  const dual = solveSpd(penalised(matmulTransposed(x, x), x.columns), y);
  return dual && matmul(turned, dual);
}

function penalised(square: Matrix, by: number): Matrix {
  for (let i = 0; i < square.rows; i += 1) square.data[i * square.columns + i] += by;
  return square;
}
