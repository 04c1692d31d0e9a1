/**
 * Import of a policy, bit for bit, from an ONNX file that this lab wrote. The graph that belongs to the file's
 * description is built again and compared with the file's graph, operator by operator: anything else is refused. Only
 * names of operators and texts for people may differ.
 */
import { layoutParameters, type ParameterLayout } from '../policy/parameters';
import { readDescription } from './description';
import { clipped, foreign } from './errors';
import { checkFinite, type ExportOptions, type OnnxPolicy, OPERATOR_SET } from './exportOnnx';
import { type PolicyGraph, policyGraph } from './policyGraph';
import {
  type AttributeDraft,
  DATA_TYPE,
  type NodeDraft,
  type OnnxGraph,
  type OnnxTensor,
  type TensorDraft,
  type ValueInfoDraft,
} from './proto';
import { readModel, type SoundModel } from './readModel';

/** Tolerance of constants: cosines computed on another machine may differ in their last bits. */
const ANGLE_TOLERANCE = 1e-6;

export type ImportedPolicy = OnnxPolicy & ExportOptions;

/**
 * Policy in an ONNX file. Throws LabError: 'invalid-policy' for broken files, 'unsupported' for models that the lab did not
 * write, 'limits' for files that are too large, 'non-finite'.
 */
export function importOnnx(bytes: Uint8Array): ImportedPolicy {
  const model = readModel(bytes);
  const description = readDescription(model);
  const { graph } = model;
  checkOperatorSet(model);
  const cached = graph.input.length > 1;
  const layout = layoutParameters(description.configuration);
  const tensors = new Map(graph.initializer.map((tensor) => [tensor.name ?? '', tensor]));
  // Parameters first: if all are there, the file's size bounds that of the graph to be built.
  const parameters = readParameters(layout, tensors);
  checkFinite(parameters);
  compareGraphs(policyGraph(description.configuration, { cached }), graph, tensors, layout);
  return { ...description, parameters, cached };
}

function checkOperatorSet({ opsetImport }: SoundModel): void {
  const [set] = opsetImport;
  if (opsetImport.length === 1 && (set?.domain ?? '') === '' && set?.version === OPERATOR_SET) return;
  const sets = opsetImport.map(
    ({ domain = '', version }) => `${domain === '' ? 'ai.onnx' : clipped(domain)} ${version}`,
  );
  throw foreign(
    `The file uses the operators ${sets.slice(0, 4).join(', ')}; policies are written with ai.onnx ${OPERATOR_SET}.`,
  );
}

function readParameters(layout: ParameterLayout, tensors: ReadonlyMap<string, OnnxTensor>): Float32Array {
  const found = layout.specs.map(({ name, shape, offset }) => {
    const tensor = tensors.get(name);
    if (tensor?.rawData === undefined) throw foreign(`The file lacks the parameter ${name}.`);
    const wanted = shapeOf({ dims: shape });
    if (tensor.dataType !== DATA_TYPE.float || shapeOf(tensor) !== wanted) {
      throw foreign(
        `The parameter ${name} is ${clipped(shapeOf(tensor))} of type ${tensor.dataType}, not float32 ${wanted}.`,
      );
    }
    return { offset, rawData: tensor.rawData };
  });
  const parameters = new Float32Array(layout.size);
  for (const { offset, rawData } of found) parameters.set(floatsOf(rawData), offset);
  return parameters;
}

const shapeOf = ({ dims = [] }: TensorDraft): string => `[${dims.join(', ')}]`;

/** Floats of raw bytes, as a copy: a view of the file need not be aligned, and a Buffer's `slice` is a view too. */
function floatsOf(rawData: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(rawData).buffer);
}

function compareGraphs(
  ours: PolicyGraph,
  theirs: OnnxGraph,
  tensors: ReadonlyMap<string, OnnxTensor>,
  layout: ParameterLayout,
): void {
  compareLists('input', ours.inputs.map(valueLine), theirs.input.map(valueLine));
  compareLists('output', ours.outputs.map(valueLine), theirs.output.map(valueLine));
  compareLists('operator', ours.nodes.map(nodeLine), theirs.node.map(nodeLine));
  for (const constant of ours.constants) {
    const tensor = tensors.get(constant.name ?? '');
    if (tensor === undefined || !sameTensor(constant, tensor))
      throw foreign(`Its constant ${constant.name} is another.`);
  }
  const known = layout.specs.length + ours.constants.length;
  if (tensors.size !== known)
    throw foreign(`The file holds ${tensors.size} tensors, where a policy of its kind has ${known}.`);
}

/** Entry of a graph: `exact` is compared, `text` is shown. Names from a file may contain the separators of `text`. */
interface Line {
  readonly exact: string;
  readonly text: string;
}

function compareLists(what: string, ours: readonly Line[], theirs: readonly Line[]): void {
  const at = ours.findIndex(({ exact }, index) => exact !== theirs[index]?.exact);
  if (at >= 0) {
    const [found, wanted] = [theirs[at], ours[at]].map((line) => (line === undefined ? 'nothing' : clipped(line.text)));
    throw foreign(`The graph is another one: its ${what} ${at} is ${found}, where a policy has ${wanted}.`);
  }
  if (theirs.length > ours.length) {
    throw foreign(`The graph has ${theirs.length} ${what}s, where a policy of its kind has ${ours.length}.`);
  }
}

function valueLine({ name, type }: ValueInfoDraft): Line {
  const { elemType, shape } = type?.tensorType ?? {};
  const dims = shape?.dim?.map(({ dimValue, dimParam }) => [dimValue, dimParam]);
  const sizes = dims?.map(([size, symbol]) => size ?? symbol).join(', ');
  return { exact: JSON.stringify([name, elemType, dims]), text: `${name} of type ${elemType}, [${sizes}]` };
}

function nodeLine({ opType, domain = '', input = [], output = [], attribute = [] }: NodeDraft): Line {
  const attributes = attribute.map(attributeParts).sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  const said = attributes.map((parts) => parts.flat().filter((part) => part !== undefined));
  return {
    exact: JSON.stringify([opType, domain, input, output, attributes]),
    text: `${output.join(', ')} = ${domain}${opType}(${input.join(', ')}; ${said.map((parts) => parts.join(' ')).join(', ')})`,
  };
}

type Part = string | number | undefined;

function attributeParts({ name, type, i, f, s, t, ints = [], floats = [], refAttrName }: AttributeDraft) {
  // The only text of a policy's operators is “tanh”; a longer one is cut.
  const text = s && new TextDecoder().decode(s.subarray(0, 100));
  const number = f === undefined ? undefined : Math.fround(f);
  const parts: [Part, ...(Part | readonly number[])[]] = [name, type, i, number, text, ints, floats];
  return [...parts, t && 'a tensor', refAttrName] as typeof parts;
}

function sameTensor(ours: TensorDraft, theirs: OnnxTensor): boolean {
  if (ours.dataType !== theirs.dataType || shapeOf(ours) !== shapeOf(theirs)) return false;
  const [a, b] = [ours.rawData ?? new Uint8Array(), theirs.rawData ?? new Uint8Array()];
  if (ours.dataType !== DATA_TYPE.float) return a.every((byte, i) => byte === b[i]);
  const [expected, found] = [floatsOf(a), floatsOf(b)];
  return expected.every((value, i) => Math.abs(value - (found[i] as number)) <= ANGLE_TOLERANCE);
}
