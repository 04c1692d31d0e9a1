/**
 * What a model's file says of itself before anything runs it: inputs, outputs, which files it needs and what its weights
 * are. Weights and the attributes of operators are not read. Any exporter's files; work and memory are bounded.
 */
import { clipped, damaged } from '../errors';
import { decode, type Message, many, one } from '../messages';
import { DATA_TYPE, ENTRY, OPERATOR_SET, QUANTISING, VALUE_INFO } from '../proto';

const GRAPH_OUTLINE = {
  name: 'GraphProto',
  fields: {
    node: many(1, { name: 'NodeProto', fields: { opType: one(4, 'string') } } as const),
    initializer: many(5, {
      name: 'TensorProto',
      fields: { dataType: one(2, 'int'), name: one(8, 'string'), externalData: many(13, ENTRY) },
    } as const),
    input: many(11, VALUE_INFO),
    output: many(12, VALUE_INFO),
  },
} as const;

const MODEL_OUTLINE = {
  name: 'ModelProto',
  fields: {
    irVersion: one(1, 'int'),
    producerName: one(2, 'string'),
    graph: one(7, GRAPH_OUTLINE),
    opsetImport: many(8, OPERATOR_SET),
    metadataProps: many(14, ENTRY),
  },
} as const;

/** Bytes of a model with all its weights: what onnxruntime-web can hold beside its copy of them. */
export const MOST_MODEL_BYTES = 1.5 * 2 ** 30;
/** Of a language model with 50,000 operators about a million. */
const MOST_ITEMS = 2 ** 22;

export interface OutlinedValue {
  readonly name: string;
  /** TensorProto.DataType; 0 for what is no tensor. */
  readonly type: number;
  /** A number, or the name of a dimension that may have any size. */
  readonly dims: readonly (number | string)[];
}

export interface ModelOutline {
  readonly producer: string;
  readonly inputs: readonly OutlinedValue[];
  readonly outputs: readonly OutlinedValue[];
  /** Files that hold weights, by the names that the model has for them. */
  readonly weightFiles: readonly string[];
  readonly isQuantised: boolean;
  readonly metadata: ReadonlyMap<string, string>;
}

/** Throws LabError 'invalid-policy' for what is no sound ONNX file, 'limits' for one of too many parts. */
export function readOutline(bytes: Uint8Array): ModelOutline {
  if (bytes.length === 0) throw damaged('The file is empty.');
  const { irVersion, graph, opsetImport, producerName = '', metadataProps } = decode(MODEL_OUTLINE, bytes, MOST_ITEMS);
  if (irVersion === undefined || opsetImport.length === 0) {
    throw damaged('The file is not an ONNX file: it does not say which version of the format and operators it has.');
  }
  if (graph === undefined || graph.node.length === 0) throw damaged('The file holds no model.');
  const weights = new Set(graph.initializer.map(({ name }) => name));
  const locations = graph.initializer.flatMap(({ externalData }) =>
    externalData.flatMap(({ key, value = '' }) => (key === 'location' ? [value] : [])),
  );
  return {
    producer: clipped(producerName),
    // Old files list their weights among the inputs as well.
    inputs: graph.input.map(outlineOf).filter(({ name }) => !weights.has(name)),
    outputs: graph.output.map(outlineOf),
    weightFiles: [...new Set(locations)],
    isQuantised: graph.node.some(({ opType }) => QUANTISING.test(opType ?? '')),
    metadata: new Map(metadataProps.map(({ key = '', value = '' }) => [key, value])),
  };
}

function outlineOf({ name = '', type }: Message<typeof VALUE_INFO>): OutlinedValue {
  const { elemType = 0, shape } = type?.tensorType ?? {};
  const dims = shape?.dim.map(({ dimValue, dimParam }) => dimValue ?? dimParam ?? '?') ?? [];
  return { name, type: elemType, dims };
}

/** For a person. */
export function typeName(type: number): string {
  const known = Object.entries({ ...DATA_TYPE, float16: 10, double: 11, bfloat16: 16 }).find(([, n]) => n === type);
  return known?.[0].replace(/^float$/, 'float32') ?? `type ${type}`;
}
