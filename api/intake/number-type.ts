/** Only this many bytes at the beginning of `x` are examined. */
const examinedBytes = 1 << 16;

/** Magnitudes of every recording in every unit are zero or between these. */
const [smallest, largest] = [1e-30, 1e12];
/** Largest value of an amplifier's converter: 24 bits. */
const largestCount = 2 ** 24;

type Bytes = Uint8Array<ArrayBuffer>;
type Values = Float32Array | Float64Array | Int32Array;

interface NumberType {
  readonly bytes: 4 | 8;
  /** `count` values from the beginning of the bytes. */
  read(bytes: Bytes, count: number): Values;
  isPlausible(value: number): boolean;
  /** If at least this fraction of the values is plausible, the bytes have this type. */
  readonly enough: number;
}

const isRecorded = (value: number): boolean =>
  value === 0 || (Math.abs(value) >= smallest && Math.abs(value) <= largest);

const viewOf = (bytes: Bytes): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const hostIsLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** `count` little-endian float32 values, by default all. A view of the bytes if the machine has the same byte order. */
export function littleEndian(bytes: Bytes, count = Math.floor(bytes.length / 4)): Float32Array<ArrayBuffer> {
  if (hostIsLittleEndian && bytes.byteOffset % 4 === 0) return new Float32Array(bytes.buffer, bytes.byteOffset, count);
  const view = viewOf(bytes);
  return Float32Array.from({ length: count }, (_, at) => view.getFloat32(at * 4, true));
}

const float32: NumberType = { bytes: 4, read: littleEndian, isPlausible: isRecorded, enough: 0.95 };

/** Possible types of bytes that are not float32, the most specific first. */
const others: Readonly<Record<string, NumberType>> = {
  float64: {
    bytes: 8,
    read: (bytes, count) => Float64Array.from({ length: count }, (_, at) => viewOf(bytes).getFloat64(at * 8, true)),
    isPlausible: isRecorded,
    enough: 0.99,
  },
  'big-endian float32': {
    ...float32,
    read: (bytes, count) => Float32Array.from({ length: count }, (_, at) => viewOf(bytes).getFloat32(at * 4, false)),
  },
  int32: {
    bytes: 4,
    read: (bytes, count) => Int32Array.from({ length: count }, (_, at) => viewOf(bytes).getInt32(at * 4, true)),
    isPlausible: (value) => Math.abs(value) <= largestCount,
    enough: 0.99,
  },
};

const read = (bytes: Bytes, type: NumberType): Values =>
  type.read(bytes, Math.floor(Math.min(bytes.length, examinedBytes) / type.bytes));

/** Every second float32 is zero and the others are not. Whole numbers in float64 look like this. */
function hasEmptyHalves(values: Values): boolean {
  let high = 0;
  for (let at = 0; at < values.length; at++) {
    if (values[at] === 0) continue;
    if (at % 2 === 0) return false;
    high += 1;
  }
  return high > values.length / 4;
}

function readsWell(values: Values, { isPlausible, enough }: NumberType): boolean {
  let good = 0;
  for (let at = 0; at < values.length; at++) if (isPlausible(values[at])) good += 1;
  return good / values.length > enough;
}

/** Mask of a float32 without its sign. Ordered like the magnitudes, and largest for NaN. */
const magnitude = 0x7fffffff;
const bitsOf = (value: number): number => new Int32Array(Float32Array.of(value).buffer)[0];
/** Bit patterns of the smallest and largest float32 between the limits. */
const leastBits = bitsOf(smallest) + Number(Math.fround(smallest) < smallest);
const mostBits = bitsOf(largest) - Number(Math.fround(largest) > largest);

/**
 * About 3e-27 as bits: 2^30 − 1 below `mostBits`. After subtraction of these bits, bit 30 of a magnitude is clear
 * only between this value and `mostBits`. The sign changes bit 31 only.
 */
const usual = mostBits - (2 ** 30 - 1);
const bit30 = 1 << 30;

/** Whether eight values have usual magnitudes, as nearly all do. It takes one branch. */
const areUsual = (bits: Int32Array, at: number): boolean =>
  (((bits[at] - usual) |
    (bits[at + 1] - usual) |
    (bits[at + 2] - usual) |
    (bits[at + 3] - usual) |
    (bits[at + 4] - usual) |
    (bits[at + 5] - usual) |
    (bits[at + 6] - usual) |
    (bits[at + 7] - usual)) &
    bit30) ===
  0;

export interface Magnitudes {
  /** Whether the values can be from a recording: halves of float64 have any magnitude, or are zero. */
  readonly areRecorded: boolean;
  /** Upper bound of the absolute values; NaN if a value is NaN. */
  readonly bound: number;
}

/** Statistics of the magnitudes of float32 values. Runs on every body. */
export function magnitudesOf(values: Float32Array): Magnitudes {
  const bits = new Int32Array(values.buffer, values.byteOffset, values.length);
  const count = Math.min(bits.length, examinedBytes / float32.bytes);
  let [odd, top] = [0, mostBits];
  for (let from = 0; from < bits.length; from += 8) {
    if (from + 7 < bits.length && areUsual(bits, from)) continue;
    for (let at = from; at < Math.min(from + 8, bits.length); at++) {
      const size = bits[at] & magnitude;
      if (size > top) top = size;
      if (at < count && size !== 0 && (size < leastBits || size > mostBits)) odd += 1;
    }
  }
  return {
    areRecorded: (count - odd) / count > float32.enough && !hasEmptyHalves(values.subarray(0, count)),
    bound: new Float32Array(Int32Array.of(top).buffer)[0],
  };
}

/** Whether little-endian bytes can be a recording in float32. */
export const looksLikeFloat32 = (bytes: Bytes): boolean =>
  bytes.length % float32.bytes === 0 &&
  magnitudesOf(littleEndian(bytes, Math.min(bytes.length, examinedBytes) / float32.bytes)).areRecorded;

/** The probable type of bytes that cannot be float32; null if no type fits. */
export function otherNumberType(bytes: Bytes): string | null {
  if (looksLikeFloat32(bytes)) return null;
  const found = Object.entries(others).find(
    ([, type]) => bytes.length % type.bytes === 0 && readsWell(read(bytes, type), type),
  );
  return found?.[0] ?? null;
}
