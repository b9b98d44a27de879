/** Graphs of ONNX, built node by node and encoded to the bytes that a runtime reads. */
export { graph } from './graph.ts';
export type { GraphBuilder } from './graph.ts';
export { encodeGraph } from './encode.ts';
export { gelu, groupNorm, layerNorm, linear } from './layers.ts';
export { bidirectionalGru } from './gru.ts';
export type { GruWeights } from './gru.ts';
export type { Constant, Value } from './types.ts';
