import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import * as fc from 'fast-check';
import { readWeights, WeightsFault } from '../../ml/weights/index.ts';
import { runs, seed } from '../support/counts.ts';
import golden from './golden/weights.json' with { type: 'json' };
import { bytesOf, call, dictionary, list, named, stream, tensor, text, tuple, u32, u64, whole } from './pickles.ts';

interface File {
  readonly bytes: Uint8Array;
  readonly options: Parameters<typeof readWeights>[1];
}

const files: readonly File[] = Object.values(golden.cases).map(({ gzip, options }) => ({
  bytes: gunzipSync(Buffer.from(gzip, 'base64')),
  options: { file: 'x', ...options },
}));

/** Reads or refuses, the same way twice, and holds no more than it says. */
function outcome({ bytes, options }: File): 'read' | 'refused' {
  try {
    const weights = readWeights(bytes, options);
    const tensors = [...weights.values()];
    const held = tensors.reduce((sum, { data }) => sum + data.length, 0);
    expect(held).toBeLessThanOrEqual(17 * bytes.length + 2 ** 20);
    for (const { dims, data } of tensors) expect(dims.reduce((product, dim) => product * dim, 1)).toBe(data.length);
    expect([...readWeights(bytes, options).keys()]).toEqual([...weights.keys()]);
    return 'read';
  } catch (error) {
    if (!(error instanceof WeightsFault)) throw error;
    expect(error.message).toMatch(/^x is not read: [^]+\.$/);
    expect(error.message.length).toBeLessThan(3_000);
    expect(() => readWeights(bytes, options)).toThrow(error.message);
    return 'refused';
  }
}

/** Runs `outcome` on many files; how many of a hundred were read. */
function shareRead(file: fc.Arbitrary<File>, numRuns: number): number {
  let read = 0;
  fc.assert(
    fc.property(file, (one) => {
      if (outcome(one) === 'read') read++;
    }),
    { seed: seed(), numRuns },
  );
  return (100 * read) / numRuns;
}

const place = fc.double({ min: 0, max: 1, noNaN: true });
/** A file with bits turned, bytes replaced, cut, and a stretch of it put elsewhere; mostly where no padding is. */
const damagedFile = fc
  .record({
    file: fc.constantFrom(...files),
    bits: fc.array(fc.record({ at: place, bit: fc.nat(7) }), { maxLength: 4 }),
    bytes: fc.array(fc.record({ at: place, value: fc.constantFrom(0, 1, 0x7f, 0x80, 0xff, 0x28, 0x52, 0x62, 0x71) }), {
      maxLength: 2,
    }),
    moved: fc.option(fc.record({ from: place, to: place, length: fc.nat(64) })),
    cut: fc.option(place, { freq: 1 }),
  })
  .map(({ file, bits, bytes, moved, cut }) => {
    const damaged = Buffer.from(file.bytes);
    const end = damaged.findLastIndex((byte) => byte !== 0);
    const at = (share: number): number => Math.floor(share * end);
    for (const { at: share, bit } of bits) damaged[at(share)] ^= 1 << bit;
    for (const { at: share, value } of bytes) damaged[at(share)] = value;
    if (moved) damaged.copy(damaged, at(moved.to), at(moved.from), at(moved.from) + moved.length);
    return { ...file, bytes: cut === null ? damaged : damaged.subarray(0, Math.floor(cut * damaged.length)) };
  });

it('reads or refuses damaged files, within its bounds, and the same way twice', () => {
  const share = shareRead(damagedFile, runs(3_000, 40_000));
  expect(share).toBeGreaterThan(5);
  expect(share).toBeLessThan(95);
}, 240_000);

const number = fc.oneof(
  fc.integer({ min: -2, max: 8 }),
  fc.constantFrom(2 ** 31, 2 ** 53, -(2n ** 63n), 2n ** 63n - 1n),
);
const numbers = fc.array(number, { maxLength: 4 });
const madeTensor = fc
  .record({
    type: fc.constantFrom('FloatStorage', 'FloatStorage', 'HalfStorage', 'XStorage'),
    key: fc.constantFrom('k', 'k', 'l'),
    count: fc.oneof({ weight: 3, arbitrary: fc.constant(2) }, { weight: 1, arbitrary: number }),
    first: number,
    dims: numbers,
    strides: numbers,
  })
  .map((claim) => tensor(claim));
const piece = fc.oneof(
  fc.nat(255).map((code) => Buffer.of(code)),
  fc.constantFrom(...'}]()tuesabRQ0012N'.split('').map((code) => Buffer.from(code))),
  fc.constantFrom(...[0x81, 0x85, 0x86, 0x87, 0x88, 0x8f, 0x90, 0x91, 0x92, 0x93, 0x94].map((code) => Buffer.of(code))),
  fc.tuple(fc.constantFrom('q', 'h', 'K'), fc.nat(3)).map(([code, at]) => bytesOf(code, at)),
  fc.tuple(fc.constantFrom('j', 'r', 'X', 'B', 'T'), fc.nat()).map(([code, at]) => bytesOf(code, u32(at))),
  fc.tuple(fc.constantFrom(0x8d, 0x8e, 0x95, 0x96), fc.bigInt(0n, 2n ** 64n - 1n)).map(([c, n]) => bytesOf(c, u64(n))),
  fc.string({ maxLength: 3 }).map(text),
  number.map(whole),
  fc.constantFrom(named('os', 'system'), named('collections', 'OrderedDict'), call(named('os', 'system'), text('id'))),
  fc.constantFrom(list(text('a')), tuple(), dictionary(text('a'), tensor())),
  madeTensor,
);
const writtenStream = fc
  .record({ pieces: fc.array(piece, { maxLength: 12 }), isKept: fc.boolean() })
  .map(({ pieces, isKept }) => {
    const before = isKept ? dictionary(text('a'), tensor()) : Buffer.alloc(0);
    const after = isKept ? bytesOf(text('b'), '}', ...pieces, 's') : bytesOf(...pieces);
    return { bytes: stream(bytesOf(before, after)), options: { file: 'x' } };
  });

it('reads or refuses any combination of operations and sizes in a pickle', () => {
  expect(shareRead(writtenStream, runs(3_000, 40_000))).toBeGreaterThan(0.1);
}, 240_000);

it('reads a tensor whose numbers are all in its storage, and refuses any other', () => {
  const storage = Float32Array.from({ length: 24 }, (_, k) => k + 0.5);
  const axes = fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 8 })), { maxLength: 4 });
  let read = 0;
  fc.assert(
    fc.property(axes, fc.nat(12), (axes, first) => {
      const [dims, strides] = [axes.map(([dim]) => dim), axes.map(([, stride]) => stride)];
      const places = axes.reduce<number[]>(
        (all, [dim, stride]) => all.flatMap((at) => Array.from({ length: dim }, (_, k) => at + k * stride)),
        [first],
      );
      const object = dictionary(text('a'), tensor({ count: 24, first, dims, strides }));
      const bytes = stream(object, [['k', 24, Buffer.from(storage.buffer)]]);
      if (places.some((at) => at >= 24)) {
        expect(() => readWeights(bytes, { file: 'x' })).toThrow(/of a storage of 24/);
        return;
      }
      read++;
      expect(readWeights(bytes, { file: 'x' }).get('a')).toEqual({
        dims,
        data: Float32Array.from(places, (at) => storage[at]),
      });
    }),
    { seed: seed(), numRuns: runs(1_000, 20_000) },
  );
  expect(read).toBeGreaterThan(runs(1_000, 20_000) / 10);
}, 240_000);
