/** Numbers that a graph of an encoder takes or gives, row-major. */
export interface GraphTensor {
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

/** Runs a graph of one encoder on named inputs; resolves with its named outputs. */
export type RunGraph = (
  graph: string,
  inputs: Readonly<Record<string, GraphTensor>>,
) => Promise<Readonly<Record<string, GraphTensor>>>;
