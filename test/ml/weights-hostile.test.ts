import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readWeights, WeightsFault } from '../../ml/weights/index.ts';
import golden from './golden/weights.json' with { type: 'json' };
import {
  bytesOf,
  call,
  dictionary,
  list,
  little,
  magic,
  named,
  none,
  pickle,
  stream,
  tensor,
  text,
  tuple,
  u32,
  u64,
  version,
  whole,
} from './pickles.ts';

type Options = Partial<Parameters<typeof readWeights>[1]>;

const read = (bytes: Uint8Array, options: Options = {}) => readWeights(bytes, { file: 'x.pt', ...options });

/** Why it is not read; anything but a WeightsFault that names the file is thrown on. */
function faultOf(bytes: Uint8Array, options?: Options): string {
  try {
    read(bytes, options);
  } catch (error) {
    if (!(error instanceof WeightsFault)) throw error;
    expect(error.message).toBe(`x.pt is not read: ${error.reason}.`);
    expect(error.message.length).toBeLessThan(1_500);
    return error.reason;
  }
  return 'read';
}

const good = dictionary(text('a'), tensor());
const values = (bytes: Uint8Array, options?: Options) =>
  [...read(bytes, options)].map(([name, { data }]) => [name, ...data]);
/** A torch zip with a pickle of an object, and other entries; `level` 0 stores them. */
const zip = (object: Buffer, more: Record<string, Uint8Array> = { 'data/k': kept }, level: 0 | 9 = 0): Uint8Array =>
  zipSync(
    Object.fromEntries([['a/data.pkl', pickle(object)], ...Object.entries(more).map(([k, v]) => [`a/${k}`, v])]),
    { level },
  );
const kept = Buffer.from(Float32Array.of(1.5, -2).buffer);

describe('pickles that request calls', () => {
  const effect = join(tmpdir(), `weights-payload-${process.pid}`);
  const touch = text(`touch ${effect}`);
  const python = text(`open(${JSON.stringify(effect)}, 'w')`);
  const javascript = text(`require('node:fs').writeFileSync(${JSON.stringify(effect)}, '')`);
  const payloads: Record<string, Buffer> = {
    'os.system by REDUCE': call(named('os', 'system'), touch),
    'posix.system by STACK_GLOBAL': bytesOf(text('posix'), text('system'), 0x93, tuple(touch), 'R'),
    'builtins.eval': call(named('builtins', 'eval'), python),
    'builtins.exec by NEWOBJ': bytesOf(named('builtins', 'exec'), tuple(python), 0x81),
    'subprocess.Popen by NEWOBJ_EX': bytesOf(named('subprocess', 'Popen'), tuple(touch), '}', 0x92),
    'os.system by INST': bytesOf('(', touch, 'ios\nsystem\n'),
    'os.system by OBJ': bytesOf('(', named('os', 'system'), touch, 'o'),
    'eval of this language': call(named('globalThis', 'eval'), javascript),
    'a constructor of this language': call(named('Function', 'constructor'), javascript),
    'a call of what a call gives': call(call(named('builtins', 'getattr'), named('os', 'path'), text('system')), touch),
    'state for an unknown class': bytesOf(call(named('a', 'B')), dictionary(text('__reduce__'), touch), 'b'),
    'an extension': call(Buffer.of(0x82, 7), touch),
    'items for an unknown class': bytesOf(
      call(named('a', 'Dict')),
      '(',
      text('k'),
      call(named('os', 'system'), touch),
      'u',
    ),
    'elements for an unknown class': bytesOf(call(named('a', 'List')), '(', call(named('os', 'system'), touch), 'e'),
    'a persistent id of a module': bytesOf(tuple(text('module'), named('os', 'system'), text('os.py'), python), 'Q'),
    "torch's own loader": call(named('torch.storage', '_load_from_bytes'), call(named('os', 'system'), touch)),
  };

  it.each(Object.entries(payloads))('%s: nothing is called', (_, payload) => {
    const before = Object.getOwnPropertyNames(globalThis).join();
    for (const carry of [(object: Buffer) => stream(object), (object: Buffer) => zip(object)]) {
      expect(faultOf(carry(payload))).toMatch(/^it is no dictionary of tensors/);
      const beside = dictionary(text('x'), payload, text('a'), tensor());
      expect(values(carry(beside))).toEqual([['a', 1.5, -2]]);
      expect(faultOf(carry(beside), { under: 'x' })).toMatch(/^its "x" is no dictionary of tensors/);
      expect(faultOf(carry(dictionary(payload, none, text('a'), tensor())))).toBe('read');
    }
    expect(existsSync(effect)).toBe(false);
    expect(Object.getOwnPropertyNames(globalThis).join()).toBe(before);
    rmSync(effect, { force: true });
  });

  it('a payload in the magic number, the machine or the keys is not called either', () => {
    const payload = payloads['os.system by REDUCE'];
    for (const before of [
      [pickle(payload), version, little],
      [magic, pickle(payload), little],
      [magic, version, pickle(payload)],
    ])
      expect(faultOf(stream(good, [], before))).toMatch(/torch/);
    expect(faultOf(bytesOf(magic, version, little, pickle(good), pickle(list(payload))))).toMatch(
      /^it lists a storage/,
    );
    expect(existsSync(effect)).toBe(false);
  });

  it('a tensor of an unknown function is a fault if it is requested', () => {
    const made = call(named('evil', 'make'), tensor());
    const object = dictionary(text('b'), made, text('a'), tensor());
    expect(faultOf(stream(object))).toBe('its "b" is made by "evil.make" in a way that is not read');
    expect(values(stream(object), { only: (name) => name === 'a' })).toEqual([['a', 1.5, -2]]);
    const built = bytesOf(tensor(), dictionary(text('data'), none), 'b');
    expect(faultOf(stream(dictionary(text('a'), built)))).toMatch(/in a way that is not read$/);
  });

  it('names such as __proto__ are names like others', () => {
    const object = dictionary(text('__proto__'), dictionary(text('constructor'), tensor()), text('toString'), tensor());
    expect(values(stream(object)).map(([name]) => name)).toEqual(['__proto__.constructor', 'toString']);
    expect(faultOf(stream(dictionary(text('a'), tensor({ type: 'constructor' }))))).toMatch(/of class/);
    expect(({} as Record<string, unknown>)['constructor']).toBe(Object);
  });
});

