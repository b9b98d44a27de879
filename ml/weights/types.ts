/** Numbers of a published model, row-major. */
export interface Tensor {
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

/** Tensors by name, in the order of the file; names of nested dictionaries are joined by `.`. */
export type Weights = ReadonlyMap<string, Tensor>;

/** Which tensors of a file to read. */
export interface Wanted {
  /** Key, or keys joined by `.`, of the dictionary that holds the tensors; the outermost one where absent. */
  readonly under?: string;
  /** Whether a tensor is kept, by its name below `under`; what is not kept is neither checked nor converted. */
  readonly only?: (name: string) => boolean;
}

export interface ReadOptions extends Wanted {
  /** Name of the file in messages. */
  readonly file: string;
  /** Of a tar: the name of the file in it that holds the weights. */
  readonly member?: string;
}
