import { multiplyTN } from './tile';

/**
 * Inner products [· × ld] (upper tiles) and means [fixed + filters] of the columns of `stack` [samples + 4 × ld]. The
 * first `fixed` columns are read as they are. The others are the trial x [channels × samples] after spatial filters,
 * given as wt [channels × ldw], where ldw is `filters` rounded up to a multiple of 4.
 */
export function stackedProducts(
  x: usize,
  channels: i32,
  samples: i32,
  wt: usize,
  ldw: i32,
  filters: i32,
  stack: usize,
  fixed: i32,
  ld: i32,
  products: usize,
  means: usize,
): void {
  multiplyTN(x, samples, wt, ldw, stack + (<usize>fixed << 3), ld, samples, channels, filters, false, false);
  multiplyTN(stack, ld, stack, ld, products, ld, fixed + filters, samples, fixed + filters, true, false);
  const row = <usize>ld << 3;
  for (let j: usize = 0; j < <usize>(fixed + filters) << 3; j += 8) {
    let sum: f64 = 0;
    for (let s = 0, at = stack + j; s < samples; s++, at += row) sum += load<f64>(at);
    store<f64>(means + j, sum / <f64>samples);
  }
}
