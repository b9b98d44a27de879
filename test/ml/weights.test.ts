import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readWeights, type Tensor, type Weights } from '../../ml/weights/index.ts';
import { modelMissing, modelsFolder } from '../support/published-models.ts';
import golden from './golden/weights.json' with { type: 'json' };

type Held = Record<string, [dims: number[], base64: string]>;
const bits = ({ data }: Tensor): string => Buffer.from(data.buffer).toString('base64');
const shown = (weights: Weights): Held =>
  Object.fromEntries([...weights].map(([name, tensor]) => [name, [[...tensor.dims], bits(tensor)]]));

const cases = Object.entries(golden.cases).map(([name, { gzip, holds, options }]) => ({
  name,
  bytes: gunzipSync(Buffer.from(gzip, 'base64')),
  held: (golden.held as unknown as Record<string, Held>)[holds],
  options: { file: name, ...options },
}));
const caseOf = (name: string) => cases.find((one) => one.name === name)!;

describe('files that torch and safetensors wrote', () => {
  const refused = ['int16-stream', 'sparse-stream', 'module-zip'];
  it.each(cases.filter(({ name }) => !refused.includes(name)))(
    '$name: holds what torch says, bit for bit',
    ({ bytes, held, options }) => {
      expect(shown(readWeights(bytes, options))).toEqual(held);
    },
  );

  it.each([
    ['int16-stream', 'int16-stream is not read: of tensor "a": numbers of type int16 are not read.'],
    ['sparse-stream', 'its "a" is made by "torch._utils._rebuild_sparse_tensor" in a way that is not read.'],
    ['module-zip', 'it is no dictionary of tensors but made by "torch.nn.modules.linear.Linear".'],
  ])('%s: is refused with its reason', (name, reason) => {
    const { bytes, options } = caseOf(name);
    expect(() => readWeights(bytes, options)).toThrow(reason);
  });

  it('keeps only the requested tensors, and does not read the others', () => {
    const { bytes, held } = caseOf('sparse-stream');
    expect(shown(readWeights(bytes, { file: 'x', only: (name) => name === 'b' }))).toEqual(held);
    expect(() => readWeights(bytes, { file: 'x', only: () => false })).toThrow('holds no tensor that is asked for');
  });

  it('joins the names of nested dictionaries', () => {
    const { bytes } = caseOf('nested-stream');
    expect([...readWeights(bytes, { file: 'x' }).keys()]).toEqual(['a.b.c.kept']);
    expect([...readWeights(bytes, { file: 'x', under: 'a.b' }).keys()]).toEqual(['c.kept']);
    expect(() => readWeights(bytes, { file: 'x', under: 'a' })).toThrow('it has no "a"; its keys are "a.b"');
    expect(() => readWeights(bytes, { file: 'x', under: 'a.b.c.epoch' })).toThrow('is no dictionary of tensors');
  });

  it('reads `under` as the prefix of names in safetensors', () => {
    const header = JSON.stringify({
      'model.a': { dtype: 'U8', shape: [1], data_offsets: [0, 1] },
      modelb: { dtype: 'U8', shape: [1], data_offsets: [1, 2] },
    });
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(header.length));
    const bytes = Buffer.concat([length, Buffer.from(header), Buffer.of(7, 8)]);
    const weights = readWeights(bytes, { file: 'x', under: 'model' });
    expect([...weights]).toEqual([['a', { dims: [1], data: Float32Array.of(7) }]]);
  });

  it('lists the files of a tar if none of them, or an unknown one, is named', () => {
    const { bytes } = caseOf('plain-ustar');
    const names = 'it holds "notes.json", "folder/state.torch".';
    expect(() => readWeights(bytes, { file: 'best.gz' })).toThrow(
      `best.gz is not read: it is a tar and none of its files is named; ${names}`,
    );
    expect(() => readWeights(bytes, { file: 'x', member: 'y' })).toThrow(`it is a tar without "y"; ${names}`);
    expect(() => readWeights(bytes, { file: 'x', member: 'notes.json' })).toThrow('neither safetensors nor');
    const { bytes: bare } = caseOf('plain-zip');
    expect(() => readWeights(bare, { file: 'x', member: 'y' })).toThrow('it is no tar, so that it holds no "y"');
  });

  it('says that a file is compressed, or of no known format', () => {
    expect(() => readWeights(Buffer.from(golden.cases['plain-ustar'].gzip, 'base64'), { file: 'x' })).toThrow(
      'x is not read: it is compressed with gzip; unpack it first.',
    );
    for (const bytes of [new Uint8Array(), new Uint8Array(600), Buffer.from('<html>')])
      expect(() => readWeights(bytes, { file: 'x' })).toThrow('it is neither safetensors nor a file of torch');
  });
});

describe.each([
  { model: 'robust-sleep-net', file: 'best_model.gz', options: { member: 'state.torch' } },
  {
    model: 'dcrnn-tusz',
    file: 'pretrained_distance_graph_12s.pth.tar',
    options: { under: 'model_state', only: (name: string) => name.startsWith('encoder.') },
  },
])('$model', ({ model, file, options }) => {
  it.skipIf(modelMissing(model))('has the tensors of its list, bit for bit, and no others', () => {
    const read = (name: string): Buffer => readFileSync(join(modelsFolder, model, name));
    const { tensors } = JSON.parse(read('weights.json').toString()) as {
      tensors: { name: string; shape: number[]; offset: number; count: number }[];
    };
    const flat = read('weights.f32');
    const expected = tensors.map(({ name, shape, offset, count }) => [
      name,
      [shape, flat.subarray(4 * offset, 4 * (offset + count)).toString('base64')],
    ]);
    expect(shown(readWeights(read(file), { file, ...options }))).toEqual(Object.fromEntries(expected));
  });
});
