import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { looksLikeFloat32, magnitudesOf } from '../../api/intake/number-type.ts';
import { runs, seed } from '../support/counts.ts';

const bitsOf = (value: number): number => new Int32Array(Float32Array.of(value).buffer)[0];
const floats = (bits: readonly number[]): Float32Array<ArrayBuffer> => new Float32Array(Int32Array.from(bits).buffer);

/** The definition, value by value: zero, or a magnitude between the limits. */
const isRecorded = (value: number): boolean => value === 0 || (Math.abs(value) >= 1e-30 && Math.abs(value) <= 1e12);

const sign = fc.constantFrom(0, -(2 ** 31));
/** Values next to where magnitudes are told apart, those of a recording, and any. */
const edge = fc
  .tuple(fc.constantFrom(0, 1e-45, 1e-30, 2e-27, 1, 1e12, 3.4e38, Infinity, NaN), fc.integer({ min: -3, max: 3 }), sign)
  .map(([value, steps, negative]) => Math.max(0, bitsOf(value) + steps) | negative);
const usual = fc.integer({ min: -1000, max: 1000 }).map((value) => bitsOf(value / 8));
const anyBits = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const lists = fc.oneof(
  fc.array(usual, { maxLength: 40 }),
  fc.array(fc.oneof({ weight: 12, arbitrary: usual }, edge), { maxLength: 40 }),
  fc.array(fc.oneof(edge, anyBits), { maxLength: 40 }),
);

describe('magnitudes of float32 values', () => {
  it('are those of a recording if nearly every value is zero or between the limits', () => {
    fc.assert(
      fc.property(lists, (bits) => {
        const values = floats(bits);
        const good = [...values].filter(isRecorded).length;
        const odd = [...values].filter((value, at) => at % 2 === 1 && value !== 0).length;
        const hasEmptyHalves = values.every((value, at) => at % 2 === 1 || value === 0) && odd > values.length / 4;
        expect(magnitudesOf(values).areRecorded).toBe(good / values.length > 0.95 && !hasEmptyHalves);
        expect(looksLikeFloat32(new Uint8Array(values.buffer))).toBe(magnitudesOf(values).areRecorded);
      }),
      { numRuns: runs(1_000, 50_000), seed: seed() },
    );
  });

  it('have an upper bound for every value, and for numbers beyond the limit the largest one', () => {
    fc.assert(
      fc.property(lists, (bits) => {
        const values = floats(bits);
        const largest = Math.max(Math.fround(1e12), ...values.map(Math.abs));
        expect(magnitudesOf(values).bound).toBe(largest);
      }),
      { numRuns: runs(1_000, 50_000), seed: seed() },
    );
  });

  it('are checked for their type in the first 64 KiB, and for their bound everywhere', () => {
    const values = new Float32Array(20_000).fill(3);
    values.fill(1e-40, 16_384);
    values[19_999] = -2e30;
    expect(magnitudesOf(values)).toEqual({ areRecorded: true, bound: Math.fround(2e30) });
    values.fill(1e-40, 15_000);
    expect(magnitudesOf(values).areRecorded).toBe(false);
  });
});
