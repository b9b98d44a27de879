/** Hjorth parameters of a signal: mobility and complexity (Hjorth 1970); zeros for a flat one. */
export function hjorth(x: Float64Array): { mobility: number; complexity: number } {
  const first = differences(x);
  const [v0, v1, v2] = [variance(x), variance(first), variance(differences(first))];
  const mobility = v0 > 0 ? Math.sqrt(v1 / v0) : 0;
  return { mobility, complexity: v1 > 0 && mobility > 0 ? Math.sqrt(v2 / v1) / mobility : 0 };
}

/** Permutation entropy of order 3 and delay 1, in units of its maximum (Bandt & Pompe 2002). Ties keep their order. */
export function permutationEntropy(x: Float64Array): number {
  const counts = new Float64Array(6);
  for (let i = 0; i + 2 < x.length; i++) {
    const a = x[i];
    const b = x[i + 1];
    const c = x[i + 2];
    counts[a <= b ? (b <= c ? 0 : a <= c ? 1 : 2) : a <= c ? 3 : b <= c ? 4 : 5]++;
  }
  const total = Math.max(1, x.length - 2);
  return counts.reduce((sum, n) => (n > 0 ? sum - (n / total) * Math.log2(n / total) : sum), 0) / Math.log2(6);
}

const largestLag = 10;

/** Higuchi fractal dimension (Higuchi 1988) with lags up to 10. */
export function higuchi(x: Float64Array): number {
  const n = x.length;
  let [sx, sy, sxx, sxy, used] = [0, 0, 0, 0, 0];
  for (let k = 1; k <= Math.min(largestLag, n >> 1); k++) {
    let length = 0;
    for (let m = 0; m < k; m++) {
      const steps = Math.floor((n - m - 1) / k);
      let path = 0;
      for (let i = 1, at = m + k; i <= steps; i++, at += k) path += Math.abs(x[at] - x[at - k]);
      length += (path * (n - 1)) / (steps * k * k);
    }
    if (!(length > 0)) continue;
    const a = Math.log(1 / k);
    const b = Math.log(length / k);
    [sx, sy, sxx, sxy, used] = [sx + a, sy + b, sxx + a * a, sxy + a * b, used + 1];
  }
  return used > 1 ? (used * sxy - sx * sy) / (used * sxx - sx * sx) : 0;
}

/** Petrosian fractal dimension (Petrosian 1995) from the sign changes of the differences. */
export function petrosian(x: Float64Array): number {
  const n = x.length;
  const changes = signChanges(differences(x));
  return Math.log10(n) / (Math.log10(n) + Math.log10(n / (n + 0.4 * changes)));
}

/** Times that the sign of x changes; zero counts as positive. */
export function signChanges(x: Float64Array): number {
  let count = 0;
  for (let i = 1; i < x.length; i++) if (x[i] < 0 !== x[i - 1] < 0) count++;
  return count;
}

/**
 * Standard deviation (n − 1), skewness, excess kurtosis (population moments) and interquartile range (linear
 * interpolation).
 */
export function moments(x: Float64Array): { std: number; skewness: number; kurtosis: number; iqr: number } {
  const n = x.length;
  const mean = x.reduce((sum, v) => sum + v, 0) / n;
  let [m2, m3, m4] = [0, 0, 0];
  for (const v of x) {
    const d = v - mean;
    m2 += d * d;
    m3 += d * d * d;
    m4 += d * d * d * d;
  }
  const sorted = x.slice().sort();
  const quantile = (q: number): number => {
    const at = q * (n - 1);
    const low = Math.floor(at);
    return sorted[low] + (at - low) * (sorted[Math.min(low + 1, n - 1)] - sorted[low]);
  };
  const deviation = Math.sqrt(m2 / n);
  return {
    std: n > 1 ? Math.sqrt(m2 / (n - 1)) : 0,
    skewness: deviation > 0 ? m3 / n / deviation ** 3 : 0,
    kurtosis: deviation > 0 ? m4 / n / deviation ** 4 - 3 : 0,
    iqr: quantile(0.75) - quantile(0.25),
  };
}

function differences(x: Float64Array): Float64Array {
  const d = new Float64Array(Math.max(0, x.length - 1));
  for (let i = 0; i < d.length; i++) d[i] = x[i + 1] - x[i];
  return d;
}

function variance(x: Float64Array): number {
  if (x.length === 0) return 0;
  let sum = 0;
  let squares = 0;
  for (const v of x) sum += v;
  const mean = sum / x.length;
  for (const v of x) squares += (v - mean) * (v - mean);
  return squares / x.length;
}
