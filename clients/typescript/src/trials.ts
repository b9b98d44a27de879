import { RefusedError } from './errors.ts';

/** Nested lists [trials][channels][samples]. */
export type NestedTrials = readonly (readonly ArrayLike<number>[])[];

/** Trials of the caller: nested lists, or one typed array with its `shape`. */
export interface TrialsInput {
  readonly x: NestedTrials | Float32Array | Float64Array;
  /** [trials, channels, samples]; required with a typed array. */
  readonly shape?: readonly [number, number, number] | readonly number[] | null;
}

/** Trials in one float32 array, [trials × channels × samples]. */
export interface PackedTrials {
  readonly values: Float32Array;
  readonly trials: number;
  readonly channels: number;
  readonly samples: number;
}

const refuse = (field: string, message: string): never => {
  throw new RefusedError('INVALID_REQUEST', `${field}: ${message}`, { field });
};

function packTyped(values: Float32Array | Float64Array, shape: TrialsInput['shape']): PackedTrials {
  if (!shape) return refuse('shape', 'is required with a typed array: [trials, channels, samples].');
  const [trials, channels, samples] = shape;
  const whole = shape.length === 3 && shape.every((size) => Number.isSafeInteger(size) && size > 0);
  if (!whole || trials * channels * samples !== values.length)
    refuse('shape', `[${shape.join(', ')}] does not match the ${values.length} numbers of x.`);
  const at = values.findIndex((value) => !Number.isFinite(value));
  if (at >= 0) refuse('x', `has ${values[at]} at index ${at}; every number must be finite.`);
  return { values: values instanceof Float32Array ? values : Float32Array.from(values), trials, channels, samples };
}

function packNested(x: NestedTrials): PackedTrials {
  const [trials, channels, samples] = [x.length, x[0]?.length ?? 0, x[0]?.[0]?.length ?? 0];
  if (!(trials && channels && samples)) refuse('x', 'must contain at least one trial, one channel and one sample.');
  const values = new Float32Array(trials * channels * samples);
  let next = 0;
  for (const [trial, rows] of x.entries()) {
    if (rows.length !== channels)
      refuse(`x[${trial}]`, `has ${rows.length} channels, but the first trial has ${channels}.`);
    for (const [channel, row] of rows.entries()) {
      const field = `x[${trial}][${channel}]`;
      if (row.length !== samples) refuse(field, `has ${row.length} samples, but the first row has ${samples}.`);
      for (let sample = 0; sample < samples; sample += 1) {
        const value: unknown = row[sample];
        if (!Number.isFinite(value)) refuse(`${field}[${sample}]`, `is ${String(value)}; every number must be finite.`);
        values[next++] = value as number;
      }
    }
  }
  return { values, trials, channels, samples };
}

/**
 * Puts trials into one float32 array. Throws RefusedError, which names the place, if the lists have different lengths,
 * a number is not finite, or `shape` does not match.
 */
export const packTrials = ({ x, shape }: TrialsInput): PackedTrials =>
  x instanceof Float32Array || x instanceof Float64Array ? packTyped(x, shape) : packNested(x);

/** Copies the trials at these indices, in that order. */
export function takeTrials({ values, channels, samples }: PackedTrials, indices: readonly number[]): PackedTrials {
  const size = channels * samples;
  const taken = new Float32Array(indices.length * size);
  for (const [at, index] of indices.entries()) taken.set(values.subarray(index * size, (index + 1) * size), at * size);
  return { values: taken, trials: indices.length, channels, samples };
}

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

function bytesOf(values: Float32Array): Uint8Array {
  if (isLittleEndian) return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const view = new DataView(new ArrayBuffer(values.byteLength));
  for (const [at, value] of values.entries()) view.setFloat32(4 * at, value, true);
  return new Uint8Array(view.buffer);
}

/** Bytes that are encoded at a time. Base64 needs a multiple of three. */
const group = 3 * 8_192;

/** The fields `x` and `shape` of a request; `x` is base64 of little-endian float32. */
export function encodeTrials(packed: PackedTrials): { x: string; shape: [number, number, number] } {
  const bytes = bytesOf(packed.values);
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += group)
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + group))));
  return { x: parts.join(''), shape: [packed.trials, packed.channels, packed.samples] };
}
