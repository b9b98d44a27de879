/**
 * Rows [rows × samples] minus their mean ('constant') or their least-squares line ('linear'); a new array
 * (scipy.signal.detrend).
 */
export function detrend(
  data: Float32Array | Float64Array,
  rows: number,
  samples: number,
  type: 'constant' | 'linear' = 'linear',
): Float64Array {
  const out = Float64Array.from(data.subarray(0, rows * samples));
  const middle = (samples - 1) / 2;
  const spread = (samples * (samples * samples - 1)) / 12;
  for (let row = 0; row < rows; row++) {
    const x = out.subarray(row * samples, (row + 1) * samples);
    let sum = 0;
    let moment = 0;
    for (let i = 0; i < samples; i++) {
      sum += x[i];
      moment += x[i] * (i - middle);
    }
    const mean = sum / samples;
    const slope = type === 'linear' && spread > 0 ? moment / spread : 0;
    for (let i = 0; i < samples; i++) x[i] -= mean + slope * (i - middle);
  }
  return out;
}
