import { allocateDoubles, kernels, paddedSide, placeIntegers, scope, viewDoubles } from '../kernels/index.ts';
import { transpose } from '../linalg/index.ts';
import { matrixOf } from '../matrix.ts';
import type { Matrices } from '../matrix.ts';
import { placeTransposed } from './congruence.ts';
import { packedSize, unpackUpper } from './pack.ts';
import { range } from '../rows.ts';

/** Spatial filters [filters × channels] for trials, and prototypes [prototypes × samples] to stack them under. */
export interface Templates {
  readonly filters: Float64Array;
  readonly prototypes: Float64Array;
}

/** Added to each diagonal, in units of the mean variance. */
const epsilon = 1e-9;

/**
 * OAS covariances [rows × side × side] of filtered trials stacked under prototypes, all centred; side = prototypes +
 * filters (ERP covariances, xDAWN).
 *
 * @param epochs Trials [trials × channels × samples].
 * @param rows Trials to use.
 * @param observations Samples that the shrinkage counts: those of the signal the epochs were taken from.
 *
 * Source: Congedo, Barachant & Bhatia 2017.
 */
export function stackedCovariances(
  epochs: Matrices,
  rows: Int32Array,
  { filters, prototypes }: Templates,
  observations: number,
): Matrices {
  const { rows: channels, columns: samples } = epochs;
  const [fixed, count] = [prototypes.length / samples, filters.length / channels];
  const side = fixed + count;
  const packed = new Float64Array(rows.length * packedSize(side));
  scope(() => {
    const ld = paddedSide(fixed + paddedSide(count));
    const wt = placeTransposed(matrixOf(filters, channels, count)).at;
    const lanes = placeIntegers(range(side));
    const [stack, products, means, out] = [(samples + 4) * ld, ld * ld, ld, packedSize(side)].map(allocateDoubles);
    const x = allocateDoubles(channels * samples + 8);
    viewDoubles(stack, (samples + 4) * ld).fill(0);
    const columns = transpose(matrixOf(prototypes, samples, fixed)).data;
    for (let s = 0; s < samples; s += 1)
      viewDoubles(stack + s * ld * 8, fixed).set(columns.subarray(s * fixed, (s + 1) * fixed));
    const width = channels * samples;
    rows.forEach((row, i) => {
      viewDoubles(x, width).set(epochs.data.subarray(row * width, (row + 1) * width));
      kernels().stackedProducts(x, channels, samples, wt, paddedSide(count), count, stack, fixed, ld, products, means);
      kernels().shrunkCovariance(products, ld, means, lanes, side, 1 / samples, observations, epsilon, out);
      packed.set(viewDoubles(out, packedSize(side)), i * packedSize(side));
    });
  });
  return unpackUpper(packed, side);
}
