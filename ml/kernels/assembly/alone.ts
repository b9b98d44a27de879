import { fallen, gatherSweep, scaleRows, turnColumns } from './rotations';

/** Number of rotations that are stored before they are applied to the rows. */
const storedRotations = 1024;

/**
 * Size of `work` in float64 values, for a matrix of side n: the rotations of one sweep, the stored rotations, and one
 * scale for each row.
 */
export function aloneWork(n: i32): i32 {
  return 2 * n + (storedRotations + n) * 4 + n;
}

/**
 * Eigenvalues of one tridiagonal matrix by implicit QL with Wilkinson shifts (Golub & Van Loan, 8.3). For large
 * matrices, which seldom come in a batch. The matrix is in the first lane of de [n][d and e of eight lanes]. Leaves the
 * eigenvalues in d, unsorted. With vectors = true it also rotates the rows of z [n × ld].
 */
export function iterateAlone(de: usize, n: i32, z: usize, ld: i32, work: usize, vectors: bool): void {
  const d = de;
  const e = de + 64;
  const scales = work + (<usize>n << 4);
  const list = scales + (<usize>n << 3);
  const full = list + (<usize>storedRotations << 5);
  for (let i = 0; i < n; i++) store<f64>(scales + (<usize>i << 3), 1);
  let end = list;
  for (let l = 0; l < n; l++) {
    for (let tries = 0; tries < 60; tries++) {
      let m = l;
      while (m < n - 1 && abs(at(e, m)) > 1.2e-16 * (abs(at(d, m)) + abs(at(d, m + 1)))) m++;
      if (m == l) break;
      sweep(d, e, l, m, work);
      if (!vectors) continue;
      end = gatherSweep(work + (<usize>(m - 1) << 4), -16, 8, m, l, end, scales);
      if (!fallen && end < full) continue;
      turnColumns(z, ld, list, end);
      end = list;
      if (fallen) scaleRows(z, n, ld, scales);
    }
  }
  if (!vectors) return;
  turnColumns(z, ld, list, end);
  scaleRows(z, n, ld, scales);
}

/**
 * One QL sweep on the tridiagonal block l … m, in the root-free form (Pal, Walker & Kahan; Parlett 1998, 8.15). The
 * recurrence uses squares of cosines and sines, so no step has to wait for a square root. Stores (c, s) of rotation i
 * at rotations[2i]. The signs follow from g = γ·sin/cos of the previous rotation.
 */
function sweep(d: usize, e: usize, l: i32, m: i32, rotations: usize): void {
  const slope = (at(d, l + 1) - at(d, l)) / (2 * at(e, l));
  const sigma = at(d, l) - at(e, l) / (slope + copysign(sqrt(slope * slope + 1), slope));
  let gamma = at(d, m) - sigma;
  let p = gamma * gamma;
  let sign = gamma;
  let c2: f64 = 1;
  let s2: f64 = 0;
  let cosine: f64 = 1;
  let sineSign: f64 = 1;
  for (let i = m - 1; i >= l; i--) {
    const ei = at(e, i);
    const bb = ei * ei;
    const r = p + bb;
    if (i < m - 1) set(e, i + 1, sqrt(s2 * r));
    const before = c2;
    const inverse = r / p;
    c2 = r > 0 ? p / r : 1;
    s2 = r > 0 ? bb / r : 0;
    const alpha = at(d, i);
    const old = gamma;
    gamma = c2 * (alpha - sigma) - s2 * old;
    set(d, i + 1, old + (alpha - gamma));
    sineSign = copysign(sineSign, sineSign * ei);
    const roots = f64x2.sqrt(f64x2.replace_lane(f64x2.splat(c2), 1, s2));
    const previous = cosine;
    cosine = copysign(f64x2.extract_lane(roots, 0), sign);
    store<f64>(rotations + (<usize>i << 4), cosine);
    store<f64>(rotations + (<usize>i << 4), copysign(f64x2.extract_lane(roots, 1), sineSign), 8);
    if (c2 > 0) {
      p = gamma * gamma * inverse;
      sign = gamma * sineSign * copysign(1, cosine);
    } else {
      p = before * bb;
      sign = -previous * ei;
    }
  }
  set(d, l, sigma + gamma);
  set(e, l, copysign(sqrt(s2 * p), sign));
  set(e, m, 0);
}

// @ts-ignore: decorator
@inline
function at(p: usize, i: i32): f64 {
  return load<f64>(p + (<usize>i << 7));
}

// @ts-ignore: decorator
@inline
function set(p: usize, i: i32, value: f64): void {
  store<f64>(p + (<usize>i << 7), value);
}
