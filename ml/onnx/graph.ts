import type { Attributes, Constant, Dim, Graph, Initialiser, Node, Operator, Value } from './types.ts';

/** Adds nodes and constants to the graph that is being built. */
export interface GraphBuilder {
  /** A node with one output. `null` leaves out an optional input. */
  op(operator: Operator, inputs: readonly (Value | null)[], attributes?: Attributes): Value;
  /** A node with `count` outputs. */
  ops(operator: Operator, inputs: readonly (Value | null)[], count: number, attributes?: Attributes): Value[];
  /** A float32 tensor. The same tensor (equal `data` object and dims) is stored once. */
  constant(tensor: Constant): Value;
  /** A float32 number without dimensions. */
  scalar(value: number): Value;
  /** int64 numbers (axes, a shape, indices), in one dimension unless `dims` is given; equal ones are stored once. */
  integers(list: readonly number[], dims?: readonly number[]): Value;
}

/**
 * Builds a graph. `inputs` gives the float32 inputs and their dimensions; `build` returns the named outputs.
 *
 * @throws RangeError if a constant's dims do not match its length, or if a value belongs to another graph.
 */
export function graph<I extends string>(
  name: string,
  inputs: Readonly<Record<I, readonly Dim[]>>,
  build: (g: GraphBuilder, inputs: Readonly<Record<I, Value>>) => Readonly<Record<string, Value>>,
): Graph {
  const nodes: Node[] = [];
  const initialisers: Initialiser[] = [];
  const known = new Set<Value>();
  const stored = new Map<Float32Array, Map<string, Value>>();
  const lists = new Map<string, Value>();

  const value = (valueName: string): Value => {
    const made = { name: valueName };
    known.add(made);
    return made;
  };
  const nameOf = (of: Value | null): string => {
    if (of !== null && !known.has(of)) throw new RangeError(`${of.name} is not a value of the graph ${name}.`);
    return of?.name ?? '';
  };
  const hold = (dims: readonly number[], data: Float32Array | BigInt64Array): Value => {
    const count = dims.reduce((product, length) => product * length, 1);
    if (count !== data.length)
      throw new RangeError(`A constant of ${data.length} numbers was given the dimensions ${dims.join(' × ')}.`);
    const made = value(`constant_${initialisers.length}`);
    initialisers.push({ name: made.name, dims, data });
    return made;
  };

  const g: GraphBuilder = {
    op: (operator, from, attributes) => g.ops(operator, from, 1, attributes)[0],
    ops(operator, from, count, attributes = {}) {
      const node = `${operator}_${nodes.length}`;
      const outputs = Array.from({ length: count }, (_, i) => value(`${node}:${i}`));
      nodes.push({
        name: node,
        operator,
        inputs: from.map(nameOf),
        outputs: outputs.map(nameOf),
        attributes,
      });
      return outputs;
    },
    constant({ dims, data }) {
      const same = stored.get(data) ?? new Map<string, Value>();
      stored.set(data, same);
      const key = dims.join();
      if (!same.has(key)) same.set(key, hold(dims, data));
      return same.get(key)!;
    },
    scalar(number) {
      const key = `scalar ${number}`;
      if (!lists.has(key)) lists.set(key, hold([], Float32Array.of(number)));
      return lists.get(key)!;
    },
    integers(list, dims = [list.length]) {
      const key = `${dims.join()}: ${list.join()}`;
      if (!lists.has(key)) lists.set(key, hold(dims, BigInt64Array.from(list, BigInt)));
      return lists.get(key)!;
    },
  };

  const entries = Object.keys(inputs).map((input) => [input, value(input)]);
  const outputs = build(g, Object.fromEntries(entries) as Record<I, Value>);
  for (const [output, from] of Object.entries(outputs))
    nodes.push({ name: output, operator: 'Identity', inputs: [nameOf(from)], outputs: [output], attributes: {} });
  return { name, inputs, outputs: Object.keys(outputs), nodes, initialisers };
}
