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
    const list = addressesOf(parts, groups, run);
    const products = allocateDoubles(all * all * 64);
    const means = allocateDoubles(all * 8);
    kernels().groupProducts(list, all, list, all, samples, products, 1);
    kernels().groupMeans(list, all, samples, means);
    writeShrunk({ products, means, scale: 1 / samples, samples }, parts.length, rows, out, at);
  });
}

/** Copies of a signal, each `lag` steps later than the one before. */
interface Copies {
  readonly copies: number;
  readonly lag: number;
}

/**
 * `writeCovariance` of parts that are `copies` of one signal in groups at an address, over the steps that all of them
 * have: what two copies share with two others that are as far from each other is multiplied once.
 */
export function writeLaggedCovariance(
  from: number,
  { copies, lag }: Copies,
  rows: number,
  run: number,
  out: Float64Array,
  at: number,
): void {
  const terms = run - (copies - 1) * lag;
  const parts = Array.from({ length: copies }, (_, copy) => from + copy * lag * 64);
  if (terms <= (copies - 1) * lag) return writeCovariance(parts, rows, run, terms, out, at);
  scope(() => {
    const groups = groupsOf(rows);
    const width = copies * groups * 8;
    const products = allocateDoubles(width * width);
    const means = allocateDoubles(width);
    kernels().laggedProducts(from, groups, run, lag, copies, terms, products);
    kernels().groupMeans(addressesOf(parts, groups, run), copies * groups, terms, means);
    writeShrunk({ products, means, scale: 1 / terms, samples: terms }, copies, rows, out, at);
  });
}

/** Address of the list of the groups of all parts. */
const addressesOf = (parts: readonly number[], groups: number, run: number): number =>
  placeIntegers(
    Int32Array.from(parts.flatMap((part) => Array.from({ length: groups }, (_, g) => part + g * run * 64))),
  );

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
