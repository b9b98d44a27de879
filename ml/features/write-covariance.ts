import { allocateDoubles, groupList, groupsOf, kernels, placeIntegers, scope, viewDoubles } from '../kernels/index.ts';
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
    const list = groupList(parts, groups, run);
    const products = allocateDoubles(all * all * 64);
    kernels().groupProducts(list, all, list, all, samples, products, 1);
    writeShrunk({ list, products, samples }, parts.length, rows, out, at);
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
    const products = allocateDoubles((copies * groups * 8) ** 2);
    kernels().laggedProducts(from, groups, run, lag, copies, terms, products);
    writeShrunk({ list: groupList(parts, groups, run), products, samples: terms }, copies, rows, out, at);
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
}

/** Packed OAS covariance of the first `rows` lanes of each part at out[at …]. */
function writeShrunk(
  { list, products, samples }: LaneProducts,
  parts: number,
  rows: number,
  out: Float64Array,
  at: number,
): void {
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
