/** Constant values of a graph, row-major. */
export interface Constant {
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

/** A length, or a name if the length is known only when the graph runs. */
export type Dim = number | string;

/** A value between nodes. A `GraphBuilder` creates it, and it is only valid in that graph. */
export interface Value {
  readonly name: string;
}

/** An attribute of a node: integers as numbers, other numbers (and integers that mean a float) in `float`. */
export type Attribute = number | readonly number[] | string | readonly string[] | { readonly float: number };

export type Attributes = Readonly<Record<string, Attribute>>;

export interface Node {
  readonly name: string;
  readonly operator: Operator;
  /** Names of values; '' for an optional input that is left out. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Attributes;
}

export interface Initialiser {
  readonly name: string;
  readonly dims: readonly number[];
  readonly data: Float32Array | BigInt64Array;
}

/** A whole graph; its inputs and outputs are float32. */
export interface Graph {
  readonly name: string;
  readonly inputs: Readonly<Record<string, readonly Dim[]>>;
  readonly outputs: readonly string[];
  readonly nodes: readonly Node[];
  readonly initialisers: readonly Initialiser[];
}

/** Operators of ONNX's own domain in operator set 18 that graphs here are made of. */
export type Operator =
  | 'Abs'
  | 'Add'
  | 'Cast'
  | 'Clip'
  | 'Concat'
  | 'Conv'
  | 'Cos'
  | 'Div'
  | 'Elu'
  | 'Erf'
  | 'Exp'
  | 'Expand'
  | 'Flatten'
  | 'GRU'
  | 'Gather'
  | 'Gemm'
  | 'Identity'
  | 'InstanceNormalization'
  | 'LayerNormalization'
  | 'Log'
  | 'MatMul'
  | 'Max'
  | 'Mean'
  | 'Min'
  | 'Mul'
  | 'Neg'
  | 'Pad'
  | 'Pow'
  | 'Reciprocal'
  | 'ReduceMax'
  | 'ReduceMean'
  | 'ReduceSum'
  | 'Relu'
  | 'Reshape'
  | 'Shape'
  | 'Sigmoid'
  | 'Sin'
  | 'Slice'
  | 'Softmax'
  | 'Split'
  | 'Sqrt'
  | 'Squeeze'
  | 'Sub'
  | 'Tanh'
  | 'Transpose'
  | 'Unsqueeze';
