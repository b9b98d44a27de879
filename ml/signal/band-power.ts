import type { Spectrum } from './spectrum.ts';

/** Rhythms by name, in Hz. */
export const rhythms = {
  delta: [1, 4],
  theta: [4, 8],
  alpha: [8, 13],
  beta: [13, 30],
  gamma: [30, 45],
} as const satisfies Record<string, readonly [number, number]>;

/**
 * Mean power density [rows × bands] over the bins low ≤ f < high of each band; the bin nearest to its middle where a
 * band holds none.
 */
export function bandPower(
  { frequenciesHz, power }: Spectrum,
  bands: readonly (readonly [number, number])[],
): Float64Array {
  const bins = frequenciesHz.length;
  const rows = power.length / bins;
  const out = new Float64Array(rows * bands.length);
  bands.forEach(([low, high], b) => {
    const [from, to] = binsOf(frequenciesHz, low, high);
    for (let row = 0; row < rows; row++) {
      let sum = 0;
      for (let k = from; k < to; k++) sum += power[row * bins + k];
      out[row * bands.length + b] = sum / (to - from);
    }
  });
  return out;
}

function binsOf(frequenciesHz: Float64Array, low: number, high: number): [from: number, to: number] {
  const from = frequenciesHz.findIndex((f) => f >= low);
  const after = frequenciesHz.findIndex((f) => f >= high);
  const to = after < 0 ? frequenciesHz.length : after;
  if (from >= 0 && to > from) return [from, to];
  const middle = (low + high) / 2;
  const nearest = frequenciesHz.reduce(
    (best, f, k) => (Math.abs(f - middle) < Math.abs(frequenciesHz[best] - middle) ? k : best),
    0,
  );
  return [nearest, nearest + 1];
}
