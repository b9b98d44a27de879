/** Sorts the values in ascending order, and their rows with them. */
export function sortAscending(z: usize, n: i32, ld: i32, d: usize, vectors: bool): void {
  for (let i = 0; i < n - 1; i++) {
    let least = i;
    for (let j = i + 1; j < n; j++) if (at(d, j) < at(d, least)) least = j;
    if (least == i) continue;
    const value = at(d, i);
    set(d, i, at(d, least));
    set(d, least, value);
    if (!vectors) continue;
    const a = z + ((<usize>i * ld) << 3);
    const b = z + ((<usize>least * ld) << 3);
    for (let k: usize = 0; k < <usize>ld << 3; k += 16) {
      const x = v128.load(a + k);
      v128.store(a + k, v128.load(b + k));
      v128.store(b + k, x);
    }
  }
}

// @ts-ignore: decorator
@inline
function at(p: usize, i: i32): f64 {
  return load<f64>(p + (<usize>i << 3));
}

// @ts-ignore: decorator
@inline
function set(p: usize, i: i32, value: f64): void {
  store<f64>(p + (<usize>i << 3), value);
}
