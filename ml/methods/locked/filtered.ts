import { matmul, matmulByRows } from '../../linalg/index.ts';
import { matrixOf } from '../../matrix.ts';
import type { CosineTrials } from './bands.ts';
import { takeBand, toUnit } from './templates.ts';
import type { Templates } from './templates.ts';

/** Trials per block. */
const chunk = 64;

/** `correlate` by filtering each trial: fastest with many classes. */
export function correlateFiltered(
  { ranks, filters, templates }: Templates,
  { features, layout: { set, channels, width, bands }, classes }: CosineTrials,
  rows: Int32Array,
): Float64Array {
  const size = channels * width;
  const all = filters.length / channels;
  const out = new Float64Array(rows.length * classes * bands.length);
  const filtered = matrixOf(new Float64Array(all * width), width, all);
  const spatial = matrixOf(filters, channels, all);
  const table = bands.map(({ count }, m) => new Float64Array(Math.min(chunk, rows.length) * ranks[m] * count));
  for (let from = 0; from < rows.length; from += chunk) {
    const some = rows.subarray(from, from + chunk);
    some.forEach((row, i) => {
      const trial = matrixOf(features.sets[set].subarray(row * size, (row + 1) * size), width, channels);
      matmul(spatial, trial, filtered.data);
      let above = 0;
      bands.forEach((band, m) => {
        const wide = ranks[m] * band.count;
        const own = table[m].subarray(i * wide, (i + 1) * wide);
        takeBand(filtered, { first: above, count: ranks[m] }, band, own);
        toUnit(own);
        above += ranks[m];
      });
    });
    let at = 0;
    bands.forEach(({ count }, m) => {
      const wide = ranks[m] * count;
      const values = matmulByRows(
        matrixOf(table[m].subarray(0, some.length * wide), wide, some.length),
        matrixOf(templates.subarray(at, at + classes * wide), wide, classes),
      ).data;
      for (let i = 0; i < some.length; i += 1)
        for (let k = 0; k < classes; k += 1)
          out[((from + i) * classes + k) * bands.length + m] = values[i * classes + k];
      at += classes * wide;
    });
  }
  return out;
}
