/** Numbers of a published model, row-major. */
export interface Tensor {
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

/** Tensors by name, in the order of the file. Names in nested dictionaries are joined by `.`. */
export type Weights = ReadonlyMap<string, Tensor>;

/** Which tensors of a file to read. */
export interface Wanted {
  /** Key, or keys joined by `.`, of the dictionary with the tensors. Default: the outermost one. */
  readonly under?: string;
  /**
   * Whether to keep a tensor, by its name below `under`. Tensors that are not kept are neither checked nor converted.
   */
  readonly only?: (name: string) => boolean;
}

export interface ReadOptions extends Wanted {
  /** Name of the file, for messages. */
  readonly file: string;
  /** If the file is a tar: name of the file of weights inside. */
  readonly member?: string;
}
