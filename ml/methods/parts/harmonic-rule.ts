import { fitSharedWeights } from '../../classify/shared-weights.ts';
import type { Features } from '../../types.ts';
import { valuesAt } from '../../rows.ts';
import { frequenciesIn } from '../sets.ts';
import type { Method } from '../types.ts';
import { needsOf } from './needs.ts';
import type { Row } from './pipeline.ts';
import { idLike } from './tangent-space.ts';

/** Weight of the n-th sub-band: n to the power −1.25, and 0.25 more (Chen 2015). */
const falling = { exponent: 1.25, least: 0.25 } as const;

/** Squared correlations of trials with each stimulation frequency, over weighted sub-bands [rows × frequencies]. */
function summed(features: Features, set: string, frequencies: number, rows: Int32Array): Float64Array {
  const width = features.sets[set].length / features.trials;
  const out = new Float64Array(rows.length * frequencies);
  rows.forEach((row, i) => {
    for (let j = 0; j < width; j += 1) {
      const band = 1 + Math.floor(j / frequencies);
      const weight = band ** -falling.exponent + falling.least;
      out[i * frequencies + (j % frequencies)] += weight * features.sets[set][row * width + j] ** 2;
    }
  });
  return out;
}

/** Index of the frequency that each class names; −1 if it names none. */
const namedBy = (classes: readonly string[], frequencies: readonly number[]): Int32Array =>
  Int32Array.from(classes, (name) => {
    const numbers = name.normalize('NFKC').match(/\d+(?:[.,]\d+)?/g) ?? [];
    return frequencies.indexOf(
      numbers.map((text) => Number(text.replace(',', '.'))).findLast((hz) => frequencies.includes(hz)) ?? -1,
    );
  });

/**
 * The frequency with the strongest response in each class, relative to the other classes. Every frequency is used once.
 */
function answeredBy(sums: Float64Array, labels: Int32Array, classes: number, frequencies: number): Int32Array {
  const means = new Float64Array(classes * frequencies);
  const counts = new Float64Array(classes);
  labels.forEach((label, i) => {
    counts[label] += 1;
    for (let f = 0; f < frequencies; f += 1) means[label * frequencies + f] += sums[i * frequencies + f];
  });
  const pairs = Array.from(means, (sum, at) => {
    const [k, f] = [Math.floor(at / frequencies), at % frequencies];
    const others = means.reduce((total, value, j) => total + (j % frequencies === f ? value : 0), 0) / labels.length;
    return { k, f, gain: sum / Math.max(1, counts[k]) - others };
  }).sort((a, b) => b.gain - a.gain);
  const out = new Int32Array(classes).fill(-1);
  for (const { k, f } of pairs) if (out[k] < 0 && !out.includes(f)) out[k] = f;
  return out;
}

/**
 * Terms of the class scores [rows × classes × 2]: the sum of the class's frequency, or an indicator that it has none.
 */
function partsOf(sums: Float64Array, ofClass: Int32Array, frequencies: number): Float64Array {
  const classes = ofClass.length;
  const rows = sums.length / frequencies;
  const out = new Float64Array(rows * classes * 2);
  for (let i = 0; i < rows; i += 1) {
    ofClass.forEach((f, k) => {
      if (f < 0) out[(i * classes + k) * 2 + 1] = 1;
      else out[(i * classes + k) * 2] = sums[i * frequencies + f];
    });
  }
  return out;
}

/**
 * The frequency with the largest summed canonical correlation wins (Chen 2015). Only the confidence is learned, and, if
 * there is a class without flicker, the threshold for it.
 */
export function harmonicRule(row: Row): Method {
  return {
    ...row,
    unreadable: needsOf('fbcca'),
    featureSets: ({ frequenciesHz = [] }) => [`fbcca/${frequenciesHz.join(',')}`],
    fit({ data, rows }) {
      const set = idLike(data.features.sets, 'fbcca/');
      const hz = frequenciesIn({ sets: { [set]: data.features.sets[set] } })!;
      const labels = valuesAt(data.labels, rows);
      const sums = summed(data.features, set, hz.length, rows);
      const named = namedBy(data.classes, hz);
      const complete = hz.every((_, f) => named.includes(f));
      const ofClass = complete ? named : answeredBy(sums, labels, data.classes.length, hz.length);
      const weights = fitSharedWeights(partsOf(sums, ofClass, hz.length), labels, ofClass.length, 2);
      return { set, frequencies: hz.length, ofClass, weights };
    },
    decide(head, features, rows) {
      const [frequencies, ofClass] = [head['frequencies'] as number, head['ofClass'] as Int32Array];
      const [perSum, idle] = head['weights'] as Float64Array;
      const parts = partsOf(summed(features, head['set'] as string, frequencies, rows), ofClass, frequencies);
      return Float64Array.from(
        { length: parts.length / 2 },
        (_, at) => perSum * parts[2 * at] + idle * parts[2 * at + 1],
      );
    },
  };
}
