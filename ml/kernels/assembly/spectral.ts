import { aloneWork, iterateAlone } from './alone';
import { sortAscending } from './sort';
import { iterateLanes, laneWork } from './lanes';
import { reducePair } from './pair';
import { reduceOne } from './tridiagonal';
import { multiplyTN } from './tile';
import { clear, copy } from './move';

/** Copies rows [rows × n] to rows of ld values (ld ≥ n), padded with zeros. */
export function spread(from: usize, rows: i32, n: i32, to: usize, ld: i32): void {
  const size = <usize>n << 3;
  const rest = <usize>(ld - n) << 3;
  for (let i = 0; i < rows; i++, from += size, to += size + rest) {
    copy(from, to, size);
    clear(to + size, rest);
  }
}

/** Largest side at which two matrices are reduced to tridiagonal form side by side. */
const paired = 40;

/** Largest side at which eight tridiagonal matrices are solved side by side. */
const together = 64;

/** Size of the work of `eigenBatch` in float64 values, for matrices of side n. */
export function eigenWork(n: i32): i32 {
  const ld = (n + 3) & ~3;
  return 16 * n + (n <= together ? laneWork(n) : aloneWork(n)) + (n <= paired ? 3 * n * ld + 8 * n : 5 * ld) + 8;
}

/**
 * Eigendecompositions of a batch c [count × n × n]: eigenvalues in ascending order [count × n], eigenvectors as rows of
 * z [count × n × ld]. With vectors = false z is only scratch. `work` holds `eigenWork(n)` values.
 */
export function eigenBatch(
  c: usize,
  count: i32,
  n: i32,
  z: usize,
  ld: i32,
  values: usize,
  work: usize,
  vectors: bool,
): void {
  const raw = (<usize>n * n) << 3;
  const padded = (<usize>n * ld) << 3;
  const row = <usize>n << 3;
  const lanes = work + (<usize>n << 7);
  const rest = lanes + (<usize>(n <= together ? laneWork(n) : aloneWork(n)) << 3);
  if (n > together) {
    for (let i = 0; i < count; i++, c += raw, z += padded, values += row) {
      spread(c, n, n, z, ld);
      reduceOne(z, n, ld, work, rest, vectors);
      iterateAlone(work, n, z, ld, lanes, vectors);
      takeValues(work, n, values);
      sortAscending(z, n, ld, values, vectors);
    }
    return;
  }
  for (let from = 0; from < count; from += 8) {
    const some = min(8, count - from);
    if (some < 8) memory.fill(work, 0, <usize>n << 7);
    if (n <= paired) {
      for (let i = 0; i < some; i += 2) {
        // If the number of matrices is odd, the last one is paired with itself, and the second result is discarded.
        const two = i + 1 < some;
        const at = z + <usize>i * padded;
        reducePair(
          c,
          two ? c + raw : c,
          n,
          ld,
          at,
          two ? at + padded : rest,
          work + (<usize>i << 3),
          rest + padded,
          vectors,
        );
        c += 2 * raw;
      }
    } else {
      for (let i = 0; i < some; i++, c += raw) {
        const at = z + <usize>i * padded;
        spread(c, n, n, at, ld);
        reduceOne(at, n, ld, work + (<usize>i << 3), rest, vectors);
      }
    }
    iterateLanes(work, n, z, some, ld, lanes, vectors);
    for (let i = 0; i < some; i++, z += padded, values += row) {
      takeValues(work + (<usize>i << 3), n, values);
      sortAscending(z, n, ld, values, vectors);
    }
  }
}

function takeValues(lane: usize, n: i32, to: usize): void {
  for (let k = 0; k < n; k++, lane += 128, to += 8) store<f64>(to, load<f64>(lane));
}

/**
 * W·C·Wᵀ [count × q × q] of symmetric c [count × n × n]. Wᵀ is wt [n × ldq], ldq ≥ q. scratch: (n + ldq + 4)·(ld + ldq)
 * values.
 */
export function congruenceBatch(
  c: usize,
  count: i32,
  n: i32,
  wt: usize,
  q: i32,
  ldq: i32,
  out: usize,
  scratch: usize,
): void {
  const ld = (n + 3) & ~3;
  const padded = scratch;
  const half = padded + ((<usize>ld * ld) << 3);
  const full = half + ((<usize>ld * ldq) << 3);
  for (let i = 0; i < count; i++) {
    spread(c, n, n, padded, ld);
    multiplyTN(padded, ld, wt, ldq, half, ldq, n, n, q, false, false);
    multiplyTN(wt, ldq, half, ldq, full, ldq, q, n, q, true, false);
    mirror(full, ldq, out, q);
    c += (<usize>n * n) << 3;
    out += (<usize>q * q) << 3;
  }
}

/**
 * Σ values[k]·z_k·z_kᵀ of each decomposition (rows of z [n × ld]): a symmetric [n × n] for each. With `sum` it writes
 * their sum to one [ld × ld] at `out`, upper tiles only; the caller mirrors them. scratch: n·ld + ld·ld values.
 */
export function composeBatch(
  z: usize,
  values: usize,
  count: i32,
  n: i32,
  ld: i32,
  out: usize,
  sum: bool,
  scratch: usize,
): void {
  const full = scratch + ((<usize>n * ld) << 3);
  for (let i = 0; i < count; i++) {
    let from = z;
    let to = scratch;
    for (let k = 0; k < n; k++) {
      const value = v128.load_splat<f64>(values + (<usize>k << 3));
      for (let j = 0; j < ld; j += 2, from += 16, to += 16) v128.store(to, f64x2.mul(value, v128.load(from)));
    }
    if (sum) {
      multiplyTN(scratch, ld, z, ld, out, ld, n, n, n, true, i > 0);
    } else {
      multiplyTN(scratch, ld, z, ld, full, ld, n, n, n, true, false);
      mirror(full, ld, out, n);
      out += (<usize>n * n) << 3;
    }
    z = from;
    values += <usize>n << 3;
  }
}

/** Copies the upper triangle, in rows of ld values, to a full symmetric matrix [n × n]. */
export function mirror(from: usize, ld: i32, to: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    for (let j = i; j < n; j++) {
      const value = load<f64>(from + ((<usize>i * ld + j) << 3));
      store<f64>(to + ((<usize>i * n + j) << 3), value);
      store<f64>(to + ((<usize>j * n + i) << 3), value);
    }
  }
}