describe('false sizes and offsets', () => {
  const huge = 2n ** 60n;
  const withTensor = (claim: Parameters<typeof tensor>[0], count: bigint | number = claim!.count ?? 2) =>
    stream(dictionary(text('a'), tensor(claim)), [['k', count, kept]]);
  it.each<[string, Uint8Array, RegExp]>([
    ['a storage of 2^60 numbers', withTensor({ count: huge }), /^it names a storage without class, key or size/],
    [
      'a storage of 2^50 numbers',
      withTensor({ count: 2 ** 50 }),
      /^it ends at byte \d+, within 4503599627370496 bytes/,
    ],
    ['another size in the data', withTensor({}, huge), /has 115292150460684\d+ numbers instead of 2/],
    ['dimensions of 2^60', withTensor({ dims: [huge] }), /is no dimension/],
    ['dimensions whose product overflows', withTensor({ dims: [2 ** 40, 2 ** 40], strides: [0, 0] }), /would have/],
    [
      'more numbers than the file has bytes',
      withTensor({ dims: [100_000], strides: [0] }),
      /would have 100000 numbers/,
    ],
    ['a negative dimension', withTensor({ dims: [-2] }), /-2 is no dimension/],
    ['a negative stride', withTensor({ strides: [-1], first: 1 }), /-1 is no dimension, stride/],
    ['a negative offset', withTensor({ first: -1 }), /-1 is no dimension, stride or offset/],
    ['a stride out of the storage', withTensor({ strides: [2] }), /takes number 3 of a storage of 2/],
    ['a stride of 2^52', withTensor({ strides: [2 ** 52] }), /takes number 4503599627370497/],
    ['an offset out of the storage', withTensor({ first: 1 }), /takes number 3 of a storage of 2/],
    ['more dimensions than strides', withTensor({ dims: [1, 2] }), /2 dimensions and 1 strides/],
    [
      '65 dimensions',
      withTensor({ dims: Array.from({ length: 65 }, () => 1), strides: Array.from({ length: 65 }, () => 0) }),
      /65 dimensions/,
    ],
    ['a storage that is not there', stream(good, []), /storage "k" is not there/],
    ['a storage in the list that nobody named', stream(good, [['z', 2, kept]]), /^it lists a storage twice, or one/],
    [
      'one in the list twice',
      stream(good, [
        ['k', 2, kept],
        ['k', 2, kept],
      ]),
      /^it lists a storage twice, or one/,
    ],
    ['a class of storages that is unknown', withTensor({ type: 'EvilStorage' }), /"torch.EvilStorage" are not read/],
    [
      'a type that is not read',
      stream(dictionary(text('a'), tensor({ type: 'ShortStorage', count: 4 })), [['k', 4, kept]]),
      /int16/,
    ],
    [
      'a part that is not in its storage',
      withTensor({ part: tuple(text('v'), whole(1), whole(2)) }),
      /^it names a part/,
    ],
    [
      'a tensor of no storage',
      stream(dictionary(text('a'), call(named('torch._utils', '_rebuild_tensor_v2')))),
      /of no storage/,
    ],
    ['bytes after the end', bytesOf(stream(good), 0), /^1 bytes follow its last storage/],
    [
      'a big-endian machine',
      stream(good, [], [magic, version, pickle(dictionary(text('little_endian'), Buffer.of(0x89)))]),
      /little/,
    ],
    ['another magic number', stream(good, [], [pickle(whole(1)), version, little]), /none that torch has written/],
    ['another version', stream(good, [], [magic, pickle(whole(1002)), little]), /not of version 1001/],
    [
      'a storage of another size in a zip',
      zip(good, { 'data/k': kept.subarray(1) }),
      /has 7 bytes, not 2 numbers of float32/,
    ],
    ['no storage in a zip', zip(good, {}), /storage "k" is not there/],
    ['a big-endian zip', zip(good, { 'data/k': kept, byteorder: Buffer.from('big') }), /not little-endian/],
    ['a zip without a pickle', zipSync({ 'data.pkl': pickle(good) }), /with 0 files NAME\/data.pkl/],
    ['a zip with two pickles', zipSync({ 'a/data.pkl': pickle(good), 'b/data.pkl': pickle(good) }), /with 2 files/],
    [
      'a zip with bytes after its pickle',
      zipSync({ 'a/data.pkl': bytesOf(pickle(good), 'more') }),
      /^4 bytes follow its pickle/,
    ],
  ])('%s', (_, bytes, reason) => {
    expect(faultOf(bytes)).toMatch(reason);
  });

  it('a part of a storage is read as that part', () => {
    const claim = { count: 2, dims: [1], part: tuple(text('v'), whole(1), whole(1)) };
    expect(values(stream(dictionary(text('a'), tensor(claim))))).toEqual([['a', -2]]);
  });
});

