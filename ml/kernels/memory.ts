import { kernels, replaceKernels } from './instance.ts';

/**
 * Memory of the kernels as a stack: what is allocated inside `scope` is free again when it returns, so nothing leaks.
 * Scopes nest; all calls are synchronous. Views must be taken after the last allocation, since growing detaches them.
 */
let top = 0;
let doubles = new Float64Array(0);
let floats = new Float32Array(0);
let integers = new Int32Array(0);
let bytes = new Uint8Array(0);

/** Runs `use` and frees what it allocated. */
export function scope<T>(use: () => T): T {
  const mark = top;
  try {
    return use();
  } finally {
    top = mark;
  }
}

/** Address of `bytes` free bytes, 64-byte aligned; throws a RangeError where memory is exhausted. */
export function allocate(bytes: number): number {
  const { memory, heapBase } = kernels();
  top ||= heapBase();
  const at = top;
  top += 64 * Math.ceil(bytes / 64 + 1);
  const missing = top - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / 65536) + 64);
  return at;
}

/** The memory of an idle thread may stay this large. */
const idleBytes = 8 * 1024 * 1024;

/**
 * Frees a large memory of the kernels in this thread; the next use begins with a new one, because the memory of a
 * WebAssembly module never shrinks. Does nothing inside `scope`.
 */
export function freeMemory(): void {
  const { memory, heapBase } = kernels();
  const isUsed = top > heapBase();
  if (isUsed || memory.buffer.byteLength <= idleBytes) return;
  replaceKernels();
  top = 0;
  [doubles, floats, integers, bytes] = [new Float64Array(0), new Float32Array(0), new Int32Array(0), new Uint8Array(0)];
}

/** Address of room for `count` float64. */
export const allocateDoubles = (count: number): number => allocate(count * 8);

/** Address of a copy of float64 values. */
export function place(values: Float64Array): number {
  const at = allocateDoubles(values.length);
  viewDoubles(at, values.length).set(values);
  return at;
}

/** Address of a copy of int32 values. */
export function placeIntegers(values: Int32Array): number {
  const at = allocate(values.length * 4);
  viewIntegers(at, values.length).set(values);
  return at;
}

/** Address of a copy of float32 values. */
export function placeFloats(values: Float32Array): number {
  const at = allocate(values.length * 4);
  refresh();
  floats.set(values, at / 4);
  return at;
}

/** `count` bytes at an address; valid until the next allocation. */
export function viewBytes(at: number, count: number): Uint8Array {
  refresh();
  return bytes.subarray(at, at + count);
}

/** `count` float64 at an address; valid until the next allocation. */
export function viewDoubles(at: number, count: number): Float64Array {
  refresh();
  return doubles.subarray(at / 8, at / 8 + count);
}

/** `count` float32 at an address; valid until the next allocation. */
export function viewFloats(at: number, count: number): Float32Array {
  refresh();
  return floats.subarray(at / 4, at / 4 + count);
}

/** `count` int32 at an address; valid until the next allocation. */
export function viewIntegers(at: number, count: number): Int32Array {
  refresh();
  return integers.subarray(at / 4, at / 4 + count);
}

/** A copy of `count` float64 at an address. */
export const read = (at: number, count: number): Float64Array => viewDoubles(at, count).slice();

function refresh(): void {
  const { buffer } = kernels().memory;
  if (doubles.buffer === buffer) return;
  doubles = new Float64Array(buffer);
  floats = new Float32Array(buffer);
  integers = new Int32Array(buffer);
  bytes = new Uint8Array(buffer);
}
