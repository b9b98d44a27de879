import { Unzlib } from 'fflate';
import { RecordingFault } from '../fault.ts';

/** A value of a MATLAB 5 file. */
export interface MatValue {
  readonly dims: readonly number[];
  /** Numbers, read when they are needed; null for other classes. */
  readonly numbers: (() => Float64Array) | null;
  readonly text: string | null;
  /** Entries of a cell array, or of a struct array (one map of fields each). */
  readonly cells: readonly MatValue[] | null;
  readonly structs: readonly ReadonlyMap<string, MatValue>[] | null;
}

const deepest = 8;
const mostFields = 4_096;
/** Bounds of a file: elements, and bytes after decompression for each byte of the file. */
const most = { elements: 4_000_000, timesTheFile: 8, plusBytes: 64 * 2 ** 20 } as const;
const type = {
  int8: 1,
  uint8: 2,
  int16: 3,
  uint16: 4,
  int32: 5,
  uint32: 6,
  single: 7,
  double: 9,
  int64: 12,
  uint64: 13,
  matrix: 14,
  compressed: 15,
  utf8: 16,
  utf16: 17,
} as const;

const damaged = (what: string): RecordingFault =>
  new RecordingFault('damaged_header', `Its MATLAB data is damaged: ${what}. Save it again in EEGLAB.`);

interface Element {
  readonly type: number;
  readonly from: number;
  readonly bytes: number;
  /** Where the next element begins. */
  readonly next: number;
}

/** Reads the variables of a MATLAB 5 file (level 5 MAT-file format). Time and memory are bounded by its size. */
export function readMat5(bytes: Uint8Array): ReadonlyMap<string, MatValue> {
  const budget = { elements: most.elements, bytes: bytes.length * most.timesTheFile + most.plusBytes };
  if (latin(bytes, 126, 128) !== 'IM') throw damaged('it is written in big-endian order');
  const variables = new Map<string, MatValue>();
  for (let at = 128; at + 8 <= bytes.length;) {
    const element = elementAt(bytes, at, bytes.length);
    at = element.next;
    if (element.type === type.compressed) {
      const inner = inflate(bytes.subarray(element.from, element.from + element.bytes), budget);
      const first = elementAt(inner, 0, inner.length);
      if (first.type === type.matrix) addTo(variables, matrixAt(inner, first, 0, budget));
    } else if (element.type === type.matrix) addTo(variables, matrixAt(bytes, element, 0, budget));
  }
  return variables;
}

const addTo = (variables: Map<string, MatValue>, { name, value }: { name: string; value: MatValue }): void => {
  variables.set(name, value);
};

const latin = (bytes: Uint8Array, from: number, to: number): string => {
  let text = '';
  for (let i = from; i < to; i++) text += String.fromCharCode(bytes[i]);
  return text;
};

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function elementAt(bytes: Uint8Array, at: number, end: number): Element {
  if (at + 8 > end) throw damaged('an element is cut short');
  const view = viewOf(bytes);
  const word = view.getUint32(at, true);
  const isSmall = word >>> 16 !== 0;
  const length = isSmall ? word >>> 16 : view.getUint32(at + 4, true);
  const from = isSmall ? at + 4 : at + 8;
  if (from + length > end) throw damaged('an element is longer than the file');
  const kind = word & 0xff_ff;
  const padded = kind === type.compressed ? length : Math.ceil(length / 8) * 8;
  return { type: kind, from, bytes: length, next: isSmall ? at + 8 : Math.min(end, from + padded) };
}

