import protobuf from 'protobufjs/light.js';

/**
 * The messages of onnx.proto (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto) that these graphs need, with the
 * numbers of the fields that are set. All others are left out.
 */
const root = protobuf.Root.fromJSON({
  nested: {
    Model: {
      fields: {
        irVersion: { type: 'int64', id: 1 },
        producerName: { type: 'string', id: 2 },
        graph: { type: 'Graph', id: 7 },
        opsetImport: { type: 'OperatorSet', id: 8, rule: 'repeated' },
      },
    },
    OperatorSet: {
      fields: { domain: { type: 'string', id: 1 }, version: { type: 'int64', id: 2 } },
    },
    Graph: {
      fields: {
        node: { type: 'Node', id: 1, rule: 'repeated' },
        name: { type: 'string', id: 2 },
        initializer: { type: 'Tensor', id: 5, rule: 'repeated' },
        input: { type: 'ValueInfo', id: 11, rule: 'repeated' },
        output: { type: 'ValueInfo', id: 12, rule: 'repeated' },
      },
    },
    Node: {
      fields: {
        input: { type: 'string', id: 1, rule: 'repeated' },
        output: { type: 'string', id: 2, rule: 'repeated' },
        name: { type: 'string', id: 3 },
        opType: { type: 'string', id: 4 },
        attribute: { type: 'Attribute', id: 5, rule: 'repeated' },
      },
    },
    Attribute: {
      fields: {
        name: { type: 'string', id: 1 },
        f: { type: 'float', id: 2 },
        i: { type: 'int64', id: 3 },
        s: { type: 'bytes', id: 4 },
        ints: { type: 'int64', id: 8, rule: 'repeated' },
        strings: { type: 'bytes', id: 9, rule: 'repeated' },
        type: { type: 'int32', id: 20 },
      },
    },
    Tensor: {
      fields: {
        dims: { type: 'int64', id: 1, rule: 'repeated' },
        dataType: { type: 'int32', id: 2 },
        name: { type: 'string', id: 8 },
        rawData: { type: 'bytes', id: 9 },
      },
    },
    ValueInfo: { fields: { name: { type: 'string', id: 1 }, type: { type: 'ValueType', id: 2 } } },
    ValueType: { fields: { tensorType: { type: 'TensorType', id: 1 } } },
    TensorType: { fields: { elemType: { type: 'int32', id: 1 }, shape: { type: 'Shape', id: 2 } } },
    Shape: { fields: { dim: { type: 'Dimension', id: 1, rule: 'repeated' } } },
    Dimension: { fields: { dimValue: { type: 'int64', id: 1 }, dimParam: { type: 'string', id: 2 } } },
  },
});

export const modelMessage = root.lookupType('Model');

/** TensorProto.DataType. */
export const dataTypes = { float32: 1, int64: 7 } as const;

/** AttributeProto.AttributeType. */
export const attributeTypes = { float: 1, int: 2, string: 3, ints: 7, strings: 8 } as const;
