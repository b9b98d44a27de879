/**
 * Fast Givens rotations of neighbouring rows, without square roots (Golub & Van Loan, 5.1.13). Each row is stored
 * divided by a scale, so a rotation takes two products for each column, not four. A rotation by nearly a quarter turn
 * is done as an exchange of the two rows and a small rotation, so that one rotation shrinks a scale at most a
 * thousandfold.
 */

/** Whether the last gathered sweep made a scale so small that the rows should be scaled before the next sweep. */
export let fallen = false;

/**
 * Converts the rotations of rows i and i + 1, i = m − 1 … l, to fast Givens rotations and appends them to `list`. Their
 * cosines lie `stride` bytes apart from `rotation` on, each sine `side` bytes after its cosine. The list consists of
 * runs: first row, last row, whether the first row is exchanged with the one before it (i32, 16 bytes in all), then two
 * factors for each rotation. scales: one for each row. Returns the end of the list.
 */
export function gatherSweep(
  rotation: usize,
  stride: isize,
  side: usize,
  m: i32,
  l: i32,
  list: usize,
  scales: usize,
): usize {
  let head = list;
  store<i32>(head, m);
  store<i32>(head, 0, 8);
  list += 16;
  let at = scales + (<usize>m << 3);
  let scale = v128.load_splat<f64>(at);
  let least = f64x2.splat(1);
  for (let i = m - 1; i >= l; i--, rotation += stride, at -= 8, list += 16) {
    let cosine = v128.load_splat<f64>(rotation);
    let sine = v128.load_splat<f64>(rotation + side);
    let both = v128.load_lane<f64>(at - 8, scale, 1);
    if (abs(load<f64>(rotation)) < 1e-3) {
      store<i32>(head, i + 1, 4);
      head = list;
      list += 16;
      store<i32>(head, i + 1);
      store<i32>(head, 1, 8);
      both = v128.shuffle<f64>(both, f64x2.neg(both), 1, 2);
      const small = cosine;
      cosine = sine;
      sine = f64x2.neg(small);
    }
    const shrunk = f64x2.mul(cosine, both);
    v128.store(list, f64x2.div(f64x2.mul(sine, v128.shuffle<f64>(both, both, 1, 0)), shrunk));
    least = f64x2.pmin(least, f64x2.abs(shrunk));
    v128.store_lane<f64>(at, shrunk, 0);
    scale = v128.shuffle<f64>(shrunk, shrunk, 1, 1);
  }
  v128.store_lane<f64>(at, scale, 0);
  store<i32>(head, l, 4);
  fallen = v128.any_true(f64x2.lt(least, f64x2.splat(1e-100)));
  return list;
}

/** Multiplies the rows of z [· × ld] by their scales, then sets the scales to 1. */
export function scaleRows(z: usize, n: i32, ld: i32, scales: usize): void {
  for (let i = 0; i < n; i++, scales += 8) {
    const scale = v128.load_splat<f64>(scales);
    store<f64>(scales, 1);
    for (const end = z + (<usize>ld << 3); z < end; z += 16) v128.store(z, f64x2.mul(scale, v128.load(z)));
  }
}

/**
 * Applies the rotations of a list to z [· × ld], a few columns at a time, so that the values for the next rotation stay
 * in registers.
 */
export function turnColumns(z: usize, ld: i32, list: usize, end: usize): void {
  const row = <usize>ld << 3;
  let column: usize = 0;
  for (; column + 64 <= row; column += 64) turnEight(z + column, row, list, end);
  if (column < row) turnFour(z + column, row, list, end);
}

// @ts-ignore: decorator
@inline
function change(p: usize, row: usize, bytes: usize): void {
  for (let k = p; k < p + bytes; k += 16) {
    const x = v128.load(k);
    v128.store(k, v128.load(k - row));
    v128.store(k - row, x);
  }
}

/**
 * Applies them to eight columns. Two consecutive runs over the same rows are applied together, the second one row
 * behind the first.
 */
