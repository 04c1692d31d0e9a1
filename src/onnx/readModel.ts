/**
 * Model from bytes that keeps the rules of ONNX (those of onnx/checker.cc that need no operator schemas): every name is
 * defined once and before it is used, and every tensor has the bytes of its shape. The limits bound work and memory of
 * reading.
 */
import { clipped, damaged, foreign, tooLarge } from './errors';
import { type ModelLimits, POLICY_LIMITS } from './limits';
import { decode } from './messages';
import {
  ATTRIBUTE_TYPE,
  DATA_TYPE,
  ELEMENT_BYTES,
  MODEL,
  type OnnxGraph,
  type OnnxModel,
  type OnnxNode,
  type OnnxTensor,
  QUANTISING,
} from './proto';

export interface SoundModel extends OnnxModel {
  readonly graph: OnnxGraph;
}

const OLDEST_IR_VERSION = 3;
const EXTERNAL = 1;
/** First of the element types float8, int4 and float4, which follow one another. */
const FIRST_SMALL_TYPE = 17;

/** Throws LabError: 'invalid-policy' for broken files, 'limits' for large ones, 'unsupported' for other kinds of model. */
export function readModel(bytes: Uint8Array, limits: ModelLimits = POLICY_LIMITS): SoundModel {
  if (bytes.length > limits.bytes) throw tooLarge(`The file has ${bytes.length} bytes, more than ${limits.bytes}.`);
  if (bytes.length === 0) throw damaged('The file is empty.');
  const model = decode(MODEL, bytes, limits.items);
  const { graph, irVersion, opsetImport, functions } = model;
  if (irVersion === undefined || irVersion < OLDEST_IR_VERSION) {
    throw damaged('The file is not an ONNX file: it does not say which version of the format it has.');
  }
  if (graph === undefined || graph.node.length === 0) throw damaged('The file holds no model.');
  if (opsetImport.length === 0) throw damaged('The model does not say which operators it uses.');
  if (functions.length > 0) throw foreign('The model defines operators of its own.');
  checkSizes(graph, limits);
  checkKind(graph);
  for (const node of graph.node) checkNode(node);
  for (const tensor of graph.initializer) checkTensor(tensor);
  checkNames(graph);
  return { ...model, graph };
}

function checkSizes({ node, initializer }: OnnxGraph, limits: ModelLimits): void {
  if (node.length > limits.nodes) throw tooLarge(`The model has ${node.length} operators, more than ${limits.nodes}.`);
  const weights = initializer.reduce((sum, { rawData }) => sum + (rawData?.length ?? 0), 0);
  if (weights > limits.initialiserBytes) {
    throw tooLarge(`The model has ${weights} bytes of weights, more than ${limits.initialiserBytes}.`);
  }
}

/** Throws for sound models whose weights cannot be used: quantised, sparse, or in another file. */
function checkKind({ node, initializer, quantizationAnnotation, sparseInitializer }: OnnxGraph): void {
  const operator = node.find(({ opType }) => QUANTISING.test(opType ?? ''))?.opType;
  const isRounded = ({ dataType = 0 }: OnnxTensor): boolean =>
    dataType === DATA_TYPE.int8 || dataType === DATA_TYPE.uint8 || dataType >= FIRST_SMALL_TYPE;
  const tensor = initializer.find(isRounded);
  if (operator !== undefined || tensor !== undefined || quantizationAnnotation.length > 0) {
    const sign = operator ?? tensor?.name ?? 'its annotations';
    throw foreign(`The model is quantised (${clipped(sign)}): its weights are rounded to a few bits.`);
  }
  if (sparseInitializer.length > 0) throw foreign('The model has sparse weights.');
  const apart = initializer.find(
    ({ dataLocation, externalData }) => dataLocation === EXTERNAL || externalData.length > 0,
  );
  if (apart !== undefined) throw foreign(`The model keeps its weights (${clipped(apart.name ?? '')}) in another file.`);
}

