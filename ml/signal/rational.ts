const largest = 4096;

/** The fraction up/down nearest to `ratio` with down ≤ 4096, by continued fractions. */
export function rationalOf(ratio: number): { up: number; down: number } {
  let [p0, q0, p1, q1] = [0, 1, 1, 0];
  let rest = ratio;
  for (let i = 0; i < 64; i++) {
    const whole = Math.floor(rest + 1e-9);
    const [p2, q2] = [whole * p1 + p0, whole * q1 + q0];
    if (q2 > largest) break;
    [p0, q0, p1, q1] = [p1, q1, p2, q2];
    if (Math.abs(ratio - p1 / q1) <= 1e-9 * ratio) break;
    rest = 1 / (rest - whole);
  }
  return p1 > 0 ? { up: p1, down: q1 } : { up: 1, down: Math.min(largest, Math.round(1 / ratio)) };
}