function turnEight(z: usize, row: usize, list: usize, end: usize): void {
  while (list < end) {
    const m = load<i32>(list);
    const l = load<i32>(list, 4);
    let p = z + <usize>m * row;
    const last = z + <usize>l * row;
    if (load<i32>(list, 8)) change(p, row, 64);
    list += 16;
    let h0 = v128.load(p);
    let h1 = v128.load(p, 16);
    let h2 = v128.load(p, 32);
    let h3 = v128.load(p, 48);
    let behind = list + (<usize>(m - l) << 4);
    const later = behind < end ? load<i32>(behind, 4) - l : -1;
    if (m - l < 2 || <u32>later > 1 || load<i32>(behind) != m || load<i32>(behind, 8)) {
      while (p > last) {
        const a = v128.load_splat<f64>(list);
        const b = v128.load_splat<f64>(list, 8);
        const q = p - row;
        let x = v128.load(q);
        v128.store(p, f64x2.relaxed_madd(a, x, h0));
        h0 = f64x2.relaxed_nmadd(b, h0, x);
        x = v128.load(q, 16);
        v128.store(p, f64x2.relaxed_madd(a, x, h1), 16);
        h1 = f64x2.relaxed_nmadd(b, h1, x);
        x = v128.load(q, 32);
        v128.store(p, f64x2.relaxed_madd(a, x, h2), 32);
        h2 = f64x2.relaxed_nmadd(b, h2, x);
        x = v128.load(q, 48);
        v128.store(p, f64x2.relaxed_madd(a, x, h3), 48);
        h3 = f64x2.relaxed_nmadd(b, h3, x);
        p = q;
        list += 16;
      }
    } else {
      let a = v128.load_splat<f64>(list);
      let b = v128.load_splat<f64>(list, 8);
      let q = p - row;
      let x = v128.load(q);
      let g0 = f64x2.relaxed_madd(a, x, h0);
      h0 = f64x2.relaxed_nmadd(b, h0, x);
      x = v128.load(q, 16);
      let g1 = f64x2.relaxed_madd(a, x, h1);
      h1 = f64x2.relaxed_nmadd(b, h1, x);
      x = v128.load(q, 32);
      let g2 = f64x2.relaxed_madd(a, x, h2);
      h2 = f64x2.relaxed_nmadd(b, h2, x);
      x = v128.load(q, 48);
      let g3 = f64x2.relaxed_madd(a, x, h3);
      h3 = f64x2.relaxed_nmadd(b, h3, x);
      behind += 16;
      while (q > last) {
        list += 16;
        a = v128.load_splat<f64>(list);
        b = v128.load_splat<f64>(list, 8);
        const c = v128.load_splat<f64>(behind);
        const d = v128.load_splat<f64>(behind, 8);
        const next = q - row;
        x = v128.load(next);
        let y = f64x2.relaxed_madd(a, x, h0);
        h0 = f64x2.relaxed_nmadd(b, h0, x);
        v128.store(p, f64x2.relaxed_madd(c, y, g0));
        g0 = f64x2.relaxed_nmadd(d, g0, y);
        x = v128.load(next, 16);
        y = f64x2.relaxed_madd(a, x, h1);
        h1 = f64x2.relaxed_nmadd(b, h1, x);
        v128.store(p, f64x2.relaxed_madd(c, y, g1), 16);
        g1 = f64x2.relaxed_nmadd(d, g1, y);
        x = v128.load(next, 32);
        y = f64x2.relaxed_madd(a, x, h2);
        h2 = f64x2.relaxed_nmadd(b, h2, x);
        v128.store(p, f64x2.relaxed_madd(c, y, g2), 32);
        g2 = f64x2.relaxed_nmadd(d, g2, y);
        x = v128.load(next, 48);
        y = f64x2.relaxed_madd(a, x, h3);
        h3 = f64x2.relaxed_nmadd(b, h3, x);
        v128.store(p, f64x2.relaxed_madd(c, y, g3), 48);
        g3 = f64x2.relaxed_nmadd(d, g3, y);
        behind += 16;
        p = q;
        q = next;
      }
      if (later == 0) {
        a = v128.load_splat<f64>(behind);
        b = v128.load_splat<f64>(behind, 8);
        behind += 16;
        x = h0;
        h0 = f64x2.relaxed_nmadd(b, g0, x);
        g0 = f64x2.relaxed_madd(a, x, g0);
        x = h1;
        h1 = f64x2.relaxed_nmadd(b, g1, x);
        g1 = f64x2.relaxed_madd(a, x, g1);
        x = h2;
        h2 = f64x2.relaxed_nmadd(b, g2, x);
        g2 = f64x2.relaxed_madd(a, x, g2);
        x = h3;
        h3 = f64x2.relaxed_nmadd(b, g3, x);
        g3 = f64x2.relaxed_madd(a, x, g3);
      }
      v128.store(p, g0);
      v128.store(p, g1, 16);
      v128.store(p, g2, 32);
      v128.store(p, g3, 48);
      p = q;
      list = behind;
    }
    v128.store(p, h0);
    v128.store(p, h1, 16);
    v128.store(p, h2, 32);
    v128.store(p, h3, 48);
  }
}

/** Applies them to four columns, one run after the other. */
function turnFour(z: usize, row: usize, list: usize, end: usize): void {
  while (list < end) {
    let p = z + <usize>load<i32>(list) * row;
    const last = z + <usize>load<i32>(list, 4) * row;
    if (load<i32>(list, 8)) change(p, row, 32);
    list += 16;
    let h0 = v128.load(p);
    let h1 = v128.load(p, 16);
    while (p > last) {
      const a = v128.load_splat<f64>(list);
      const b = v128.load_splat<f64>(list, 8);
      const q = p - row;
      let x = v128.load(q);
      v128.store(p, f64x2.relaxed_madd(a, x, h0));
      h0 = f64x2.relaxed_nmadd(b, h0, x);
      x = v128.load(q, 16);
      v128.store(p, f64x2.relaxed_madd(a, x, h1), 16);
      h1 = f64x2.relaxed_nmadd(b, h1, x);
      p = q;
      list += 16;
    }
    v128.store(p, h0);
    v128.store(p, h1, 16);
  }
}
