/**
 * Outline of a model's file from any exporter, read before it runs: inputs, outputs, the files it needs and the kind of
 * its weights. Weights and attributes of operators are not read. Work and memory are bounded.
 */
import { clipped, damaged } from '../errors';
import { decode, many, one, type WireMessage } from '../messages';
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

/** Largest size of a model with all its weights, in bytes, that onnxruntime-web can load, since it copies them. */
export const MOST_MODEL_BYTES = 1.5 * 2 ** 30;
/** Largest number of fields of a model's messages; a language model of 50,000 operators has about a million. */
const MOST_ITEMS = 2 ** 22;

export interface OutlinedValue {
  readonly name: string;
  /** TensorProto.DataType; 0 if it is no tensor. */
  readonly type: number;
  /** Size of each dimension, or its name if it may have any size. */
  readonly dims: readonly (number | string)[];
}

export interface ModelOutline {
  readonly producer: string;
  readonly inputs: readonly OutlinedValue[];
  readonly outputs: readonly OutlinedValue[];
  /** Names of the files with weights, as the model has them. */
  readonly weightFiles: readonly string[];
  readonly isQuantised: boolean;
  readonly metadata: ReadonlyMap<string, string>;
}

/** Outline of a file. Throws LabError 'invalid-policy' if the file is no sound ONNX file, 'limits' if it has too many fields. */
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

function outlineOf({ name = '', type }: WireMessage<typeof VALUE_INFO>): OutlinedValue {
  const { elemType = 0, shape } = type?.tensorType ?? {};
  const dims = shape?.dim.map(({ dimValue, dimParam }) => dimValue ?? dimParam ?? '?') ?? [];
  return { name, type: elemType, dims };
}

/** Name of an element type, for messages. */
export function typeName(type: number): string {
  const known = Object.entries({ ...DATA_TYPE, float16: 10, double: 11, bfloat16: 16 }).find(([, n]) => n === type);
  return known?.[0].replace(/^float$/, 'float32') ?? `type ${type}`;
}
