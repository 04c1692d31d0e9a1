/** One policy as a model that can be changed in one place, and the error by which its file is then refused. */
import { LabError } from '../../src/foundation/errors';
import { exportOnnx } from '../../src/onnx/exportOnnx';
import { importOnnx } from '../../src/onnx/importOnnx';
import { POLICY_LIMITS } from '../../src/onnx/limits';
import { decode, type MessageDraft } from '../../src/onnx/messages';
import { MODEL, type OnnxGraph, type OnnxModel, type OnnxNode, type OnnxTensor } from '../../src/onnx/proto';
import { randomPolicy } from '../support/policies';

export const policy = randomPolicy(1, { layers: 1, width: 16 });
export const bytes = exportOnnx(policy, { cached: false });
export const model = decode(MODEL, bytes, POLICY_LIMITS.items) as OnnxModel & { graph: OnnxGraph };

export type Changed = MessageDraft<typeof MODEL>;
export const inGraph = (change: (graph: OnnxGraph) => Changed['graph']): Changed => ({
  ...model,
  graph: change(model.graph),
});
export const inNode = (name: string, change: Partial<OnnxNode>): Changed =>
  inGraph((graph) => ({
    ...graph,
    node: graph.node.map((node) => (node.name === name ? { ...node, ...change } : node)),
  }));
export const inTensor = (name: string, change: Partial<OnnxTensor>): Changed =>
  inGraph((graph) => ({
    ...graph,
    initializer: graph.initializer.map((tensor) => (tensor.name === name ? { ...tensor, ...change } : tensor)),
  }));
export const inMetadata = (change: Readonly<Record<string, string>>): Changed => ({
  ...model,
  metadataProps: model.metadataProps.map(({ key = '', value }) => ({ key, value: change[key] ?? value })),
});
export const inConfiguration = (change: object): Changed =>
  inMetadata({ configuration: JSON.stringify({ ...policy.configuration, ...change }) });

export function refusal(file: Uint8Array): LabError {
  try {
    importOnnx(file);
  } catch (cause) {
    if (cause instanceof LabError) return cause;
    throw cause;
  }
  throw new Error('The file was accepted.');
}
