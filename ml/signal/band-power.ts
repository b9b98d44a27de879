import type { Spectrum } from './spectrum.ts';

/**
 * Mean power density [rows × bands] over the bins low ≤ f < high of each band. A band without a bin gets the bin
 * nearest to its middle.
 */
export function bandPower(
  { frequenciesHz, power }: Spectrum,
  bands: readonly (readonly [number, number])[],
): Float64Array {
  const bins = frequenciesHz.length;
  const rows = power.length / bins;
  const out = new Float64Array(rows * bands.length);
  for (let b = 0; b < bands.length; b++) {
    const [from, to] = binsOf(frequenciesHz, bands[b]);
    for (let row = 0; row < rows; row++) {
      let sum = 0;
      for (let k = from; k < to; k++) sum += power[row * bins + k];
      out[row * bands.length + b] = sum / (to - from);
    }
  }
  return out;
}

function binsOf(frequenciesHz: Float64Array, [low, high]: readonly [number, number]): [from: number, to: number] {
  const [from, to] = [binsBelow(frequenciesHz, low), binsBelow(frequenciesHz, high)];
  if (to > from) return [from, to];
  const middle = (low + high) / 2;
  let nearest = 0;
  for (let k = 1; k < frequenciesHz.length; k++)
    if (Math.abs(frequenciesHz[k] - middle) < Math.abs(frequenciesHz[nearest] - middle)) nearest = k;
  return [nearest, nearest + 1];
}

/** Number of ascending frequencies below a limit. */
function binsBelow(frequenciesHz: Float64Array, limit: number): number {
  let k = 0;
  while (k < frequenciesHz.length && frequenciesHz[k] < limit) k++;
  return k;
}
