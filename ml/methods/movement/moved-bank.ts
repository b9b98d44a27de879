import { congruence, invsqrtm, packUpper, packedSize, powm, sqrtm, unpackUpper } from '../../geometry/index.ts';
import { matrixAt, squaresOf } from '../../matrix.ts';
import type { Matrix } from '../../matrix.ts';
import { bandCentres } from './centres.ts';
import type { Bank } from './centres.ts';

/** How far the mean of a batch moves. */
interface Move {
  /** Share of the way along the geodesic. */
  readonly trust: number;
  /** True if the centre has another scale than the trials: the scale moves fully, only the shape by `trust`. */
  readonly otherScale: boolean;
}

/**
 * Banks of some trials [rows × bands · windows · packed], the trials of one recording, transported so that the mean of
 * each band moves towards `centre` [bands × p × p].
 */
export function movedBank(
  bank: Bank,
  rows: Int32Array,
  centre: Float64Array,
  { trust, otherScale }: Move,
): Float64Array {
  const seen = squaresOf(bandCentres(bank, rows), bank.p);
  return transported(bank, rows, centre, (b, to) => {
    const own = matrixAt(seen, b);
    const start = otherScale ? scaledTo(own, to) : to;
    const between = congruence(invsqrtm(start), own);
    return congruence(sqrtm(start), powm(between, trust));
  });
}

/**
 * Banks of all trials, each recentred alone because no other trial of the person is known. Its own mean has the weight
 * `ownWeight`; `centre` [bands × p × p], scaled to the same mean variance, has the rest.
 */
export function movedAlone(bank: Bank, centre: Float64Array, ownWeight: number): Float64Array {
  const { trials, p } = bank;
  const width = bank.values.length / trials;
  const out = new Float64Array(bank.values.length);
  for (let t = 0; t < trials; t += 1) {
    const row = Int32Array.of(t);
    const own = squaresOf(bandCentres(bank, row), p);
    const moved = transported(bank, row, centre, (b, to) => mixed(matrixAt(own, b), to, ownWeight));
    out.set(moved, t * width);
  }
  return out;
}

/** `other`, scaled to the trace of `own`. */
function scaledTo(own: Matrix, other: Matrix): Matrix {
  const level = traceOf(own) / traceOf(other);
  return { ...other, data: other.data.map((value) => level * value) };
}

/** w · own + (1 − w) · other, with `other` scaled to the trace of `own`. */
function mixed(own: Matrix, other: Matrix, w: number): Matrix {
  const { data } = scaledTo(own, other);
  return { ...own, data: own.data.map((value, i) => w * value + (1 - w) * data[i]) };
}

function traceOf({ data, rows }: Matrix): number {
  let trace = 0;
  for (let i = 0; i < rows; i += 1) trace += data[i * rows + i];
  return trace;
}

/** Banks of some trials, transported so that `from` of each band moves onto `centre`. */
function transported(
  { values, p, bands, windows }: Bank,
  rows: Int32Array,
  centre: Float64Array,
  from: (band: number, to: Matrix) => Matrix,
): Float64Array {
  const block = windows * packedSize(p);
  const out = new Float64Array(rows.length * bands * block);
  const targets = squaresOf(centre, p);
  for (let b = 0; b < bands; b += 1) {
    const to = matrixAt(targets, b);
    const packed = new Float64Array(rows.length * block);
    rows.forEach((row, i) => {
      const at = (row * bands + b) * block;
      packed.set(values.subarray(at, at + block), i * block);
    });
    const whitened = congruence(invsqrtm(from(b, to)), unpackUpper(packed, p));
    const moved = packUpper(congruence(sqrtm(to), whitened));
    for (let i = 0; i < rows.length; i += 1)
      out.set(moved.subarray(i * block, (i + 1) * block), (i * bands + b) * block);
  }
  return out;
}
