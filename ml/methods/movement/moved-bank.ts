import { congruence, invsqrtm, packUpper, packedSize, powm, sqrtm, unpackUpper } from '../../geometry/index.ts';
import { matrixAt, squaresOf } from '../../matrix.ts';
import { bandCentres } from './centres.ts';
import type { Bank } from './centres.ts';

/**
 * Banks of some trials [rows × bands · windows · packed], the trials of one recording, transported so that the mean of
 * each band moves a share `trust` of the way along the geodesic to `centre` [bands × p × p].
 */
export function movedBank(bank: Bank, rows: Int32Array, centre: Float64Array, trust: number): Float64Array {
  const { values, p, bands, windows } = bank;
  const size = packedSize(p);
  const block = windows * size;
  const out = new Float64Array(rows.length * bands * block);
  const targets = squaresOf(centre, p);
  const seen = squaresOf(bandCentres(bank, rows), p);
  for (let b = 0; b < bands; b += 1) {
    const to = matrixAt(targets, b);
    const root = sqrtm(to);
    const between = congruence(invsqrtm(to), matrixAt(seen, b));
    const from = congruence(root, powm(between, trust));
    const packed = new Float64Array(rows.length * block);
    rows.forEach((row, i) => {
      const at = (row * bands + b) * block;
      packed.set(values.subarray(at, at + block), i * block);
    });
    const moved = packUpper(congruence(root, congruence(invsqrtm(from), unpackUpper(packed, p))));
    for (let i = 0; i < rows.length; i += 1)
      out.set(moved.subarray(i * block, (i + 1) * block), (i * bands + b) * block);
  }
  return out;
}
