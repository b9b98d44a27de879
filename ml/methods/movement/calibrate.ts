import { balancedWeights } from '../../classify/linear.ts';

/** Prior standard deviations of a person's scale of the log-odds about 1, and of the shift about 0. */
const deviations = { scale: 0.5, shift: 0.5 } as const;
const iterations = 12;

/** Log-odds become scale · log-odds + shift. */
export interface Calibration {
  readonly scale: number;
  readonly shift: number;
}

/**
 * Scale (0 or more) and shift of log-odds for a person's own trials: the most probable ones under the labels, with a
 * prior about 1 and 0, by Newton's method. Few trials move them little.
 *
 * @param logOdds One for each trial.
 * @param positive Whether each trial is of the class of positive log-odds: 1 or 0.
 */
export function calibrate(logOdds: Float64Array, positive: Int32Array): Calibration {
  const weights = balancedWeights(positive, 2);
  let [scale, shift] = [1, 0];
  for (let i = 0; i < iterations; i += 1) {
    let [g0, g1] = [(scale - 1) / deviations.scale ** 2, shift / deviations.shift ** 2];
    let [h00, h01, h11] = [1 / deviations.scale ** 2, 0, 1 / deviations.shift ** 2];
    for (let t = 0; t < logOdds.length; t += 1) {
      const x = logOdds[t];
      const p = 1 / (1 + Math.exp(-(scale * x + shift)));
      const slope = weights[t] * (p - positive[t]);
      const curve = weights[t] * p * (1 - p);
      g0 += slope * x;
      g1 += slope;
      h00 += curve * x * x;
      h01 += curve * x;
      h11 += curve;
    }
    const determinant = h00 * h11 - h01 * h01;
    scale -= (h11 * g0 - h01 * g1) / determinant;
    shift -= (h00 * g1 - h01 * g0) / determinant;
  }
  return { scale: Math.max(0, scale), shift };
}
