/**
 * A policy as one ONNX file: the graph of policyGraph.ts, its parameters as initialisers, its description as metadata.
 * Operator set 20 (ONNX 1.15, onnxruntime 1.17) is the oldest with GPT-2's GELU as one operator. The same policy always
 * gives the same bytes.
 */
import { LabError } from '../foundation/errors';
import { layoutParameters, parameterSize } from '../policy/parameters';
import { type PolicyDescription, writeDescription } from './description';
import { floatTensor } from './graphBuilder';
import { encode } from './messages';
import { policyGraph } from './policyGraph';
import { MODEL } from './proto';

export const OPERATOR_SET = 20;
/** Version of the file format itself, that of ONNX 1.15. */
const IR_VERSION = 9;

export interface OnnxPolicy extends PolicyDescription {
  /** [N], laid out by policy/parameters.ts. */
  readonly parameters: Float32Array;
}

export interface ExportOptions {
  /** True for a graph with a key-value cache as inputs and outputs. */
  readonly cached: boolean;
}

/** Bytes of the file. Throws LabError 'non-finite' if a parameter is not finite. */
export function exportOnnx(policy: OnnxPolicy, options: ExportOptions): Uint8Array<ArrayBuffer> {
  const { parameters, configuration, member, update } = policy;
  const { specs, size } = layoutParameters(configuration);
  if (parameters.length !== size) {
    throw new RangeError(`The policy has ${parameters.length} parameters, not the ${size} of its configuration.`);
  }
  if (configuration.adapters !== undefined) {
    const what = 'An adapter alone cannot leave as ONNX: its graph holds all weights.';
    throw new LabError('unsupported', what, 'Merge it: lab export RUN --member … --out policy.onnx.');
  }
  checkFinite(parameters);
  const weights = specs.map((spec) => {
    const end = spec.offset + parameterSize(spec);
    return floatTensor(spec.name, spec.shape, parameters.subarray(spec.offset, end));
  });
  const { nodes, constants, inputs, outputs } = policyGraph(configuration, options);
  return encode(MODEL, {
    irVersion: IR_VERSION,
    producerName: 'unmask',
    docString: `A policy of ${policy.environment.id}: ${member.arm}, seed ${member.seed}, after ${update} updates.`,
    opsetImport: [{ domain: '', version: OPERATOR_SET }],
    graph: {
      name: 'policy',
      docString: 'A decoder-only, pre-norm transformer. Softmax over logits / temperature draws the next token.',
      node: nodes,
      initializer: [...weights, ...constants],
      input: inputs,
      output: outputs,
    },
    metadataProps: writeDescription(policy),
  });
}

export function checkFinite(parameters: Float32Array): void {
  if (parameters.every(Number.isFinite)) return;
  const what = 'The policy has parameters that are not finite numbers: its training diverged.';
  throw new LabError('non-finite', what, 'Choose another member, or an earlier update.');
}
