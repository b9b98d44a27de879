import { allocateDoubles, groupsOf, kernels, placeIntegers, scope, viewDoubles } from '../kernels/index.ts';
import { packedSize } from '../geometry/index.ts';

/**
 * What is added to each diagonal, in units of the mean variance: flat and duplicate channels stay positive definite.
 */
const epsilon = 1e-12;

/**
 * OAS covariance of parts that each hold `rows` rows over `samples` of `run` steps in groups at an address, stacked:
 * writes the packed upper triangle [q(q+1)/2], q = parts · rows, at out[at …].
 */
export function writeCovariance(
  parts: readonly number[],
  rows: number,
  run: number,
  samples: number,
  out: Float64Array,
  at: number,
): void {
  scope(() => {
    const groups = groupsOf(rows);
    const all = parts.length * groups;
    const addresses = parts.flatMap((part) => Array.from({ length: groups }, (_, g) => part + g * run * 64));
    const list = placeIntegers(Int32Array.from(addresses));
    const products = allocateDoubles(all * all * 64);
    const means = allocateDoubles(all * 8);
    kernels().groupProducts(list, all, list, all, samples, products, 1);
    kernels().groupMeans(list, all, samples, means);
    writeShrunk({ products, means, scale: 1 / samples, samples }, parts.length, rows, out, at);
  });
}

/** The lane of each row of each part, whose lanes begin `width` apart. */
function lanesOf(parts: number, rows: number, width: number): Int32Array {
  const lanes = new Int32Array(parts * rows);
  for (let part = 0, i = 0; part < parts; part++)
    for (let row = 0; row < rows; row++, i++) lanes[i] = part * width + row;
  return lanes;
}

/** Inner products and means of all lanes of `parts` runs of groups, at addresses, and how to scale the products. */
export interface LaneProducts {
  readonly products: number;
  readonly means: number;
  readonly scale: number;
  readonly samples: number;
}

/** Packed OAS covariance of the first `rows` lanes of each part at out[at …]. */
function writeShrunk(lanes: LaneProducts, parts: number, rows: number, out: Float64Array, at: number): void {
  scope(() => {
    const width = groupsOf(rows) * 8;
    const q = parts * rows;
    const lane = placeIntegers(lanesOf(parts, rows, width));
    const packed = allocateDoubles(packedSize(q));
    kernels().shrunkCovariance(
      lanes.products,
      parts * width,
      lanes.means,
      lane,
      q,
      lanes.scale,
      lanes.samples,
      epsilon,
      packed,
    );
    out.set(viewDoubles(packed, packedSize(q)), at);
  });
}
