import { matmul, matmulByRows } from '../../linalg/index.ts';
import type { Features } from '../../types.ts';
import type { CosineLayout } from './bands.ts';
import { takeBand, toUnit } from './templates.ts';
import type { Templates } from './templates.ts';

/** Trials that are correlated at a time. */
const chunk = 64;

/** Correlations as `correlate` gives them, of trials that are seen through the filters: cheapest with many classes. */
export function correlateFiltered(
  { ranks, filters, templates }: Templates,
  features: Features,
  { set, channels, width, bands }: CosineLayout,
  rows: Int32Array,
  classes: number,
): Float64Array {
  const size = channels * width;
  const all = filters.length / channels;
  const out = new Float64Array(rows.length * classes * bands.length);
  const seen = new Float64Array(all * width);
  const table = bands.map(({ count }, m) => new Float64Array(Math.min(chunk, rows.length) * ranks[m] * count));
  for (let from = 0; from < rows.length; from += chunk) {
    const some = rows.subarray(from, from + chunk);
    some.forEach((row, i) => {
      matmul(filters, features.sets[set].subarray(row * size, (row + 1) * size), all, channels, width, seen);
      let above = 0;
      bands.forEach((band, m) => {
        const wide = ranks[m] * band.count;
        const own = table[m].subarray(i * wide, (i + 1) * wide);
        takeBand(seen, width, above, ranks[m], band, own);
        toUnit(own);
        above += ranks[m];
      });
    });
    let at = 0;
    bands.forEach(({ count }, m) => {
      const wide = ranks[m] * count;
      const values = matmulByRows(
        table[m].subarray(0, some.length * wide),
        templates.subarray(at, at + classes * wide),
        some.length,
        wide,
        classes,
      );
      for (let i = 0; i < some.length; i += 1)
        for (let k = 0; k < classes; k += 1)
          out[((from + i) * classes + k) * bands.length + m] = values[i * classes + k];
      at += classes * wide;
    });
  }
  return out;
}
