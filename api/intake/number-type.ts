/** Bytes at the beginning of `x` that are looked at. */
const looked = 1 << 18;

/** Magnitudes no recording leaves, in whatever unit it is sent: zero, or between these. */
const [smallest, largest] = [1e-30, 1e12];
/** What an amplifier's converter counts to: 24 bits. */
const largestCount = 2 ** 24;

type Bytes = Uint8Array<ArrayBuffer>;

interface NumberType {
  readonly bytes: 4 | 8;
  read(view: DataView, at: number): number;
  isPlausible(value: number): boolean;
  /** Share of plausible values from which bytes read well. */
  readonly enough: number;
}

const isRecorded = (value: number): boolean =>
  value === 0 || (Math.abs(value) >= smallest && Math.abs(value) <= largest);

const float32: NumberType = {
  bytes: 4,
  read: (view, at) => view.getFloat32(at, true),
  isPlausible: isRecorded,
  enough: 0.95,
};

/** What bytes that are not float32 may be instead, most telling first. */
const others: Readonly<Record<string, NumberType>> = {
  float64: { bytes: 8, read: (view, at) => view.getFloat64(at, true), isPlausible: isRecorded, enough: 0.99 },
  'big-endian float32': { ...float32, read: (view, at) => view.getFloat32(at, false) },
  int32: {
    bytes: 4,
    read: (view, at) => view.getInt32(at, true),
    isPlausible: (value) => Math.abs(value) <= largestCount,
    enough: 0.99,
  },
};

function* read(bytes: Bytes, type: NumberType): Generator<number> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = Math.min(bytes.length, looked);
  for (let at = 0; at + type.bytes <= end; at += type.bytes) yield type.read(view, at);
}

/** Every second float32 is zero and the others are not: what whole numbers in float64 look like. */
function hasEmptyHalves(bytes: Bytes): boolean {
  let [low, high, at] = [0, 0, 0];
  for (const value of read(bytes, float32)) {
    if (at % 2 === 0 && value !== 0) low += 1;
    if (at % 2 === 1 && value !== 0) high += 1;
    at += 1;
  }
  return low === 0 && high > at / 4;
}

function readsWell(bytes: Bytes, type: NumberType): boolean {
  if (bytes.length % type.bytes !== 0) return false;
  let [good, all] = [0, 0];
  for (const value of read(bytes, type)) {
    good += Number(type.isPlausible(value));
    all += 1;
  }
  return good / all > type.enough;
}

/** Whether little-endian bytes can be a recording in float32: halves of float64 are of any magnitude, or zero. */
export const looksLikeFloat32 = (bytes: Bytes): boolean => readsWell(bytes, float32) && !hasEmptyHalves(bytes);

/** The type that bytes read well as where they cannot be float32; null where none does. */
export const otherNumberType = (bytes: Bytes): string | null =>
  looksLikeFloat32(bytes) ? null : (Object.entries(others).find(([, type]) => readsWell(bytes, type))?.[0] ?? null);
