import type { Random } from '../random.ts';

/**
 * How often a bootstrap sample draws each trial: from each stratum as many units of trials as it has, with replacement
 * (Efron & Tibshirani 1993, An Introduction to the Bootstrap).
 */
export function drawSample(
  strata: readonly (readonly (readonly number[])[])[],
  trials: number,
  random: Random,
): Float64Array {
  const weights = new Float64Array(trials);
  for (const units of strata)
    for (let n = 0; n < units.length; n += 1) {
      const unit = units[Math.floor(random() * units.length)];
      for (let i = 0; i < unit.length; i += 1) weights[unit[i]] += 1;
    }
  return weights;
}
