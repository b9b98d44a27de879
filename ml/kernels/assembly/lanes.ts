import { fallen, gatherSweep, scaleRows, turnColumns } from './rotations';
import { copy } from './move';

/**
 * Implicit QL with Wilkinson shifts (Golub & Van Loan, 8.3) on eight tridiagonal matrices side by side, one in each
 * lane, so that no matrix waits for its own square roots and quotients. The lanes share only the order of their steps.
 * Each lane has its own shifts, splits and end, so its result does not depend on its neighbours. Rotations are stored
 * first, then applied to the rows of each z [n × ld] in a few passes.
 */

/** Number of rotations of eight lanes that are stored before they are applied. */
const storedRotations = 2048;

/**
 * Bytes of the record of one sweep: end of each lane's block (f64), address of the first rotation, index after it,
 * index of the last.
 */
const sweepSize: usize = 80;

/**
 * Size of `work` in float64 values, for matrices of side n: states, rotations, sweeps, the rotations of one lane, and
 * its row scales.
 */
export function laneWork(n: i32): i32 {
  return 40 + (storedRotations + n) * 32 + 8 * n;
}

/**
 * Eigenvalues of de [n][d and e of eight lanes], where e[i] couples i and i + 1. Leaves them in d, unsorted. With
 * vectors = true it also rotates the rows of `count` matrices of n · ld values each, from z on.
 */
export function iterateLanes(de: usize, n: i32, z: usize, count: i32, ld: i32, work: usize, vectors: bool): void {
  // Lanes are processed in pairs. With fewer matrices than lanes, only the first pairs are processed.
  const wide = (<usize>(count + 1) & ~1) << 3;
  const ends = work + 256;
  const rotations = work + 320;
  const full = rotations + (<usize>storedRotations << 7);
  const sweeps = full + (<usize>n << 7);
  const list = sweeps + <usize>(storedRotations + n) * sweepSize;
  const scales = list + (<usize>(storedRotations + n) * 48);
  if (vectors) for (let k: usize = 0; k < <usize>n << 6; k += 8) store<f64>(scales + k, 1);
  let rotation = rotations;
  let sweep = sweeps;
  for (let l = 0; l < n - 1; l++) {
    const at = de + (<usize>l << 7);
    for (let lane: usize = 0; lane < wide; lane += 16) v128.store(ends + lane, f64x2.splat(<f64>(n - 1)));
    for (let tries = 0; tries < 60; tries++) {
      for (let lane: usize = 0; lane < wide; lane += 16) findEnds(at + lane, l, n - 1, ends + lane);
      let most = v128.load(ends);
      let fewest = most;
      for (let lane: usize = 16; lane < wide; lane += 16) {
        const own = v128.load(ends + lane);
        most = f64x2.pmax(most, own);
        fewest = f64x2.pmin(fewest, own);
      }
      const top = <i32>max(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1));
      const least = <i32>min(f64x2.extract_lane(fewest, 0), f64x2.extract_lane(fewest, 1));
      if (top == l) break;
      for (let lane: usize = 0; lane < wide; lane += 16) shift(at + lane, de + lane, work + lane);
      copy(ends, sweep, 64);
      store<u32>(sweep, <u32>rotation, 64);
      store<i32>(sweep, top, 68);
      store<i32>(sweep, l, 72);
      let q = at + (<usize>(top - 1 - l) << 7);
      for (let i = top - 1; i >= l; i--, q -= 128) {
        const index = f64x2.splat(<f64>i);
        if (wide == 64) {
          if (i + 1 < least) {
            turn(q, rotation, work, index, false);
            turn(q + 16, rotation + 16, work + 16, index, false);
            turn(q + 32, rotation + 32, work + 32, index, false);
            turn(q + 48, rotation + 48, work + 48, index, false);
          } else {
            turn(q, rotation, work, index, true);
            turn(q + 16, rotation + 16, work + 16, index, true);
            turn(q + 32, rotation + 32, work + 32, index, true);
            turn(q + 48, rotation + 48, work + 48, index, true);
          }
        } else {
          for (let lane: usize = 0; lane < wide; lane += 16) turn(q + lane, rotation + lane, work + lane, index, true);
        }
        if (vectors) rotation += 128;
      }
      for (let lane: usize = 0; lane < wide; lane += 16) finish(at + lane, work + lane, l);
      if (vectors) sweep += sweepSize;
      if (rotation > full) {
        turnRows(z, n, ld, count, sweeps, sweep, list, scales, false);
        rotation = rotations;
        sweep = sweeps;
      }
    }
  }
  if (vectors) turnRows(z, n, ld, count, sweeps, sweep, list, scales, true);
}

/**
 * Finds the ends of two lanes' blocks, which begin at l: the first row that is not coupled to the next one to working
 * precision.
 */
// @ts-ignore: decorator
@inline
function findEnds(at: usize, l: i32, last: i32, ends: usize): void {
  let end = v128.load(ends);
  let own = f64x2.abs(v128.load(at));
  for (let i = l; i < last; i++, at += 128) {
    const next = f64x2.abs(v128.load(at, 128));
    const coupled = f64x2.gt(f64x2.abs(v128.load(at, 64)), f64x2.mul(f64x2.splat(1.2e-16), f64x2.add(own, next)));
    own = next;
    if (i64x2.all_true(coupled)) continue;
    const index = f64x2.splat(<f64>i);
    end = v128.bitselect(end, f64x2.min(end, index), coupled);
    if (!v128.any_true(f64x2.gt(end, index))) break;
  }
  v128.store(ends, end);
}

