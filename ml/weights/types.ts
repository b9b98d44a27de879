/** Numbers of a layer as they were published: row-major. */
export interface Tensor {
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

/** Tensors of a model by the names they were stored with. */
export type Weights = ReadonlyMap<string, Tensor>;
