import { expect, test } from 'vitest';
import { fitElasticNet } from '../../ml/classify/elastic-net.ts';
import { matrixOf } from '../../ml/matrix.ts';
import { balancedWeights, decideLinear } from '../../ml/classify/linear.ts';
import { createRandom } from '../../ml/random.ts';

const [c, ratio] = [1, 0.7];

/** Trials of each class round a centre of its own, as wide as tangent vectors of a few channels. */
function clusters(classes: number, each: number, dimension: number, spread: number) {
  const random = createRandom(classes);
  const gauss = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const centres = Float64Array.from({ length: classes * dimension }, gauss);
  const labels = Int32Array.from({ length: classes * each }, (_, i) => i % classes);
  const x = new Float64Array(labels.length * dimension);
  labels.forEach((label, i) => {
    for (let j = 0; j < dimension; j += 1) x[i * dimension + j] = centres[label * dimension + j]! + spread * gauss();
  });
  return { x, labels, dimension, classes };
}

/** Slope of the loss by each weight [classes × dimension], from the definition of the softmax. */
function slopes({ x, labels, dimension, classes }: ReturnType<typeof clusters>, margins: Float64Array) {
  const weights = balancedWeights(labels, classes);
  const out = new Float64Array(classes * dimension);
  labels.forEach((label, i) => {
    const own = margins.subarray(i * classes, (i + 1) * classes);
    const top = Math.max(...own);
    const total = own.reduce((sum, value) => sum + Math.exp(value - top), 0);
    own.forEach((value, k) => {
      const residual = c * weights[i]! * (Math.exp(value - top) / total - (label === k ? 1 : 0));
      for (let j = 0; j < dimension; j += 1) out[k * dimension + j]! += residual * x[i * dimension + j]!;
    });
  });
  return out;
}

test.each([
  [4, 8, 0.5],
  [12, 8, 1],
  [20, 6, 0.3],
])('of %d classes with %d trials each it stops where the conditions of a minimum hold', (classes, each, spread) => {
  const data = clusters(classes, each, 60, spread);
  const weights = balancedWeights(data.labels, classes);
  const head = fitElasticNet(matrixOf(data.x, 60), data.labels, classes, { c, ratio, weights });
  const margins = decideLinear(head, data.x);
  expect(Math.max(...margins.map(Math.abs))).toBeLessThan(50);
  const violation = slopes(data, margins).map((slope, at) => {
    const weight = head.weights[at]!;
    const smooth = slope + (1 - ratio) * weight;
    return weight === 0 ? Math.max(0, Math.abs(smooth) - ratio) : Math.abs(smooth + ratio * Math.sign(weight));
  });
  expect(Math.max(...violation)).toBeLessThan(0.02 * each);
});