describe('bombs', () => {
  const many = (count: number, part: Buffer | string): Buffer => Buffer.alloc(count * part.length, part);
  /** Dictionaries, each of which holds the one before it under two names. */
  const doubling = (times: number): Buffer =>
    Array.from({ length: times }).reduce<Buffer>(
      (inner) => bytesOf(inner, 'q', 1, '0}(', text('l'), 'h', 1, text('r'), 'h', 1, 'u'),
      dictionary(text('l'), tensor()),
    );
  it.each<[string, Uint8Array, RegExp]>([
    ['2^21 operations', stream(many(2 ** 21, 'N')), /^its pickle has more than 1048576 operations/],
    ['2^21 marks', stream(many(2 ** 21, '(')), /more than 1048576 operations/],
    ['2^21 dictionaries', stream(many(2 ** 21, '}')), /more than 1048576 operations/],
    ['lists in lists', stream(bytesOf(many(2 ** 19, ']'), many(2 ** 19 - 9, 'a'))), /^it is no dictionary/],
    [
      'dictionaries in dictionaries',
      stream(bytesOf(many(50_000, '}K\0'), '}', many(50_000, 's'))),
      /nested deeper than 32/,
    ],
    ['a dictionary in itself', stream(bytesOf('}q', 0, text('x'), 'h', 0, 's')), /nested deeper than 32/],
    ['dictionaries that hold each other twice', stream(doubling(30)), /more than 1048576 entries/],
    ['a tensor under 65,536 names', stream(doubling(16)), /would have 2 numbers|more than 65536 tensors/],
    [
      'long names in long names',
      stream(dictionary(text('x'.repeat(60_000)), dictionary(text('y'), tensor()))),
      /too long/,
    ],
    ['a text of 4 GB', stream(bytesOf('X', u32(2 ** 32 - 1), 'x')), /^it ends at byte/],
    ['a text of 2^60 bytes', stream(bytesOf(0x8d, u64(2n ** 60n), 'x')), /^it ends at byte/],
    ['bytes of 2^63', stream(bytesOf(0x8e, u64(2n ** 63n), 'x')), /^it ends at byte/],
    ['a number of 2^31 bytes', stream(bytesOf(0x8b, u32(2 ** 31), 'x')), /^it ends at byte/],
    ['a frame of 2^60 bytes', stream(bytesOf(0x95, u64(2n ** 60n))), /frame of 115292150460684\d+ bytes/],
    ['a line without an end', stream(bytesOf('c', 'x'.repeat(5_000))), /does not end within 1024 bytes/],
    ['a value that was not kept', stream(bytesOf('j', u32(2 ** 32 - 1))), /recalls what it has not kept/],
    ['more taken than put', stream(bytesOf(0x87)), /takes more values than it has/],
    ['taken from below a mark', stream(bytesOf('}}(s')), /takes more values than it has/],
    ['no mark', stream(bytesOf('t')), /misses a mark/],
    ['a key without a value', stream(bytesOf('}(N', 'u')), /has a key without a value/],
    ['items for a number', stream(bytesOf('K\0(NNu')), /fills what is no dictionary/],
    ['state for a number', stream(bytesOf('K\0Nb')), /puts state into what has none/],
    ['operations of protocol 0', stream(bytesOf('I1\n')), /operation 0x49, which is not read/],
    ['protocol 6', stream(bytesOf(0x80, 6)), /protocol 6, not of 2 to 5/],
    ['an ordered dictionary of numbers', stream(call(named('collections', 'OrderedDict'), list(whole(1)))), /no pairs/],
  ])('%s', (_, bytes, reason) => {
    expect(faultOf(bytes)).toMatch(reason);
  });

  it('deflated entries are read up to their stated size, and up to sixteen times the file', () => {
    expect(values(zip(good, { 'data/k': kept }, 9))).toEqual([['a', 1.5, -2]]);
    const bomb = zip(
      dictionary(text('a'), tensor({ count: 2 ** 23, dims: [1] })),
      { 'data/k': Buffer.alloc(2 ** 25) },
      9,
    );
    expect(bomb.length).toBeLessThan(2 ** 16);
    expect(faultOf(bomb)).toContain('its zip would be inflated to more than sixteen times its size');
    const [lying, small] = [Buffer.from(bomb), Buffer.alloc(4)];
    small.writeUInt32LE(8);
    lying.set(small, lying.lastIndexOf('a/data/k', undefined, 'latin1') - 22);
    expect(faultOf(lying)).toContain('entry "a/data/k" of its zip has not the 8 bytes that it states');
  });

  it('a deflated entry that is damaged, of another method, or encrypted', () => {
    const at = (bytes: Buffer): number => bytes.lastIndexOf('a/data/k', undefined, 'latin1') - 46;
    const numbers = { 'data/k': Buffer.alloc(8, 'ab') };
    for (const [field, value, reason] of [
      [10, 99, 'is encrypted or of method 99'],
      [8, 1, 'is encrypted or of method 8'],
      [20, 2, 'is damaged'],
      [42, 1, 'its zip has no entry at byte 1'],
      [0, 0, 'its zip directory is damaged'],
    ] as const) {
      const bytes = Buffer.from(zip(good, numbers, 9));
      bytes[at(bytes) + field] = value;
      expect(faultOf(bytes)).toContain(reason);
    }
  });

  it('a header of safetensors that describes missing data', () => {
    const file = (header: unknown, data: number, length?: bigint): Buffer => {
      const json = typeof header === 'string' ? header : JSON.stringify(header);
      return bytesOf(u64(length ?? json.length), json, Buffer.alloc(data));
    };
    const one = (shape: unknown, data_offsets: unknown, dtype = 'F32') => ({ a: { dtype, shape, data_offsets } });
    const rows: [Buffer, RegExp][] = [
      [file('{}', 0, 2n ** 30n), /header would have 1073741824 bytes/],
      [file('{}', 0, 9n), /^it ends at byte/],
      [file('{]', 0), /header is no JSON/],
      [file('{}', 0), /no tensor that is asked for/],
      [file(one([2], [0, 8]), 9), /1 bytes follow its last tensor/],
      [file(one([2], [0, 8]), 7), /lies at bytes 0 to 8, after 0 of 7/],
      [file(one([2], [1, 9]), 9), /lies at bytes 1 to 9/],
      [file(one([2], [8, 0]), 8), /lies at bytes 8 to 0/],
      [file(one([3], [0, 8]), 8), /takes number 3 of a storage of 2/],
      [file(one([1], [0, 8]), 8), /its 1 numbers of type float32 do not fill 8 bytes/],
      [file(one([2 ** 40, 2 ** 40], [0, 8]), 8), /would have/],
      [file(one([-1], [0, 8]), 8), /header is wrong at "a.shape.0"/],
      [file(one([2 ** 60], [0, 8]), 8), /header is wrong at "a.shape.0"/],
      [file(one(Array(65).fill(1), [0, 4]), 4), /header is wrong at "a.shape"/],
      [file(one([1], [0, 4], 'I16'), 4), /int16/],
      [file(one([1], [0, 4], 'Q4'), 4), /"Q4" are not read/],
      [file({ a: 1 }, 0), /header is wrong at "a"/],
      [file({ ...one([1], [0, 4]), b: one([1], [2, 6]).a }, 6), /"b" lies at bytes 2 to 6, after 4 of 6/],
      [file(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 0), /header is wrong at "a"/],
    ];
    for (const [bytes, reason] of rows) expect(faultOf(bytes)).toMatch(reason);
  });

  it('a tar with a wrong checksum, size or end', () => {
    const tar = gunzipSync(Buffer.from(golden.cases['plain-ustar'].gzip, 'base64'));
    const changed = (at: number, value: string): Buffer =>
      bytesOf(tar.subarray(0, at), value, tar.subarray(at + value.length));
    const options = { member: 'folder/state.torch' };
    expect(faultOf(tar, options)).toBe('read');
    expect(faultOf(changed(0, 'm'), options)).toBe('the tar header at byte 0 has a wrong checksum');
    expect(faultOf(changed(124, '9'), options)).toMatch(/checksum|is no number/);
    expect(faultOf(changed(124, '77777777777'), options)).toMatch(/checksum/);
    expect(faultOf(bytesOf(tar, 1), options)).toMatch(/whose end is missing or followed by other bytes/);
    expect(faultOf(tar.subarray(0, -1), options)).toMatch(/whose end is missing or followed/);
  });
});

describe('files that are cut short', () => {
  const short = [
    'plain-stream',
    'checkpoint-stream',
    'plain-zip',
    'types-safetensors',
    'plain-ustar',
    'long-pax',
  ] as const;
  it.each(short)('%s: a fault, wherever it ends', (name) => {
    const { gzip, options } = golden.cases[name];
    const bytes = gunzipSync(Buffer.from(gzip, 'base64'));
    expect(faultOf(bytes, options)).toBe('read');
    // The zeros that fill up a tar may be fewer.
    const last = name in { 'plain-ustar': 1, 'long-pax': 1 } ? bytes.findLastIndex((byte) => byte !== 0) : bytes.length;
    for (let length = 0; length < last; length++) expect(faultOf(bytes.subarray(0, length), options)).not.toBe('read');
  });
});
