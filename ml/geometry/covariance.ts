/** Covariance [p × p] of one trial x [channels × samples], channels centred, divided by the number of samples. */
export type CovarianceEstimator = (x: Float32Array | Float64Array, channels: number, samples: number) => Float64Array;

/**
 * Covariance estimators by id: sample covariance, Oracle Approximating Shrinkage (Chen 2010, as scikit-learn),
 * Ledoit–Wolf (2004, as scikit-learn).
 */
export const covarianceEstimators: Readonly<Record<'scm' | 'oas' | 'lwf', CovarianceEstimator>> = {
  scm: (x, p, samples) => product(centred(x, p, samples), p, samples),
  oas: (x, p, samples) => shrinkOas(product(centred(x, p, samples), p, samples), p, samples),
  lwf: (x, p, samples) => ledoitWolf(centred(x, p, samples), p, samples),
};

/** Covariances [trials × p × p] of data [trials × channels × samples]. */
export function covariances(
  data: Float32Array | Float64Array,
  trials: number,
  channels: number,
  samples: number,
  estimator: keyof typeof covarianceEstimators = 'oas',
): Float64Array {
  const estimate = covarianceEstimators[estimator];
  const c = new Float64Array(trials * channels * channels);
  for (let t = 0; t < trials; t++) {
    const x = data.subarray(t * channels * samples, (t + 1) * channels * samples);
    c.set(estimate(x, channels, samples), t * channels * channels);
  }
  return c;
}

/**
 * Oracle Approximating Shrinkage of a sample covariance [p × p] of `samples` observations, in place, towards its mean
 * variance. A zero matrix stays zero; see `regularise`.
 */
export function shrinkOas(c: Float64Array, p: number, samples: number): Float64Array {
  if (p === 1) return c;
  let squares = 0;
  let trace = 0;
  for (let i = 0; i < p * p; i++) squares += c[i] * c[i];
  for (let i = 0; i < p; i++) trace += c[i * p + i];
  const alpha = squares / (p * p);
  const mu = trace / p;
  const spread = (samples + 1) * (alpha - (mu * mu) / p);
  return shrink(c, p, mu, spread > 0 ? Math.min((alpha + mu * mu) / spread, 1) : 1);
}

/**
 * Adds epsilon·trace/p to each diagonal of matrices [n × p × p], in place, so that average-referenced, flat and
 * duplicate channels leave them positive definite. A matrix of zeros becomes epsilon·I.
 */
export function regularise(c: Float64Array, n: number, p: number, epsilon = 1e-10): Float64Array {
  for (let t = 0; t < n; t++) {
    const at = t * p * p;
    let trace = 0;
    for (let i = 0; i < p; i++) trace += c[at + i * p + i];
    const load = epsilon * (trace > 0 ? trace / p : 1);
    for (let i = 0; i < p; i++) c[at + i * p + i] += load;
  }
  return c;
}

function centred(x: Float32Array | Float64Array, p: number, samples: number): Float64Array {
  const y = Float64Array.from(x.subarray(0, p * samples));
  for (let i = 0; i < p; i++) {
    const row = y.subarray(i * samples, (i + 1) * samples);
    let sum = 0;
    for (let s = 0; s < samples; s++) sum += row[s];
    const mean = sum / samples;
    for (let s = 0; s < samples; s++) row[s] -= mean;
  }
  return y;
}

function product(x: Float64Array, p: number, samples: number): Float64Array {
  const c = new Float64Array(p * p);
  for (let i = 0; i < p; i++) {
    for (let j = i; j < p; j++) {
      let sum = 0;
      for (let s = 0, a = i * samples, b = j * samples; s < samples; s++) sum += x[a + s] * x[b + s];
      c[i * p + j] = c[j * p + i] = sum / samples;
    }
  }
  return c;
}

function shrink(c: Float64Array, p: number, mu: number, amount: number): Float64Array {
  for (let i = 0; i < p * p; i++) c[i] *= 1 - amount;
  for (let i = 0; i < p; i++) c[i * p + i] += amount * mu;
  return c;
}

function ledoitWolf(x: Float64Array, p: number, samples: number): Float64Array {
  const c = product(x, p, samples);
  if (p === 1) return c;
  let trace = 0;
  let squares = 0;
  let fourth = 0;
  for (let i = 0; i < p; i++) trace += c[i * p + i];
  for (let i = 0; i < p * p; i++) squares += c[i] * c[i];
  for (let s = 0; s < samples; s++) {
    let power = 0;
    for (let i = 0; i < p; i++) power += x[i * samples + s] * x[i * samples + s];
    fourth += power * power;
  }
  const mu = trace / p;
  const delta = (squares - 2 * mu * trace + p * mu * mu) / p;
  const beta = Math.min((fourth / samples - squares) / (p * samples), delta);
  return shrink(c, p, mu, beta > 0 ? beta / delta : 0);
}
