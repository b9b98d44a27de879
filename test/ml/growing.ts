import { matrixOf } from '../../ml/matrix.ts';
import { fitLda } from '../../ml/classify/lda.ts';
import { decideLinear } from '../../ml/classify/linear.ts';
import { foldPlan } from '../../ml/evidence/folds.ts';
import { forecast } from '../../ml/evidence/forecast.ts';
import { firstPass } from '../../ml/evidence/drawn-folds.ts';
import { pointOf } from '../../ml/evidence/learning-curve.ts';
import { foldDependence } from '../../ml/evidence/permutation.ts';
import { createRandom } from '../../ml/random.ts';
import type { Random } from '../../ml/random.ts';
import { curveFractions } from '../../ml/train/learning-curve.ts';

const dimension = 8;

const gauss = (random: Random): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

function sample(count: number, apart: number, random: Random): { x: Float64Array; labels: Int32Array } {
  const labels = Int32Array.from({ length: count }, (_, i) => i % 2);
  const x = Float64Array.from(
    { length: count * dimension },
    (_, at) => gauss(random) + (at % dimension === 0 ? apart * (labels[Math.floor(at / dimension)]! - 0.5) : 0),
  );
  return { x, labels };
}

const rowsOf = (x: Float64Array, rows: Int32Array): Float64Array =>
  Float64Array.from(
    { length: rows.length * dimension },
    (_, at) => x[rows[Math.floor(at / dimension)]! * dimension + (at % dimension)]!,
  );

const fit = (x: Float64Array, labels: Int32Array) => fitLda(matrixOf(x, dimension), labels, 2, 'none');

/** Share of a normal distribution below z (Abramowitz & Stegun 1964, 7.1.26). */
function below(z: number): number {
  const t = 1 / (1 + (0.3275911 * Math.abs(z)) / Math.SQRT2);
  const poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const half = 1 - poly * Math.exp((-z * z) / 2);
  return z >= 0 ? (1 + half) / 2 : (1 - half) / 2;
}

/** Accuracy that fits on so many trials of each class reach on average, from the distributions themselves. */
export function truth(perClass: number, apart: number, random: Random, fits = 60): number {
  let sum = 0;
  for (let i = 0; i < fits; i += 1) {
    const { x, labels } = sample(2 * perClass, apart, random);
    const { weights, bias } = fit(x, labels);
    const w = Float64Array.from({ length: dimension }, (_, j) => weights[dimension + j]! - weights[j]!);
    const norm = Math.hypot(...w);
    const shift = bias[1]! - bias[0]!;
    sum += (below((w[0]! * (apart / 2) + shift) / norm) + below(-(w[0]! * (-apart / 2) + shift) / norm)) / 2 / fits;
  }
  return sum;
}

/** The forecast from one set of trials of two normal classes `apart` standard deviations from one another. */
export function forecastOf(trials: number, apart: number, seed: number) {
  const random = createRandom(seed);
  const { x, labels } = sample(trials, apart, random);
  const data = { labels, classes: ['a', 'b'], sessions: null };
  const plan = foldPlan(data, 8);
  const points = [...curveFractions(plan), 1].map((share) => {
    const logScores = new Float64Array(trials * 2).fill(Number.NaN);
    let used = 0;
    for (const { train, test } of firstPass(plan)) {
      const rows = train.filter((_, i) => i < Math.round(train.length * share));
      used += rows.length;
      const own = decideLinear(
        fit(
          rowsOf(x, rows),
          rows.map((row) => labels[row]!),
        ),
        rowsOf(x, test),
      );
      test.forEach((row, i) => logScores.set(own.subarray(2 * i, 2 * i + 2), 2 * row));
    }
    return pointOf(used, logScores, data, plan);
  });
  const found = forecast(points, { ...data, groups: plan.groups }, foldDependence(plan))!;
  return { found, perClass: points.at(-1)!.trialsPerClass };
}
