/** Words at the beginning of `x` that are looked at. */
const looked = 1 << 16;

/** Magnitudes no recording leaves, in whatever unit it is sent: zero, or between these. */
const [smallest, largest] = [1e-30, 1e12];
const isPlausible = (value: number): boolean =>
  value === 0 || (Math.abs(value) >= smallest && Math.abs(value) <= largest);

function* read(bytes: Uint8Array<ArrayBuffer>, size: 4 | 8): Generator<number> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + size <= Math.min(bytes.length, 4 * looked); at += size)
    yield size === 4 ? view.getFloat32(at, true) : view.getFloat64(at, true);
}

/** Every second float32 is zero and the others are not: what whole numbers in float64 look like. */
function hasEmptyHalves(bytes: Uint8Array<ArrayBuffer>): boolean {
  let [low, high, at] = [0, 0, 0];
  for (const value of read(bytes, 4)) {
    if (at % 2 === 0 && value !== 0) low += 1;
    if (at % 2 === 1 && value !== 0) high += 1;
    at += 1;
  }
  return low === 0 && high > at / 4;
}

/** Share of plausible values among those looked at. */
function plausible(bytes: Uint8Array<ArrayBuffer>, size: 4 | 8): number {
  let [good, all] = [0, 0];
  for (const value of read(bytes, size)) {
    good += Number(isPlausible(value));
    all += 1;
  }
  return good / all;
}

/** Whether little-endian bytes can be a recording in float32: halves of float64 are of any magnitude, or zero. */
export const looksLikeFloat32 = (bytes: Uint8Array<ArrayBuffer>): boolean =>
  plausible(bytes, 4) > 0.95 && !hasEmptyHalves(bytes);

/** The same for float64. */
export const looksLikeFloat64 = (bytes: Uint8Array<ArrayBuffer>): boolean =>
  bytes.length % 8 === 0 && plausible(bytes, 8) > 0.99;