function checkNode({ opType = '', output, attribute, name = '' }: OnnxNode): void {
  const operator = `Operator ${clipped(opType)} “${clipped(name)}”`;
  if (opType === '') throw damaged(`${operator} has no type.`);
  if (output.every((result) => result === '')) throw damaged(`${operator} has no result.`);
  const names = attribute.map((each) => each.name ?? '');
  if (names.includes('') || new Set(names).size !== names.length) {
    throw damaged(`${operator} has an attribute twice, or one without a name.`);
  }
  for (const { type, g, graphs, t } of attribute) {
    const holdsGraph = type === ATTRIBUTE_TYPE.graph || type === ATTRIBUTE_TYPE.graphs;
    if (holdsGraph || g !== undefined || graphs.length > 0) throw foreign(`${operator} holds a graph of its own.`);
    if (t !== undefined) checkTensor(t);
  }
}

function checkTensor({ name = '', dims, dataType = 0, rawData }: OnnxTensor): void {
  const tensor = `Tensor “${clipped(name)}”`;
  const size = ELEMENT_BYTES.get(dataType);
  if (size === undefined) throw foreign(`${tensor} holds elements of type ${dataType}, which no policy has.`);
  if (rawData === undefined) throw foreign(`${tensor} does not hold its numbers as plain bytes.`);
  const bytes = dims.reduce((product, dim) => product * dim, size);
  if (dims.every((dim) => dim >= 0) && bytes === rawData.length) return;
  const shape = dims.slice(0, 8).join(', ');
  throw damaged(`${tensor} of shape [${shape}] has ${rawData.length} bytes, not ${bytes}.`);
}

/** Throws unless every name is defined once, and before it is used. */
function checkNames({ node, initializer, input, output }: OnnxGraph): void {
  const given = new Set<string>();
  const give = (name: string, what: string): void => {
    if (name === '') throw damaged(`${what} has no name.`);
    if (given.has(name)) throw damaged(`The model gives the name “${clipped(name)}” twice.`);
    given.add(name);
  };
  for (const { name = '' } of initializer) give(name, 'A tensor of weights');
  // Old files list their weights among the inputs as well.
  const weights = new Set(given);
  for (const { name = '' } of input) if (!weights.has(name)) give(name, 'An input of the model');
  const made = new Set(node.flatMap((each) => each.output));
  for (const { opType = '', input: needs, output: makes } of node) {
    const missing = needs.find((name) => name !== '' && !given.has(name));
    if (missing !== undefined) throw notThere(missing, opType, made.has(missing), node);
    for (const name of makes) if (name !== '') give(name, 'A result');
  }
  const lost = output.find(({ name = '' }) => !given.has(name));
  if (lost !== undefined) throw damaged(`Nothing computes the model’s output “${clipped(lost.name ?? '')}”.`);
  if (output.length === 0) throw damaged('The model has no output.');
}

function notThere(name: string, opType: string, isMade: boolean, nodes: readonly OnnxNode[]): Error {
  const [operator, missing] = [`Operator ${clipped(opType)}`, `“${clipped(name)}”`];
  if (!isMade)
    return damaged(`${operator} needs ${missing}, which the file does not hold: weights are missing from it.`);
  const why = isCyclic(nodes) ? 'operators wait for one another in a circle' : 'the operators are in another order';
  return damaged(`${operator} needs ${missing} before it can be computed: ${why}.`);
}

/** True if the operators have no valid order (Kahn's algorithm). */
function isCyclic(nodes: readonly OnnxNode[]): boolean {
  const maker = new Map(nodes.flatMap((node, index) => node.output.map((name) => [name, index] as const)));
  const waiting = nodes.map(({ input }) => input.filter((name) => maker.has(name)).length);
  const users: number[][] = nodes.map(() => []);
  nodes.forEach(({ input }, user) => {
    for (const name of input) users[maker.get(name) ?? -1]?.push(user);
  });
  const ready = nodes.flatMap((_, index) => (waiting[index] === 0 ? [index] : []));
  for (const index of ready) {
    for (const user of users[index] ?? []) {
      waiting[user] = (waiting[user] as number) - 1;
      if (waiting[user] === 0) ready.push(user);
    }
  }
  return ready.length < nodes.length;
}
