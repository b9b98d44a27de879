import { expect, test } from 'vitest';
import { mutualInformation } from '../../ml/methods/parts/mutual-information.ts';
import { noise } from './noise.ts';

const [classes, perClass] = [4, 30];
const labels = Int32Array.from({ length: classes * perClass }, (_, i) => Math.floor(i / perClass));
const values = noise(labels.length, 3);

/** The definition, each density at each value summed by itself. */
function defined(x: Float64Array): number {
  const mean = x.reduce((a, b) => a + b, 0) / x.length;
  const deviation = Math.sqrt(x.reduce((sum, v) => sum + (v - mean) ** 2, 0) / x.length);
  const width = deviation * (4 / (3 * x.length)) ** 0.2;
  let left = 0;
  for (const at of x.keys()) {
    const density = Array.from({ length: classes }, (_, k) =>
      x.reduce((sum, v, i) => sum + (labels[i] === k ? Math.exp(-0.5 * ((x[at]! - v) / width) ** 2) / perClass : 0), 0),
    );
    const all = density.reduce((a, b) => a + b, 0);
    for (const part of density) left -= ((part / all) * Math.log(part / all)) / x.length;
  }
  return Math.log(classes) - left;
}

test('the information of a feature about the classes follows its definition', () => {
  const telling = values.map((value, i) => value + 3 * labels[i]!);
  for (const x of [values, telling]) expect(mutualInformation(x, labels, classes)).toBeCloseTo(defined(x), 10);
  expect(mutualInformation(telling, labels, classes)).toBeGreaterThan(mutualInformation(values, labels, classes) + 0.3);
});
