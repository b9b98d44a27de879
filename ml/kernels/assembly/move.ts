/**
 * The same as memory.fill with zero and memory.copy, for the short rows of small matrices: those two are calls out of
 * WebAssembly. `bytes` is a multiple of 8.
 */
export function clear(at: usize, bytes: usize): void {
  const end = at + bytes;
  for (; at + 16 <= end; at += 16) v128.store(at, f64x2.splat(0));
  if (at < end) store<f64>(at, 0);
}

export function copy(from: usize, to: usize, bytes: usize): void {
  const end = from + bytes;
  for (; from + 16 <= end; from += 16, to += 16) v128.store(to, v128.load(from));
  if (from < end) store<f64>(to, load<f64>(from));
}
