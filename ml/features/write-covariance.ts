import { allocateDoubles, groupList, groupsOf, kernels, placeIntegers, scope, viewDoubles } from '../kernels/index.ts';
import { packedSize } from '../geometry/index.ts';

/**
 * Added to each diagonal, in units of the mean variance, so that flat and duplicate channels stay positive definite.
 */
const epsilon = 1e-12;

/** Signals in groups at addresses of the kernels' memory, `rows` rows each. The groups are `run` steps apart. */
interface SignalParts {
  readonly parts: readonly number[];
  readonly rows: number;
  readonly run: number;
  /** Steps to use of each row; `run` by default. */
  readonly samples?: number;
}

/**
 * OAS covariance of the stacked parts: writes the packed upper triangle [q(q+1)/2], q = parts · rows, at out[at …].
 *
 * Source: Chen et al. 2010.
 */
export function writeCovariance({ parts, rows, run, samples = run }: SignalParts, out: Float64Array, at: number): void {
  scope(() => {
    const groups = groupsOf(rows);
    const all = parts.length * groups;
    const list = groupList(parts, groups, run);
    const products = allocateDoubles(all * all * 64);
    kernels().groupProducts(list, all, list, all, samples, products, 1);
    writeShrunk({ list, products, samples, parts: parts.length, rows }, out, at);
  });
}

/** Copies of one signal in groups at an address, each `lag` steps later than the one before. */
interface LaggedCopies {
  readonly from: number;
  readonly rows: number;
  readonly run: number;
  readonly copies: number;
  readonly lag: number;
}

/**
 * `writeCovariance` of lagged copies of one signal, over the steps that all copies have. Products of pairs of copies
 * with the same distance are computed once.
 */
export function writeLaggedCovariance(
  { from, rows, run, copies, lag }: LaggedCopies,
  out: Float64Array,
  at: number,
): void {
  const terms = run - (copies - 1) * lag;
  const parts = Array.from({ length: copies }, (_, copy) => from + copy * lag * 64);
  if (terms <= (copies - 1) * lag) return writeCovariance({ parts, rows, run, samples: terms }, out, at);
  scope(() => {
    const groups = groupsOf(rows);
    const products = allocateDoubles((copies * groups * 8) ** 2);
    kernels().laggedProducts(from, groups, run, lag, copies, terms, products);
    writeShrunk({ list: groupList(parts, groups, run), products, samples: terms, parts: copies, rows }, out, at);
  });
}

/** The lane of each row of each part, whose lanes begin `width` apart. */
function lanesOf(parts: number, rows: number, width: number): Int32Array {
  const lanes = new Int32Array(parts * rows);
  for (let part = 0, i = 0; part < parts; part++)
    for (let row = 0; row < rows; row++, i++) lanes[i] = part * width + row;
  return lanes;
}

/** The groups of all parts, and the inner products of their lanes over `samples` steps, at addresses. */
interface LaneProducts {
  readonly list: number;
  readonly products: number;
  readonly samples: number;
  readonly parts: number;
  readonly rows: number;
}

/** Packed OAS covariance of the first `rows` lanes of each part at out[at …]. */
function writeShrunk({ list, products, samples, parts, rows }: LaneProducts, out: Float64Array, at: number): void {
  scope(() => {
    const width = groupsOf(rows) * 8;
    const q = parts * rows;
    const means = allocateDoubles(parts * width);
    kernels().groupMeans(list, parts * groupsOf(rows), samples, means);
    const lane = placeIntegers(lanesOf(parts, rows, width));
    const packed = allocateDoubles(packedSize(q));
    kernels().shrunkCovariance(products, parts * width, means, lane, q, 1 / samples, samples, epsilon, packed);
    out.set(viewDoubles(packed, packedSize(q)), at);
  });
}
