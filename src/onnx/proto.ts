/**
 * Messages of ONNX (github.com/onnx/onnx, onnx/onnx.proto) that a policy's file consists of. Parts that no policy has are
 * read as plain bytes, only to see that they are there: nested graphs, functions, sparse or quantised tensors, weights in
 * other files.
 */
import { type MessageDraft, many, one, type WireMessage } from './messages';

/** TensorProto.DataType. */
export const DATA_TYPE = { float: 1, uint8: 2, int8: 3, int32: 6, int64: 7, bool: 9 } as const;

/** Bytes of an element by its type, for numbers of whole bytes; others are strings, complex, or packed. */
export const ELEMENT_BYTES: ReadonlyMap<number, number> = new Map([
  [DATA_TYPE.float, 4],
  [DATA_TYPE.uint8, 1],
  [DATA_TYPE.int8, 1],
  [4, 2],
  [5, 2],
  [DATA_TYPE.int32, 4],
  [DATA_TYPE.int64, 8],
  [DATA_TYPE.bool, 1],
  [10, 2],
  [11, 8],
  [12, 4],
  [13, 8],
  [16, 2],
]);

/** AttributeProto.AttributeType. */
export const ATTRIBUTE_TYPE = {
  float: 1,
  int: 2,
  string: 3,
  tensor: 4,
  graph: 5,
  floats: 6,
  ints: 7,
  graphs: 10,
} as const;

/** Operators of quantised models, also those of onnxruntime's own domain. */
export const QUANTISING = /quantize|^QLinear|Integer$|^MatMulNBits$|^Q(Attention|Gemm|MoE)/i;

export const OPERATOR_SET = {
  name: 'OperatorSetIdProto',
  fields: { domain: one(1, 'string'), version: one(2, 'int') },
} as const;

export const ENTRY = {
  name: 'StringStringEntryProto',
  fields: { key: one(1, 'string'), value: one(2, 'string') },
} as const;

const TENSOR = {
  name: 'TensorProto',
  fields: {
    dims: many(1, 'int'),
    dataType: one(2, 'int'),
    name: one(8, 'string'),
    rawData: one(9, 'bytes'),
    docString: one(12, 'string'),
    externalData: many(13, 'bytes'),
    dataLocation: one(14, 'int'),
  },
} as const;

const ATTRIBUTE = {
  name: 'AttributeProto',
  fields: {
    name: one(1, 'string'),
    f: one(2, 'float'),
    i: one(3, 'int'),
    s: one(4, 'bytes'),
    t: one(5, TENSOR),
    g: one(6, 'bytes'),
    floats: many(7, 'float'),
    ints: many(8, 'int'),
    graphs: many(11, 'bytes'),
    type: one(20, 'int'),
    refAttrName: one(21, 'string'),
  },
} as const;

const NODE = {
  name: 'NodeProto',
  fields: {
    input: many(1, 'string'),
    output: many(2, 'string'),
    name: one(3, 'string'),
    opType: one(4, 'string'),
    attribute: many(5, ATTRIBUTE),
    docString: one(6, 'string'),
    domain: one(7, 'string'),
  },
} as const;

const DIMENSION = { name: 'Dimension', fields: { dimValue: one(1, 'int'), dimParam: one(2, 'string') } } as const;
const SHAPE = { name: 'TensorShapeProto', fields: { dim: many(1, DIMENSION) } } as const;
const TENSOR_TYPE = { name: 'TypeProto.Tensor', fields: { elemType: one(1, 'int'), shape: one(2, SHAPE) } } as const;
const TYPE = { name: 'TypeProto', fields: { tensorType: one(1, TENSOR_TYPE) } } as const;

export const VALUE_INFO = {
  name: 'ValueInfoProto',
  fields: { name: one(1, 'string'), type: one(2, TYPE), docString: one(3, 'string') },
} as const;

const GRAPH = {
  name: 'GraphProto',
  fields: {
    node: many(1, NODE),
    name: one(2, 'string'),
    initializer: many(5, TENSOR),
    docString: one(10, 'string'),
    input: many(11, VALUE_INFO),
    output: many(12, VALUE_INFO),
    quantizationAnnotation: many(14, 'bytes'),
    sparseInitializer: many(15, 'bytes'),
  },
} as const;

export const MODEL = {
  name: 'ModelProto',
  fields: {
    irVersion: one(1, 'int'),
    producerName: one(2, 'string'),
    producerVersion: one(3, 'string'),
    docString: one(6, 'string'),
    graph: one(7, GRAPH),
    opsetImport: many(8, OPERATOR_SET),
    metadataProps: many(14, ENTRY),
    functions: many(25, 'bytes'),
  },
} as const;

export type OnnxModel = WireMessage<typeof MODEL>;
export type OnnxGraph = WireMessage<typeof GRAPH>;
export type OnnxNode = WireMessage<typeof NODE>;
export type OnnxTensor = WireMessage<typeof TENSOR>;
export type Entry = WireMessage<typeof ENTRY>;

export type NodeDraft = MessageDraft<typeof NODE>;
export type AttributeDraft = MessageDraft<typeof ATTRIBUTE>;
export type TensorDraft = MessageDraft<typeof TENSOR>;
export type ValueInfoDraft = MessageDraft<typeof VALUE_INFO>;
