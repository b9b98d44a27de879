import { encodeGraph, gelu, graph, groupNorm, layerNorm, linear } from '../../onnx/index.ts';
import type { Constant, GraphBuilder, Value } from '../../onnx/index.ts';
import type { Weights } from '../../weights/types.ts';
import { tensorOf } from '../tensor-of.ts';
import { tableRows } from './table.ts';
import { patchSamples } from './windows.ts';

/** LaBraM-base: layers, width, heads, width inside a layer, channels and groups of the convolutions, places in time. */
const [layers, width, heads, hidden, filters, groups, times] = [12, 200, 10, 800, 8, 4, 16];
const headWidth = width / heads;
const layerEpsilon = 1e-6;

/** Takes a tensor of the published weights by its name, and checks its dimensions. */
type Take = (name: string, dims: readonly number[]) => Constant;

/**
 * LaBraM-base as bytes of an ONNX model, from the weights that its authors publish (Jiang, Zhao & Lu, ICLR 2024;
 * github.com/935963004/LaBraM, `checkpoints/labram-base.pth`, the names `student.…` under its key `model`).
 *
 * It takes `x` [trials × channels × patches × 200], tenths of a millivolt at 200 Hz, 1 to 16 patches of one second,
 * and `positions` [channels], each channel's row in the table of places (`rowOf`). It gives `sites` [trials × channels
 * × 200], for each channel the mean of its tokens after the last norm, and `pooled` [trials × 200], the mean of all of
 * them without the class token.
 *
 * The forward pass is that of the authors' modeling_finetune.py without its new head, and with the norm that was
 * pretrained. Their pretraining gave the class token the place of the first channel; here as there it has its own row.
 *
 * @throws RangeError names the tensor that is missing or has other dimensions.
 */
export function labramGraph(weights: Weights, depth = layers): Uint8Array {
  const take: Take = (name, dims) => tensorOf(weights, `student.${name}`, dims);
  const x = ['trials', 'channels', 'patches', patchSamples];
  return encodeGraph(
    graph('labram', { x, positions: ['channels'] }, (g, inputs) => {
      let tokens = withPlaces(g, patchTokens(g, inputs.x, take), inputs, take);
      for (let i = 0; i < depth; i += 1) tokens = layer(g, tokens, (name, dims) => take(`blocks.${i}.${name}`, dims));
      const normal = norm(g, tokens, 'norm', width, take);
      const read = g.op('Slice', [normal, g.integers([1]), g.integers([Number.MAX_SAFE_INTEGER]), g.integers([1])]);
      // A token is as wide as a patch, so that the tokens have the form of x.
      const byChannel = g.op('Reshape', [read, g.op('Shape', [inputs.x])]);
      return {
        sites: g.op('ReduceMean', [byChannel, g.integers([2])], { keepdims: 0 }),
        pooled: g.op('ReduceMean', [read, g.integers([1])], { keepdims: 0 }),
      };
    }),
  );
}

const norm = (g: GraphBuilder, x: Value, name: string, size: number, take: Take): Value =>
  layerNorm(g, x, take(`${name}.weight`, [size]), take(`${name}.bias`, [size]), layerEpsilon);

/** Tokens [trials × channels · patches × 200]: three convolutions over time; norms reach over a whole trial. */
function patchTokens(g: GraphBuilder, x: Value, take: Take): Value {
  let y = g.op('Reshape', [x, g.integers([0, 1, -1, patchSamples])]);
  for (const [number, taps, stride] of [
    [1, 15, 8],
    [2, 3, 1],
    [3, 3, 1],
  ]) {
    const kernel = take(`patch_embed.conv${number}.weight`, [filters, number === 1 ? 1 : filters, 1, taps]);
    const bias = take(`patch_embed.conv${number}.bias`, [filters]);
    const pad = (taps - 1) / 2;
    const convolved = g.op('Conv', [y, g.constant(kernel), g.constant(bias)], {
      kernel_shape: [1, taps],
      strides: [1, stride],
      pads: [0, pad, 0, pad],
    });
    const [scale, shift] = ['weight', 'bias'].map((part) => take(`patch_embed.norm${number}.${part}`, [filters]));
    y = gelu(g, groupNorm(g, convolved, { groups, rank: 4, scale, bias: shift, epsilon: 1e-5 }));
  }
  return g.op('Reshape', [g.op('Transpose', [y], { perm: [0, 2, 3, 1] }), g.integers([0, 0, width])]);
}