/** State of two lanes at the start of a sweep: g, sine 1, cosine 1, shift of d 0; 64 bytes apart. */
// @ts-ignore: decorator
@inline
function shift(at: usize, de: usize, state: usize): void {
  const one = f64x2.splat(1);
  const own = v128.load(at);
  const coupling = v128.load(at, 64);
  const slope = f64x2.div(f64x2.sub(v128.load(at, 128), own), f64x2.add(coupling, coupling));
  const root = v128.or(f64x2.sqrt(f64x2.relaxed_madd(slope, slope, one)), v128.and(slope, f64x2.splat(-0.0)));
  const first = de + (<usize>load<f64>(state, 256) << 7);
  const second = de + (<usize>load<f64>(state, 264) << 7);
  const corner = f64x2.replace_lane(f64x2.splat(load<f64>(first)), 1, load<f64>(second, 8));
  v128.store(state, f64x2.add(f64x2.sub(corner, own), f64x2.div(coupling, f64x2.add(slope, root))));
  v128.store(state, one, 64);
  v128.store(state, one, 128);
  v128.store(state, f64x2.splat(0), 192);
}

/**
 * One rotation in two lanes. Squares below 1e-300 count as zero. masked: a lane changes only where `index` lies before
 * the end of its block, whose last row is coupled to none. The other lane stays as it is.
 */
// @ts-ignore: decorator
@inline
function turn(q: usize, rotation: usize, state: usize, index: v128, masked: bool): void {
  const one = f64x2.splat(1);
  const coupling = v128.load(q, 64);
  const g = v128.load(state);
  const sineBefore = v128.load(state, 64);
  const cosineBefore = v128.load(state, 128);
  const movedBefore = v128.load(state, 192);
  const next = v128.load(q, 128);
  const f = f64x2.mul(sineBefore, coupling);
  const b = f64x2.mul(cosineBefore, coupling);
  const square = f64x2.relaxed_madd(g, g, f64x2.mul(f, f));
  const some = f64x2.gt(square, f64x2.splat(1e-300));
  const r = f64x2.sqrt(square);
  const inverse = f64x2.mul(r, f64x2.div(one, square));
  const sine = v128.and(f64x2.mul(f, inverse), some);
  const cosine = v128.bitselect(f64x2.mul(g, inverse), one, some);
  const shifted = f64x2.sub(next, movedBefore);
  const turned = f64x2.relaxed_madd(cosine, f64x2.add(b, b), f64x2.mul(sine, f64x2.sub(v128.load(q), shifted)));
  const moved = f64x2.mul(sine, turned);
  const ahead = f64x2.relaxed_madd(cosine, turned, f64x2.neg(b));
  v128.store(rotation, cosine);
  v128.store(rotation, sine, 64);
  if (masked) {
    const active = f64x2.gt(v128.load(state, 256), index);
    const coupled = v128.and(r, f64x2.gt(v128.load(state, 256), f64x2.add(index, one)));
    v128.store(q, v128.bitselect(coupled, v128.load(q, 192), active), 192);
    v128.store(q, v128.bitselect(f64x2.add(shifted, moved), next, active), 128);
    v128.store(state, v128.bitselect(ahead, g, active));
    v128.store(state, v128.bitselect(sine, sineBefore, active), 64);
    v128.store(state, v128.bitselect(cosine, cosineBefore, active), 128);
    v128.store(state, v128.and(moved, active), 192);
  } else {
    v128.store(q, r, 192);
    v128.store(q, f64x2.add(shifted, moved), 128);
    v128.store(state, ahead);
    v128.store(state, sine, 64);
    v128.store(state, cosine, 128);
    v128.store(state, moved, 192);
  }
}

/** Writes row l at the end of a sweep. */
// @ts-ignore: decorator
@inline
function finish(at: usize, state: usize, l: i32): void {
  const going = f64x2.gt(v128.load(state, 256), f64x2.splat(<f64>l));
  v128.store(at, f64x2.sub(v128.load(at), v128.load(state, 192)));
  v128.store(at, v128.bitselect(v128.load(state), v128.load(at, 64), going), 64);
}

/**
 * Applies the rotations of the sweeps from `from` to `to` to the rows of `count` matrices, each with the rotations of
 * its lane. last: these are the last sweeps.
 */
function turnRows(
  z: usize,
  n: i32,
  ld: i32,
  count: i32,
  from: usize,
  to: usize,
  list: usize,
  scales: usize,
  last: bool,
): void {
  for (let lane: usize = 0; lane < <usize>count << 3; lane += 8) {
    let end = list;
    for (let sweep = from; sweep < to; sweep += sweepSize) {
      const m = <i32>load<f64>(sweep + lane);
      const l = load<i32>(sweep, 72);
      if (m <= l) continue;
      const first = <usize>load<u32>(sweep, 64) + (<usize>(load<i32>(sweep, 68) - m) << 7) + lane;
      end = gatherSweep(first, 128, 64, m, l, end, scales);
      if (!fallen) continue;
      turnColumns(z, ld, list, end);
      scaleRows(z, n, ld, scales);
      end = list;
    }
    turnColumns(z, ld, list, end);
    if (last) scaleRows(z, n, ld, scales);
    z += (<usize>n * ld) << 3;
    scales += <usize>n << 3;
  }
}
