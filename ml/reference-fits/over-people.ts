/** Standard normal quantiles of the reported limits. */
const normal = { twoSided95: 1.959964, oneSided95: 1.644854 } as const;

/** Quantile of Student's t from that of the normal distribution (Abramowitz & Stegun 1964, 26.7.5). */
export function student(z: number, freedom: number): number {
  const [z3, z5, z7] = [z ** 3, z ** 5, z ** 7];
  return (
    z +
    (z3 + z) / (4 * freedom) +
    (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * freedom ** 3)
  );
}

/**
 * Variance of the mean score over people without an effect, as a multiple of that of independent scores. The scores are
 * dependent: each person is tested by a fit on the others and also trains the fits that test them, so a chance
 * similarity of two people counts in both their scores. This doubles the variance of a sum of scores that are linear in
 * the trials. Of decisions by a sign, the fraction 2/π is linear. No estimate from the scores themselves is unbiased
 * (Bengio & Grandvalet 2004, J. Mach. Learn. Res. 5).
 */
const inCommon = 1 + 2 / Math.PI;

type Kind = 'moments' | 'means';

/**
 * Distance of a limit from the mean, in standard errors of independent scores. Measured without an effect, for
 * recentred second moments: limits of Student's t alone exceeded chance in 4 to 8 % of studies of 8 to 20 people, and
 * in 11 % of studies of 60. With few people the wide tails of t cover the dependence, so the wider of the two limits is
 * used. For means it was 10 % already with 8 to 20 people, so both corrections apply.
 */
const errorsTo: Readonly<Record<Kind, (z: number, freedom: number) => number>> = {
  moments: (z, freedom) => Math.max(student(z, freedom), z * Math.sqrt(inCommon)),
  means: (z, freedom) => student(z, freedom) * Math.sqrt(inCommon),
};

/** Estimate for new people, from the scores of people. */
export interface OverPeople {
  readonly mean: number;
  readonly interval95: readonly [number, number];
  /** Range that is expected to contain 95 % of new people (prediction interval of Student's t). */
  readonly onePerson95: readonly [number, number];
  /** One-sided 95 % lower bound, to compare with chance. */
  readonly lowerBound: number;
  readonly quartiles: readonly [number, number, number];
}

/**
 * Mean over people with its interval and bound. The sampling unit is the person, not the trial. `kind`: the kind of
 * their trials. `trials`: number of all trials; if people hardly differ, the interval is at least as wide as that many
 * trials make it.
 */
export function overPeople(scores: readonly number[], trials: number, kind: Kind): OverPeople {
  const n = scores.length;
  const mean = scores.reduce((a, b) => a + b, 0) / n;
  const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / (n - 1);
  const adjusted = (mean * trials + 1) / (trials + 2);
  const error = Math.sqrt(Math.max(variance / n, (adjusted * (1 - adjusted)) / trials));
  const within = (value: number): number => Math.min(1, Math.max(0, value));
  const half = errorsTo[kind](normal.twoSided95, n - 1) * error;
  const whole = student(normal.twoSided95, n - 1) * error * Math.sqrt(n + 1);
  const sorted = [...scores].sort((a, b) => a - b);
  const at = (part: number): number => {
    const place = part * (n - 1);
    const below = Math.floor(place);
    return sorted[below] + (place - below) * (sorted[Math.min(n - 1, below + 1)] - sorted[below]);
  };
  return {
    mean,
    interval95: [within(mean - half), within(mean + half)],
    onePerson95: [within(mean - whole), within(mean + whole)],
    lowerBound: within(mean - errorsTo[kind](normal.oneSided95, n - 1) * error),
    quartiles: [at(0.25), at(0.5), at(0.75)],
  };
}
