import { attributeTypes, dataTypes, modelMessage } from './messages.ts';
import type { Attribute, Dim, Graph, Initialiser } from './types.ts';

/** Format of the file (8: ONNX 1.13) and the operators' version that goes with it. */
const [irVersion, operatorSet] = [8, 18];

const text = new TextEncoder();

/** The graph as bytes of an ONNX model, which any runtime for ONNX reads. */
export function encodeGraph({ name, inputs, outputs, nodes, initialisers }: Graph): Uint8Array {
  return modelMessage
    .encode({
      irVersion,
      producerName: 'eeg-task-classifier',
      opsetImport: [{ domain: '', version: operatorSet }],
      graph: {
        name,
        node: nodes.map(({ operator, inputs, outputs, attributes, name }) => ({
          input: inputs,
          output: outputs,
          name,
          opType: operator,
          attribute: Object.entries(attributes).map(([key, attribute]) => attributeOf(key, attribute)),
        })),
        initializer: initialisers.map(tensorOf),
        input: Object.entries<readonly Dim[]>(inputs).map(([key, dims]) => infoOf(key, dims)),
        output: outputs.map((key) => infoOf(key)),
      },
    })
    .finish();
}

function attributeOf(name: string, value: Attribute): object {
  if (typeof value === 'string') return { name, type: attributeTypes.string, s: text.encode(value) };
  if (typeof value === 'number') return { name, type: attributeTypes.int, i: whole(name, value) };
  if ('float' in value) return { name, type: attributeTypes.float, f: value.float };
  return value.some((entry) => typeof entry === 'string')
    ? { name, type: attributeTypes.strings, strings: value.map((entry) => text.encode(String(entry))) }
    : { name, type: attributeTypes.ints, ints: value.map((entry) => whole(name, Number(entry))) };
}

function whole(name: string, value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`Attribute ${name}: ${value} is not an integer.`);
  return value;
}

const tensorOf = ({ name, dims, data }: Initialiser): object => ({
  name,
  dims,
  dataType: data instanceof Float32Array ? dataTypes.float32 : dataTypes.int64,
  rawData: new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
});

const infoOf = (name: string, dims?: readonly Dim[]): object => ({
  name,
  type: {
    tensorType: {
      elemType: dataTypes.float32,
      ...(dims && {
        shape: { dim: dims.map((dim) => (typeof dim === 'number' ? { dimValue: dim } : { dimParam: dim })) },
      }),
    },
  },
});