function inflate(packed: Uint8Array, budget: { bytes: number }): Uint8Array {
  const chunks: Uint8Array[] = [];
  let total = 0;
  const stream = new Unzlib((chunk) => {
    total += chunk.length;
    if (total > budget.bytes) throw damaged('it is far larger unpacked than packed');
    chunks.push(chunk);
  });
  const step = 64 * 1024;
  for (let at = 0; at < packed.length; at += step)
    stream.push(packed.subarray(at, at + step), at + step >= packed.length);
  budget.bytes -= total;
  const all = new Uint8Array(total);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

const empty: MatValue = { dims: [0, 0], numbers: () => new Float64Array(0), text: null, cells: null, structs: null };

function matrixAt(
  bytes: Uint8Array,
  { from, bytes: length }: Element,
  depth: number,
  budget: { elements: number; bytes: number },
): { name: string; value: MatValue } {
  if (--budget.elements < 0) throw damaged(`it has more than ${most.elements} elements`);
  if (length === 0) return { name: '', value: empty };
  if (depth > deepest) throw damaged('its values are nested too deeply');
  const end = from + length;
  const flags = elementAt(bytes, from, end);
  const kind = viewOf(bytes).getUint8(flags.from);
  const shape = elementAt(bytes, flags.next, end);
  const dims = [...numbersOf(bytes, shape)];
  const label = elementAt(bytes, shape.next, end);
  const name = latin(bytes, label.from, label.from + Math.min(label.bytes, 64));
  const count = dims.reduce((product, each) => product * each, 1);
  if (!(count >= 0 && count <= bytes.length)) throw damaged('an array has more values than the file has bytes');
  const inner = { bytes, end, depth, budget, count };
  if (kind === 1) {
    const { values } = matricesAt(label.next, { ...inner });
    return { name, value: { dims, numbers: null, text: null, cells: values, structs: null } };
  }
  if (kind === 2)
    return { name, value: { dims, numbers: null, text: null, cells: null, structs: structsAt(label.next, inner) } };
  if (kind < 4 || kind > 15 || kind === 5) return { name, value: { ...empty, numbers: null } };
  const data = elementAt(bytes, label.next, end);
  if (kind === 4)
    return { name, value: { dims, numbers: null, text: textOf(bytes, data), cells: null, structs: null } };
  return { name, value: { dims, numbers: () => numbersOf(bytes, data), text: null, cells: null, structs: null } };
}

interface Inner {
  readonly bytes: Uint8Array;
  readonly end: number;
  readonly depth: number;
  readonly budget: { elements: number; bytes: number };
  readonly count: number;
}

function matricesAt(at: number, { bytes, end, depth, budget, count }: Inner): { values: MatValue[] } {
  const values: MatValue[] = [];
  for (let i = 0; i < count; i++) {
    const element = elementAt(bytes, at, end);
    if (element.type !== type.matrix) throw damaged('an array has a value that is no array');
    values.push(matrixAt(bytes, element, depth + 1, budget).value);
    at = element.next;
  }
  return { values };
}

function structsAt(at: number, inner: Inner): ReadonlyMap<string, MatValue>[] {
  const { bytes, end, count } = inner;
  const width = elementAt(bytes, at, end);
  const [size = 0] = numbersOf(bytes, width);
  const names = elementAt(bytes, width.next, end);
  const fields =
    size > 0 && names.bytes / size <= mostFields
      ? Array.from(
          { length: Math.floor(names.bytes / size) },
          (_, i) => latin(bytes, names.from + i * size, names.from + (i + 1) * size).split('\0', 1)[0],
        )
      : [];
  if (fields.length === 0) return [];
  const { values } = matricesAt(names.next, { ...inner, count: count * fields.length });
  return Array.from(
    { length: count },
    (_, i) => new Map(fields.map((field, j) => [field, values[i * fields.length + j]])),
  );
}

function textOf(bytes: Uint8Array, data: Element): string {
  const part = bytes.subarray(data.from, data.from + data.bytes);
  if (data.type === type.utf8 || data.type === type.int8 || data.type === type.uint8)
    return new TextDecoder().decode(part);
  return String.fromCharCode(...numbersOf(bytes, { ...data, bytes: Math.min(data.bytes, 20_000) }));
}

const widths: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 2,
  5: 4,
  6: 4,
  7: 4,
  9: 8,
  12: 8,
  13: 8,
  17: 2,
};

function numbersOf(bytes: Uint8Array, { type: kind, from, bytes: length }: Element): Float64Array {
  const width = widths[kind];
  if (width === undefined) throw damaged(`numbers of kind ${kind} are not known`);
  const view = viewOf(bytes);
  const values = new Float64Array(Math.floor(length / width));
  for (let i = 0, at = from; i < values.length; i++, at += width) values[i] = numberAt(view, kind, at);
  return values;
}

function numberAt(view: DataView, kind: number, at: number): number {
  switch (kind) {
    case type.int8:
      return view.getInt8(at);
    case type.uint8:
      return view.getUint8(at);
    case type.int16:
      return view.getInt16(at, true);
    case type.uint16:
    case type.utf16:
      return view.getUint16(at, true);
    case type.int32:
      return view.getInt32(at, true);
    case type.uint32:
      return view.getUint32(at, true);
    case type.single:
      return view.getFloat32(at, true);
    case type.int64:
      return Number(view.getBigInt64(at, true));
    case type.uint64:
      return Number(view.getBigUint64(at, true));
    default:
      return view.getFloat64(at, true);
  }
}
