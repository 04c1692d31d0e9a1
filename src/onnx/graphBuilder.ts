/** Builder of a graph, operator by operator, in the order of computation. */
import { ATTRIBUTE_TYPE, type AttributeDraft, DATA_TYPE, type NodeDraft, type TensorDraft } from './proto';

export const int = (name: string, i: number): AttributeDraft => ({ name, i, type: ATTRIBUTE_TYPE.int });
export const ints = (name: string, values: readonly number[]): AttributeDraft => ({
  name,
  ints: values,
  type: ATTRIBUTE_TYPE.ints,
});
export const float = (name: string, f: number): AttributeDraft => ({ name, f, type: ATTRIBUTE_TYPE.float });
export const text = (name: string, value: string): AttributeDraft => ({
  name,
  s: new TextEncoder().encode(value),
  type: ATTRIBUTE_TYPE.string,
});

/** Bytes of numbers in a file: little endian, as in the memory of machines that run WebAssembly. */
function rawBytes(values: Float32Array | BigInt64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

export function floatTensor(name: string, dims: readonly number[], values: Float32Array): TensorDraft {
  return { name, dims, dataType: DATA_TYPE.float, rawData: rawBytes(values) };
}

export class GraphBuilder {
  readonly nodes: NodeDraft[] = [];
  /** Constants of the architecture: shapes, axes, angles. */
  readonly constants: TensorDraft[] = [];

  /** Adds an operator with one result, named like the operator. Returns the name. */
  op(opType: string, input: readonly string[], name: string, ...attribute: AttributeDraft[]): string {
    this.nodes.push({ opType, input, output: [name], name, attribute });
    return name;
  }

  /** Adds a split of the last axis into equal parts. Returns their names. */
  split(input: string, name: string, ...parts: string[]): string[] {
    const output = parts.map((part) => `${name}.${part}`);
    const attribute = [int('axis', -1), int('num_outputs', parts.length)];
    this.nodes.push({ opType: 'Split', input: [input], output, name, attribute });
    return output;
  }

  /** Adds a split of the last axis into parts whose widths a constant has. Returns their names. */
  splitInto(input: string, name: string, widths: string, parts: readonly string[]): string[] {
    const output = parts.map((part) => `${name}.${part}`);
    this.nodes.push({ opType: 'Split', input: [input, widths], output, name, attribute: [int('axis', -1)] });
    return output;
  }

  ints(name: string, values: readonly number[]): string {
    return this.#int64(name, [values.length], values);
  }

  /** Adds a scalar constant. Returns its name. */
  int(name: string, value: number): string {
    return this.#int64(name, [], [value]);
  }

  floats(name: string, dims: readonly number[], values: Float32Array): string {
    this.constants.push(floatTensor(name, dims, values));
    return name;
  }

  #int64(name: string, dims: readonly number[], values: readonly number[]): string {
    const rawData = rawBytes(BigInt64Array.from(values, BigInt));
    this.constants.push({ name, dims, dataType: DATA_TYPE.int64, rawData });
    return name;
  }
}
