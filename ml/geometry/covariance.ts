/**
 * Oracle Approximating Shrinkage (Chen 2010, as scikit-learn) of a sample covariance [p × p] of `samples` observations,
 * in place, towards its mean variance. A zero matrix stays zero; see `regularise`.
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

function shrink(c: Float64Array, p: number, mu: number, amount: number): Float64Array {
  for (let i = 0; i < p * p; i++) c[i] *= 1 - amount;
  for (let i = 0; i < p; i++) c[i * p + i] += amount * mu;
  return c;
}
