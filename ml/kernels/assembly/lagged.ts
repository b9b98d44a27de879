import { tileGroups } from './tile';

/** Steps multiplied at a time, so that they stay in the cache. */
const chunk = 256;

/**
 * Inner products of lanes with their delayed copies. Takes `copies` copies of the lanes of `groups` groups, each `lag`
 * steps later than the one before, and sums over `terms` steps: C [copies · groups · 8]², row-major. Only 8 × 8 blocks
 * on and above the diagonal are written. Each group has `run` ≥ terms + (copies − 1) · lag steps from `x` on. Pairs of
 * copies with the same distance share most of their steps, which are multiplied once. Needs terms > (copies − 1) · lag.
 */
export function laggedProducts(x: usize, groups: i32, run: i32, lag: i32, copies: i32, terms: i32, c: usize): void {
  const sc = <usize>(copies * groups) << 6;
  const block = (<usize>groups * sc << 3) + (<usize>groups << 6);
  for (let apart = 0; apart < copies; apart++) {
    const first = (copies - 1 - apart) * lag;
    const shift = apart * lag;
    const shared = c + (<usize>(apart * groups) << 6);
    for (let from = first; from < terms; from += chunk)
      products(x, groups, run, from, shift, min(chunk, terms - from), shared, sc, from > first);
    for (let copy = 1; copy < copies - apart; copy++)
      for (let row = 0; row < groups * 8; row++)
        memory.copy(shared + <usize>copy * block + <usize>row * sc, shared + <usize>row * sc, <usize>groups << 6);
    for (let copy = 0; copy < copies - apart; copy++) {
      const own = shared + <usize>copy * block;
      products(x, groups, run, copy * lag, shift, first - copy * lag, own, sc, true);
      products(x, groups, run, terms, shift, copy * lag, own, sc, true);
    }
  }
}

/**
 * Inner products of all lanes over `count` steps from `from` with the same lanes `shift` steps later, added to c if
 * `add`. With a shift of 0 only the upper triangle.
 */
function products(
  x: usize,
  groups: i32,
  run: i32,
  from: i32,
  shift: i32,
  count: i32,
  c: usize,
  sc: usize,
  add: bool,
): void {
  if (count <= 0) return;
  for (let ga = 0; ga < groups; ga++) {
    const a = x + (<usize>(ga * run + from) << 6);
    for (let gb = shift ? 0 : ga; gb < groups; gb++) {
      const b = x + (<usize>(gb * run + from + shift) << 6);
      tileGroups(a, b, count, c + ((<usize>ga * sc) << 3) + (<usize>gb << 6), sc, !shift && ga == gb, add);
    }
  }
}
