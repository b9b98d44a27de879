import { expect, it } from 'vitest';
import { decode, encode, releaseCodec } from '../../infra/drivers/codec.ts';
import { collectGarbage } from '../../infra/drivers/garbage.ts';

it('keeps the type of typed arrays, dates, bigints and undefined', () => {
  const value = {
    f64: new Float64Array([1, Math.PI, -0, Infinity]),
    f32: new Float32Array([1.5]),
    i32: new Int32Array([-1, 2]),
    u8: new Uint8Array([7]),
    empty: new Float64Array(0),
    text: 'Fp1',
    none: null,
    big: 2n ** 70n,
    at: new Date(5),
    rows: [{ id: 'a' }, { id: 'b', more: true }],
  };
  expect(decode(encode(value))).toStrictEqual(value);
});

it('reads from the middle of a buffer and shares no memory with it', () => {
  const bytes = encode({ x: new Float64Array([1, 2, 3]) });
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  const { x } = decode<{ x: Float64Array }>(shifted.subarray(3));
  shifted.fill(0);
  expect([...x]).toEqual([1, 2, 3]);
});

it('gives the same bytes for the same value', () => {
  expect(encode({ a: 1, b: [2.5] })).toEqual(encode({ a: 1, b: [2.5] }));
});

it('gives bytes that own their whole buffer, so that they can be moved to a thread', () => {
  const bytes = encode({ x: 1 });
  expect(bytes.buffer.byteLength).toBe(bytes.length);
});

it('keeps no buffer of large values after it is released, and works on', async () => {
  const megabytes = async (): Promise<number> => {
    await collectGarbage();
    return process.memoryUsage().arrayBuffers / 1e6;
  };
  const before = await megabytes();
  expect(decode<Uint8Array>(encode(new Uint8Array(64e6))).length).toBe(64e6);
  expect((await megabytes()) - before).toBeGreaterThan(64);
  releaseCodec();
  expect((await megabytes()) - before).toBeLessThan(1);
  expect(decode(encode({ x: 1 }))).toEqual({ x: 1 });
});
