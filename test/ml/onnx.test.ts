import { describe, expect, test } from 'vitest';
import { encodeGraph, gelu, graph, groupNorm, layerNorm, linear } from '../../ml/onnx/index.ts';
import type { GraphBuilder, Value } from '../../ml/onnx/index.ts';
import { createRandom } from '../../ml/random.ts';
import { runnerOf } from '../support/run-graph.ts';

const random = createRandom(7);
const list = (length: number): Float32Array => Float32Array.from({ length }, () => 2 * random() - 1);

/** Output of a graph of one input. */
async function answer(
  dims: readonly number[],
  data: Float32Array,
  build: (g: GraphBuilder, x: Value) => Value,
): Promise<{ dims: readonly number[]; values: number[] }> {
  const symbolic = dims.map((length, axis) => (axis === 0 ? 'batch' : length));
  const made = graph('test', { x: symbolic }, (g, { x }) => ({ y: build(g, x) }));
  const { y } = await (await runnerOf(encodeGraph(made)))({ x: { dims, data } });
  return { dims: y!.dims, values: [...y!.data] };
}

const near = (found: readonly number[], expected: readonly number[]): void => {
  expect(found.length).toBe(expected.length);
  found.forEach((value, i) => expect(value, `entry ${i}`).toBeCloseTo(expected[i]!, 5));
};

describe('a graph in onnxruntime', () => {
  test('takes batches of any size, attributes of every kind and several outputs', async () => {
    const made = graph('two', { a: ['batch', 4], b: ['batch', 4] }, (g, { a, b }) => {
      const both = g.op('Concat', [a, b], { axis: 1 });
      const [first, second] = g.ops('Split', [both, g.integers([6, 2])], 2, { axis: 1 });
      return { wide: g.op('Elu', [first!], { alpha: { float: 2 } }), narrow: second!, input: a };
    });
    const run = await runnerOf(encodeGraph(made));
    for (const batch of [1, 3]) {
      const [a, b] = [list(batch * 4), list(batch * 4)];
      const { wide, narrow, input } = await run({ a: { dims: [batch, 4], data: a }, b: { dims: [batch, 4], data: b } });
      expect([wide!.dims, narrow!.dims]).toEqual([
        [batch, 6],
        [batch, 2],
      ]);
      expect([...input!.data]).toEqual([...a]);
      const row = batch - 1;
      near([...narrow!.data.subarray(row * 2)], [...b.subarray(row * 4 + 2)]);
      const six = [...a.subarray(row * 4), ...b.subarray(row * 4, row * 4 + 2)];
      near(
        [...wide!.data.subarray(row * 6)],
        six.map((v) => (v > 0 ? v : 2 * (Math.exp(v) - 1))),
      );
    }
  });

  test('linear layers are x Wᵀ + b', async () => {
    const [x, w, b] = [list(6), list(12), list(4)];
    const { values } = await answer([2, 3], x, (g, v) =>
      linear(g, v, { dims: [4, 3], data: w }, { dims: [4], data: b }),
    );
    near(
      values,
      [0, 1].flatMap((row) =>
        [0, 1, 2, 3].map((out) => b[out]! + [0, 1, 2].reduce((sum, i) => sum + x[row * 3 + i]! * w[out * 3 + i]!, 0)),
      ),
    );
  });

  test('layer norm and group norm are those of their definition', async () => {
    const [x, scale, bias] = [list(2 * 4 * 3), list(4), list(4)];
    const normal = (values: readonly number[]): number[] => {
      const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
      const variance = values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length;
      return values.map((v) => (v - mean) / Math.sqrt(variance + 1e-5));
    };
    const groups = await answer([2, 4, 3], x, (g, v) =>
      groupNorm(g, v, {
        groups: 2,
        rank: 3,
        scale: { dims: [4], data: scale },
        bias: { dims: [4], data: bias },
        epsilon: 1e-5,
      }),
    );
    expect(groups.dims).toEqual([2, 4, 3]);
    const expected = [0, 6, 12, 18].flatMap((at) => normal([...x.subarray(at, at + 6)]));
    near(
      groups.values,
      expected.map((v, i) => v * scale[Math.floor(i / 3) % 4]! + bias[Math.floor(i / 3) % 4]!),
    );
    const layers = await answer([6, 4], x, (g, v) =>
      layerNorm(g, v, { dims: [4], data: scale }, { dims: [4], data: bias }, 1e-5),
    );
    const rows = [0, 1, 2, 3, 4, 5].flatMap((row) => normal([...x.subarray(row * 4, row * 4 + 4)]));
    near(
      layers.values,
      rows.map((v, i) => v * scale[i % 4]! + bias[i % 4]!),
    );
  });

  test('gelu is x times the normal distribution function', async () => {
    const { values } = await answer([1, 3], Float32Array.of(-1, 0, 2), gelu);
    near(values, [-0.158655254, 0, 1.954499736]);
  });
});

describe('the builder', () => {
  test('stores a tensor once, however often it is used', () => {
    const shared = { dims: [100, 100], data: list(10_000) };
    const build = (times: number): number =>
      encodeGraph(
        graph('shared', { x: ['n', 100] }, (g, { x }) => {
          let y = x;
          for (let i = 0; i < times; i++) y = linear(g, y, shared);
          return { y };
        }),
      ).length;
    expect(build(4)).toBeLessThan(build(1) + 1000);
  });

  test('refuses a constant of other dimensions, a value of another graph and an attribute that is no integer', () => {
    expect(() =>
      graph('bad', { x: [1] }, (g) => ({ y: g.constant({ dims: [2, 2], data: new Float32Array(3) }) })),
    ).toThrow('A constant of 3 numbers was given the dimensions 2 × 2.');
    let foreign: Value | undefined;
    graph('one', { x: [1] }, (_, { x }) => ({ y: (foreign = x) }));
    expect(() => graph('two', { x: [1] }, () => ({ y: foreign! }))).toThrow('x is not a value of the graph two.');
    const fraction = graph('three', { x: [1] }, (g, { x }) => ({ y: g.op('Softmax', [x], { axis: 0.5 }) }));
    expect(() => encodeGraph(fraction)).toThrow('Attribute axis: 0.5 is not an integer.');
  });
});
