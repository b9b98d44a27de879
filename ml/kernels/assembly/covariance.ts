/**
 * OAS covariance (Chen 2010) of q lanes, as a packed upper triangle [q(q+1)/2]. Reads the inner products [· × width]
 * (upper blocks), scales them by `scale` and subtracts the products of `means`. `lane` [q] (i32, ascending) names the
 * lanes. Adds `epsilon`·trace/q to the diagonal.
 */
export function shrunkCovariance(
  products: usize,
  width: i32,
  means: usize,
  lane: usize,
  q: i32,
  scale: f64,
  samples: i32,
  epsilon: f64,
  out: usize,
): void {
  let squares: f64 = 0;
  let trace: f64 = 0;
  let to = out;
  for (let i = 0; i < q; i++) {
    const a = load<i32>(lane + (<usize>i << 2));
    const row = products + ((<usize>a * width) << 3);
    const mean = load<f64>(means + (<usize>a << 3));
    const own = load<f64>(row + (<usize>a << 3)) * scale - mean * mean;
    store<f64>(to, own);
    to += 8;
    trace += own;
    squares += own * own;
    let sum: f64 = 0;
    for (let j = i + 1; j < q; j++, to += 8) {
      const b = <usize>load<i32>(lane + (<usize>j << 2)) << 3;
      const value = load<f64>(row + b) * scale - mean * load<f64>(means + b);
      store<f64>(to, value);
      sum += value * value;
    }
    squares += 2 * sum;
  }
  let amount: f64 = 0;
  const mu = trace / <f64>q;
  if (q > 1) {
    const alpha = squares / (<f64>q * <f64>q);
    const spread = (<f64>samples + 1) * (alpha - (mu * mu) / <f64>q);
    amount = spread > 0 ? min((alpha + mu * mu) / spread, 1) : 1;
  }
  const keep = 1 - amount;
  const diagonal = amount * mu + epsilon * (trace > 0 ? mu : 1);
  to = out;
  for (let i = 0; i < q; i++) {
    store<f64>(to, keep * load<f64>(to) + diagonal);
    to += 8;
    for (let j = i + 1; j < q; j++, to += 8) store<f64>(to, keep * load<f64>(to));
  }
}
