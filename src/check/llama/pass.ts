/** A model's passes over some texts: logits, log-probs, and gradients of a weighted sum of them; and greedy text. */
import { ROLE } from '../../foundation/roles';
import { following, likeliest, TextDecoding } from '../../llama/decoding';
import { holdModel, type Model, trainable } from '../../llama/model';
import { allocateActivations, allocateScratch } from '../../policy/activations';
import { recordBackward } from '../../policy/backward';
import { recordHead, recordTrunk } from '../../policy/forward';
import type { Backend, FloatData, Rows, Sequences, Tensor } from '../../tensor/backend';
import { GRADIENT_CHUNK, packMeta, ROW_FIELDS } from '../../tensor/layout';
import { hyperTensor, tensorOf } from '../place';

export interface Passed {
  /** Log-prob of each token but a text's first, text by text. */
  readonly logProbs: Float64Array;
  /** Logits [rows, tokens], rows text by text. */
  readonly logits: Float64Array;
  /** Gradient by the parameters [N]. */
  readonly gradient: FloatData;
}

/** Passes over texts of tokens. weights: of each token but a text's first, text by text; the loss is −Σ weight · log p. */
export async function pass(
  backend: Backend,
  given: Model,
  texts: readonly (readonly number[])[],
  weights: readonly number[],
): Promise<Passed> {
  const { tokens, ...model } = trainable(given);
  const rows = rowsOf(backend, texts);
  const { capacity: R } = rows;
  const { configuration } = model;
  const V = configuration.vocabulary;
  const views = holdModel(backend, model);
  const activations = allocateActivations(backend, configuration, 1, R, { keep: true, label: 'check' });
  const scratch = allocateScratch(backend, configuration, 1, R);
  const float = (label: string, stride: number): Tensor<'f32'> => backend.tensor(label, 'f32', 1, stride);
  const [logits, logProb, entropy, logSumExp] = [
    float('logits', R * V),
    float('logProb', R),
    float('entropy', R),
    float('logSumExp', 2 * R),
  ];
  const legalSets = backend.tensor('legalSets', 'u32', 1, Math.ceil(tokens / 32));
  backend.write(legalSets, new Uint32Array(legalSets.stride).fill(0xffffffff));
  const hyper = hyperTensor(backend);
  const targets = texts.flatMap(({ length }, b) => {
    const first = texts.slice(0, b).reduce((sum, before) => sum + before.length, 0);
    return Array.from({ length: length - 1 }, (_, i) => first + i + 1);
  });
  const derivatives = new Float32Array(R);
  targets.forEach((row, i) => {
    derivatives[row] = -weights[i];
  });
  const dLogProb = tensorOf(backend, 'dLogProb', derivatives);
  const dEntropy = tensorOf(backend, 'dEntropy', new Float32Array(R));
  const chunks = Math.ceil(texts.length / GRADIENT_CHUNK);
  const partials = float('partials', chunks * views.tensor.stride);
  const gradients = float('gradients', views.tensor.stride);
  const forward = backend.record('forward', 1, (ops) => {
    recordTrunk(ops, configuration, views.find, activations, rows, null);
    recordHead(ops, views.find, logits, activations.finalNorm, rows);
    ops.maskedLogProb(logProb, entropy, logSumExp, logits, rows, legalSets, hyper, tokens);
  });
  const backward = backend.record('backward', 1, (ops) => {
    ops.maskedLogProbBackward(logits, dLogProb, dEntropy, entropy, logSumExp, rows, legalSets, hyper, tokens);
    recordBackward(ops, configuration, views.find, activations, scratch, logits, null, partials, rows);
    ops.reduceChunks(gradients, partials, chunks, { accumulate: false });
  });
  await backend.prepare();
  backend.run(forward);
  const [found, ofTokens] = await backend.read(logits, logProb);
  backend.run(backward);
  const [gradient] = await backend.read(gradients);
  return {
    logProbs: Float64Array.from(targets, (row) => ofTokens[row]),
    logits: Float64Array.from({ length: R * tokens }, (_, i) => found[Math.floor(i / tokens) * V + (i % tokens)]),
    gradient,
  };
}

/** Most likely tokens, one after the other, decoded with a cache of keys and values. */
export async function greedy(
  backend: Backend,
  model: Model,
  prompt: readonly number[],
  count: number,
): Promise<number[]> {
  const decoding = new TextDecoding(backend, model, prompt.length + count);
  const drawn: number[] = [];
  for await (const token of following(decoding, prompt, likeliest)) {
    drawn.push(token);
    if (drawn.length === count) break;
  }
  return drawn;
}

/** Texts as observations of whole trajectories. */
function rowsOf(backend: Backend, texts: readonly (readonly number[])[]): Sequences & Rows {
  const starts = [0];
  for (const { length } of texts) starts.push(starts[starts.length - 1] + length);
  const capacity = starts[texts.length];
  const table = new Uint32Array(capacity * ROW_FIELDS);
  texts.forEach((text, b) => {
    text.forEach((token, position) => {
      const meta = packMeta(ROLE.observation, 0, b);
      table.set([token, position, starts[b], meta], (starts[b] + position) * ROW_FIELDS);
    });
  });
  const u32 = (label: string, values: ArrayLike<number>): Tensor<'u32'> => {
    const tensor = backend.tensor(label, 'u32', 1, values.length);
    backend.write(tensor, Uint32Array.from(values));
    return tensor;
  };
  const [rows, count, start] = [u32('rows', table), u32('count', [capacity]), u32('start', starts)];
  return { table: rows, count, capacity, start, sequences: texts.length };
}
