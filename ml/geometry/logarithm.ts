import { allocateDoubles, kernels, paddedSide, place, scope, viewDoubles } from '../kernels/index.ts';
import { logarithm, mapSpectraAt } from './spectral.ts';

/** Matrix size from which the quadrature is faster than an eigendecomposition. */
const large = 16;

/** Most nodes of the quadrature. Matrices with a wider range of eigenvalues are decomposed instead. */
const most = 40;
/** Natural logarithm of the factor by which the quadrature reduces the largest term of the error. */
const exact = 34;
/** Smallest ratio of the least to the largest eigenvalue for which `most` nodes are enough. */
const least = 1 / 500;

/**
 * Logarithms of `count` SPD matrices [count × p × p] at an address, in place, each independent of the others. If the
 * eigenvalues of a matrix are close together, as after whitening, a quadrature replaces the eigenvectors, which halves
 * the work.
 */
export function logarithmsAt(at: number, count: number, p: number): void {
  if (p < large) return mapSpectraAt(at, count, p, logarithm);
  for (let i = 0; i < count; i++) {
    const own = at + i * p * p * 8;
    if (!takeLogarithm(own, p)) mapSpectraAt(own, 1, p, logarithm);
  }
}

/**
 * Replaces the matrix by its logarithm. Returns false, and leaves the matrix unchanged, if the range of its eigenvalues
 * is too wide.
 */
function takeLogarithm(at: number, p: number): boolean {
  return scope(() => {
    const ld = paddedSide(p);
    const z = allocateDoubles(p * ld);
    const bounds = allocateDoubles(2);
    const work = allocateDoubles(kernels().logarithmWork(p, most));
    kernels().reduceBounded(at, p, z, ld, least, work, bounds);
    const [low, high] = viewDoubles(bounds, 2);
    if (!(low > 0)) return false;
    const { count, values } = nodesFor(high / low);
    const scale = Math.sqrt(low * high);
    kernels().logarithmOf(z, p, ld, work, count, place(values), scale, Math.log(scale), at);
    return true;
  });
}

interface Nodes {
  readonly count: number;
  /** Nodes t, then weights over nodes w / t. */
  readonly values: Float64Array;
}

const tables = new Map<number, Nodes>();

/**
 * Nodes for eigenvalues around 1, where `ratio` is the largest over the least. Each node divides the error by the
 * square of (q + 1) / (q − 1), where q is the fourth root of the ratio.
 */
function nodesFor(ratio: number): Nodes {
  const root = ratio ** 0.25;
  const needed = exact / (2 * Math.log((root + 1) / (root - 1)));
  const count = Math.min(most, 2 * Math.ceil(Math.max(1, needed) / 2));
  const known = tables.get(count) ?? { count, values: gaussLegendre(count) };
  tables.set(count, known);
  return known;
}

/** Nodes t and weights w of Gauss and Legendre on 0 … 1 as t, then w / t, by Newton's method. */
function gaussLegendre(count: number): Float64Array {
  const values = new Float64Array(2 * count);
  for (let k = 0; k < count; k++) {
    let x = Math.cos((Math.PI * (k + 0.75)) / (count + 0.5));
    let slope = 1;
    for (let tries = 0; tries < 100; tries++) {
      let [before, own] = [1, x];
      for (let degree = 2; degree <= count; degree++)
        [before, own] = [own, ((2 * degree - 1) * x * own - (degree - 1) * before) / degree];
      slope = (count * (x * own - before)) / (x * x - 1);
      const step = own / slope;
      x -= step;
      if (Math.abs(step) < 1e-16) break;
    }
    const t = (1 + x) / 2;
    values[k] = t;
    values[count + k] = 1 / ((1 - x * x) * slope * slope) / t;
  }
  return values;
}