/** Prepends the class token, and adds to each token the learned embeddings of its position and its second. */
function withPlaces(
  g: GraphBuilder,
  tokens: Value,
  { x, positions }: Readonly<Record<'x' | 'positions', Value>>,
  take: Take,
): Value {
  const places = take('pos_embed', [1, tableRows, width]);
  const seconds = take('time_embed', [1, times, width]);
  const first = take('cls_token', [1, 1, width]).data.map((value, i) => value + places.data[i]);
  const rows = g.op('Cast', [positions], { to: 7 });
  const place = g.op('Gather', [g.constant({ dims: [tableRows, width], data: places.data }), rows], { axis: 0 });
  const patches = g.op('Shape', [x], { start: 2, end: 3 });
  const second = g.op('Slice', [
    g.constant({ dims: [times, width], data: seconds.data }),
    g.integers([0]),
    patches,
    g.integers([0]),
  ]);
  const grid = g.op('Add', [g.op('Unsqueeze', [place, g.integers([1])]), second]);
  const placed = g.op('Add', [tokens, g.op('Reshape', [grid, g.integers([1, -1, width])])]);
  const trials = g.op('Shape', [x], { start: 0, end: 1 });
  const form = g.op('Concat', [trials, g.integers([1, width])], { axis: 0 });
  const classToken = g.op('Expand', [g.constant({ dims: [1, 1, width], data: first }), form]);
  return g.op('Concat', [classToken, placed], { axis: 1 });
}

/** One layer: attention and two dense layers, each added to what it read by its own learned scale. */
function layer(g: GraphBuilder, x: Value, take: Take): Value {
  const attended = attention(g, norm(g, x, 'norm1', width, take), take);
  const y = g.op('Add', [x, scaled(g, attended, { name: 'attn.proj', dims: [width, width], gamma: 'gamma_1' }, take)]);
  const inside = linear(
    g,
    norm(g, y, 'norm2', width, take),
    take('mlp.fc1.weight', [hidden, width]),
    take('mlp.fc1.bias', [hidden]),
  );
  return g.op('Add', [
    y,
    scaled(g, gelu(g, inside), { name: 'mlp.fc2', dims: [width, hidden], gamma: 'gamma_2' }, take),
  ]);
}

/** Names of the weights of a dense layer and of the scale of its output. */
interface ScaledLayer {
  readonly name: string;
  readonly dims: readonly [number, number];
  readonly gamma: string;
}

/** γ ⊙ (x Wᵀ + b), with γ multiplied into W and b. */
function scaled(g: GraphBuilder, x: Value, { name, dims, gamma }: ScaledLayer, take: Take) {
  const scale = take(gamma, [width]).data;
  const weight = take(`${name}.weight`, dims).data.map((value, i) => value * scale[Math.floor(i / dims[1])]);
  const bias = take(`${name}.bias`, [width]).data.map((value, i) => value * scale[i]);
  return linear(g, x, { dims, data: weight }, { dims: [width], data: bias });
}

/** Ten heads of 20; queries and keys are normed, values are not; no layer has a bias. */
function attention(g: GraphBuilder, x: Value, take: Take): Value {
  const all = linear(g, x, take('attn.qkv.weight', [3 * width, width]));
  const [queries, keys, values] = g
    .ops('Split', [all], 3, { axis: -1, num_outputs: 3 })
    .map((part) => g.op('Reshape', [part, g.integers([0, 0, heads, headWidth])]));
  // The scale of the products is multiplied into the norm of the queries.
  const shrink: Take = (name, dims) => ({
    dims,
    data: take(name, dims).data.map((value) => value / Math.sqrt(headWidth)),
  });
  const q = g.op('Transpose', [norm(g, queries, 'attn.q_norm', headWidth, shrink)], { perm: [0, 2, 1, 3] });
  const k = g.op('Transpose', [norm(g, keys, 'attn.k_norm', headWidth, take)], { perm: [0, 2, 3, 1] });
  const v = g.op('Transpose', [values], { perm: [0, 2, 1, 3] });
  const mixed = g.op('MatMul', [g.op('Softmax', [g.op('MatMul', [q, k])], { axis: -1 }), v]);
  return g.op('Reshape', [g.op('Transpose', [mixed], { perm: [0, 2, 1, 3] }), g.integers([0, 0, width])]);
}
