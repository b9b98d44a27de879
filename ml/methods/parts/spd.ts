import {
  congruence,
  expm,
  logm,
  meanOfLogs,
  meanRiemann,
  packedSize,
  sideOf,
  sqrtm,
  invsqrtm,
  unpackUpper,
} from '../../geometry/index.ts';
import { eigh } from '../../linalg/index.ts';
import { range } from '../../rows.ts';
import type { Features } from '../../types.ts';
import type { Workspace } from '../workspace.ts';

/** How the covariances of a feature set are stored: `blocks` matrices of side `p`, packed one after the other. */
export interface SpdLayout {
  readonly p: number;
  readonly blocks: number;
}

/** `perChannel`: matrices of one side per channel; else one matrix that fills the row (lag-augmented). */
export function layoutOf(features: Features, set: string, perChannel: boolean): SpdLayout {
  const width = features.sets[set].length / features.trials;
  const p = perChannel ? features.shape.channels : sideOf(width);
  return { p, blocks: width / packedSize(p) };
}

/** Matrices [rows × p × p] of one block; written to `out` where it is given. */
export function matricesOf(
  features: Features,
  set: string,
  layout: SpdLayout,
  block: number,
  rows: Int32Array,
  out: Float64Array = new Float64Array(rows.length * layout.p * layout.p),
): Float64Array {
  const { p } = layout;
  const size = packedSize(p);
  const values = features.sets[set];
  for (let t = 0; t < rows.length; t += 1) {
    const to = t * p * p;
    let from = (rows[t] * layout.blocks + block) * size;
    for (let i = 0; i < p; i += 1) {
      for (let j = i; j < p; j += 1, from += 1) out[to + i * p + j] = out[to + j * p + i] = values[from];
    }
  }
  return out;
}

const nameOfLogs = (set: string, block: number): string => `logs:${set}:${block}`;

/** Logarithms of every trial of a block, once for all folds. */
function logsOf(features: Features, set: string, layout: SpdLayout, block: number, workspace: Workspace): Float64Array {
  return workspace.once([features], nameOfLogs(set, block), () => {
    return logm(matricesOf(features, set, layout, block, range(features.trials)), layout.p, features.trials);
  });
}

/**
 * Steps of the Riemannian mean from its log-Euclidean start: to convergence for one small matrix, one for a small bank,
 * none where a step is dear.
 */
const stepsFor = ({ p, blocks }: SpdLayout): number => (p > 32 ? 0 : blocks > 1 || p > 24 ? 1 : 8);

/**
 * Riemannian mean [p × p] of some trials, started from their own log-Euclidean mean: nothing outside `rows` enters it.
 * Shared by every method of the fold.
 */
export function meanOf(
  features: Features,
  set: string,
  layout: SpdLayout,
  block: number,
  rows: Int32Array,
  workspace: Workspace,
): Float64Array {
  return workspace.once([features, rows], `mean:${set}:${block}`, () => {
    const { p } = layout;
    const average = meanLogOf(features, set, layout, block, rows, workspace);
    if (stepsFor(layout) === 0) return expm(average, p);
    const c = matricesOf(features, set, layout, block, rows);
    return meanRiemann(c, rows.length, p, {
      initial: expm(average, p),
      tolerance: 1e-4 * p,
      maxIterations: stepsFor(layout),
    });
  });
}

/** Mean of the logarithms, which are kept for other trials to come; not where these are all there are. */
function meanLogOf(
  features: Features,
  set: string,
  layout: SpdLayout,
  block: number,
  rows: Int32Array,
  workspace: Workspace,
): Float64Array {
  const { p } = layout;
  if (rows.length < features.trials || workspace.known([features], nameOfLogs(set, block)))
    return meanOfRows(logsOf(features, set, layout, block, workspace), p * p, 0, p * p, rows);
  return meanOfLogs(rows.length, p, (from, count, out) => {
    matricesOf(features, set, layout, block, rows.subarray(from, from + count), out);
  });
}

/** Arithmetic mean [p × p] of one block of some trials. */
export function averageOf(
  features: Features,
  set: string,
  { p, blocks }: SpdLayout,
  block: number,
  rows: Int32Array,
): Float64Array {
  const size = packedSize(p);
  const values = features.sets[set];
  return unpackUpper(meanOfRows(values, blocks * size, block * size, size, rows), 1, p);
}

/** Mean [size] of what lies at `from` in some rows of a table whose rows are `stride` long. */
export function meanOfRows(
  table: Float64Array,
  stride: number,
  from: number,
  size: number,
  rows: Int32Array,
): Float64Array {
  const mean = new Float64Array(size);
  let i = 0;
  for (; i + 3 < rows.length; i += 4) {
    const [a, b, c, d] = [0, 1, 2, 3].map((next) => rows[i + next] * stride + from);
    for (let k = 0; k < size; k += 1) mean[k] = mean[k] + table[a + k] + table[b + k] + table[c + k] + table[d + k];
  }
  for (; i < rows.length; i += 1)
    for (let k = 0, at = rows[i] * stride + from; k < size; k += 1, at += 1) mean[k] += table[at];
  for (let k = 0; k < size; k += 1) mean[k] /= rows.length;
  return mean;
}

/** Whitener [q × p] onto the q directions in which the mean covariance of some trials is greatest. */
export function strongest(
  features: Features,
  set: string,
  layout: SpdLayout,
  block: number,
  rows: Int32Array,
  q: number,
): Float64Array {
  const { p } = layout;
  const eigen = eigh(averageOf(features, set, layout, block, rows), p);
  const least = eigen.values[p - 1] * 1e-10 || 1;
  const out = new Float64Array(q * p);
  for (let row = 0, f = p - 1; row < q; row += 1, f -= 1) {
    const scale = Math.sqrt(Math.max(eigen.values[f], least));
    for (let j = 0; j < p; j += 1) out[row * p + j] = eigen.vectors[j * p + f] / scale;
  }
  return out;
}

/** Matrices moved so that `from` lands on `to`: C → T·C·Tᵀ with T = to^½ · from^-½ (Zanini 2018). */
export function transport(c: Float64Array, n: number, p: number, from: Float64Array, to: Float64Array): Float64Array {
  return congruence(sqrtm(to, p), congruence(invsqrtm(from, p), c, n, p), n, p);
}
