/**
 * Supervised fine-tuning: AdamW on the mean of −log p of the tokens that are learned, of all of a model's weights or of its
 * adapters alone.
 */
import { ROLE } from '../foundation/roles';
import { allocateActivations, allocateScratch, floatsPerTrainingRow, tilesHead } from '../policy/activations';
import { recordBackward } from '../policy/backward';
import type { PolicyConfiguration } from '../policy/configuration';
import { recordHead, recordTrunk } from '../policy/forward';
import { storedBytes } from '../policy/frozen';
import { layoutFrozen } from '../policy/parameters';
import type { Backend, Program, Sequences, Tensor } from '../tensor/backend';
import { CPU_LIMITS } from '../tensor/cpu/limits';
import { GRADIENT_CHUNK, HYPER, HYPER_COLUMNS, packMeta, ROW_FIELDS } from '../tensor/layout';
import type { Example } from './examples';
import { holdModel, type Model } from './model';

export interface TuningOptions {
  /** Most examples of a step, and most tokens of an example. */
  readonly batch: number;
  readonly length: number;
  readonly learningRate: number;
}

/** True where a batch's activations leave too little room for the rest. */
const recomputes = (
  configuration: PolicyConfiguration,
  rows: number,
  { memoryBudgetBytes }: Backend['limits'],
): boolean => 4 * rows * floatsPerTrainingRow(configuration) > memoryBudgetBytes / 2;

/**
 * Bytes that a Tuning takes on the CPU, by their use, those of the model read from its files, and of what was learned. `merges`:
 * adapters are merged.
 */
export function tuningMemory(
  { configuration, parameters, frozen }: Model,
  { batch, length }: Pick<TuningOptions, 'batch' | 'length'>,
  merges = false,
) {
  const rows = batch * length;
  const below = frozen === undefined ? 0 : storedBytes(frozen);
  const isRecomputed = recomputes(configuration, rows, CPU_LIMITS);
  const logits = tilesHead(configuration) ? 0 : rows * configuration.vocabulary;
  const perRow = floatsPerTrainingRow(configuration, isRecomputed) + SCALARS_PER_ROW;
  return {
    kind: 'cpu',
    workers: 1,
    threads: 0,
    uses: {
      frozen: below,
      // Beside partial gradients of each chunk: parameters, gradients and two moments.
      trained: 4 * parameters.length * (Math.ceil(batch / GRADIENT_CHUNK) + 4),
      activations: 4 * (rows * perRow - logits),
      logits: 4 * logits,
      episodes: 0,
    },
    read: below || parameters.byteLength,
    // Merged weights in float32, their tensors, and the file.
    saved: parameters.byteLength + (merges && frozen !== undefined ? 3 * 4 * layoutFrozen(configuration).size : 0),
    recomputes: isRecomputed,
    isShared: false,
  } as const;
}

/** Numbers of a row: its fields, log-prob, entropy, log-sum-exp (a maximum and a logarithm), and derivatives of the first two. */
const SCALARS_PER_ROW = ROW_FIELDS + 6;

const BETA1 = 0.9;
const BETA2 = 0.95;
const EPSILON = 1e-8;
const MAX_GRADIENT_NORM = 1;

export class Tuning {
  readonly #backend: Backend;
  readonly #rows: Sequences;
  readonly #parameters: Tensor<'f32'>;
  readonly #logProb: Tensor<'f32'>;
  readonly #dLogProb: Tensor<'f32'>;
  readonly #forward: Program;
  readonly #step: Program;

  /** Allocates and records everything. Throws LabError where the backend has not the memory. */
  constructor(backend: Backend, { tokens, ...model }: Model, { batch, length, learningRate }: TuningOptions) {
    const { configuration } = model;
    const [R, V, chunks] = [batch * length, configuration.vocabulary, Math.ceil(batch / GRADIENT_CHUNK)];
    const f32 = (label: string, stride: number): Tensor<'f32'> => backend.tensor(`tuning.${label}`, 'f32', 1, stride);
    const u32 = (label: string, stride: number): Tensor<'u32'> => backend.tensor(`tuning.${label}`, 'u32', 1, stride);
    const rows: Sequences = {
      table: u32('rows', R * ROW_FIELDS),
      count: u32('count', 1),
      capacity: R,
      start: u32('start', batch + 1),
      sequences: batch,
    };
    const { tensor: parameters, find } = holdModel(backend, model);
    const recompute = recomputes(configuration, R, backend.limits);
    const activations = allocateActivations(backend, configuration, 1, R, { keep: true, recompute, label: 'tuning' });
    const scratch = allocateScratch(backend, configuration, 1, R);
    const logits = tilesHead(configuration) ? null : f32('logits', R * V);
    const scored = [f32('logProb', R), f32('entropy', R), f32('logSumExp', 2 * R)] as const;
    const derivatives = [f32('dLogProb', R), f32('dEntropy', R), scored[1], scored[2]] as const;
    const N = parameters.stride;
    const [partials, gradients] = [f32('partials', chunks * N), f32('gradients', N)];
    const [norm, normScratch] = [f32('norm', 1), f32('normScratch', Math.ceil(N / 1024))];
    const moments = [f32('firstMoment', N), f32('secondMoment', N), f32('steps', 1)] as const;
    const legalSets = u32('legalSets', Math.ceil(V / 32));
    backend.write(legalSets, legalTokens(tokens, legalSets.stride));
    const hyper = f32('hyper', HYPER_COLUMNS);
    backend.write(hyper, hyperparameters(learningRate));
    const active = u32('active', 1);
    backend.write(active, Uint32Array.of(1));
    this.#backend = backend;
    this.#rows = rows;
    this.#parameters = parameters;
    [this.#logProb, this.#dLogProb] = [scored[0], derivatives[0]];
    this.#forward = backend.record('log-probs of examples', 1, (ops) => {
      recordTrunk(ops, configuration, find, activations, rows, null);
      if (logits === null) {
        ops.fusedLogProb(...scored, activations.finalNorm, rows, find('head.weight'), legalSets, hyper);
      } else {
        recordHead(ops, find, logits, activations.finalNorm, rows);
        ops.maskedLogProb(...scored, logits, rows, legalSets, hyper, V);
      }
    });
    this.#step = backend.record('a step on examples', 1, (ops) => {
      if (logits === null) {
        const made = configuration.adapters === undefined ? partials : null;
        const head = find('head.weight');
        const { finalNorm } = activations;
        ops.fusedLogProbBackward(scratch.branch, made, ...derivatives, finalNorm, rows, head, legalSets, hyper);
      } else {
        ops.maskedLogProbBackward(logits, ...derivatives, rows, legalSets, hyper, V);
      }
      recordBackward(ops, configuration, find, activations, scratch, logits, null, partials, rows);
      ops.reduceChunks(gradients, partials, chunks, { accumulate: false });
      ops.gradientNorm(norm, normScratch, gradients, null);
      ops.adamW(parameters, ...moments, gradients, norm, hyper, active);
    });
  }

  /** Mean −log p of the examples' learned tokens, nats, before a step on them. */
  async step(examples: readonly Example[]): Promise<number> {
    const loss = await this.loss(examples);
    this.#backend.run(this.#step);
    return loss;
  }

  /** Mean −log p of the examples' learned tokens, nats, without a step. */
  async loss(examples: readonly Example[]): Promise<number> {
    const learned = this.#lay(examples);
    await this.#backend.prepare();
    this.#backend.run(this.#forward);
    const [logProbs] = await this.#backend.read(this.#logProb);
    return learned.reduce((sum, row) => sum - (logProbs[row] as number), 0) / learned.length;
  }

  /** Parameters that are trained, [N]. */
  async parameters(): Promise<Float32Array> {
    const [values] = await this.#backend.read(this.#parameters);
    return values instanceof Float32Array ? values : Float32Array.from(values);
  }

  /** Writes the rows of examples; gives those whose tokens are learned. */
  #lay(examples: readonly Example[]): number[] {
    const { table, count, start, capacity, sequences } = this.#rows;
    const fields = new Uint32Array(capacity * ROW_FIELDS);
    const starts = new Uint32Array(sequences + 1);
    const learned: number[] = [];
    let row = 0;
    examples.forEach((example, s) => {
      const first = row;
      starts[s] = first;
      example.tokens.forEach((token, position) => {
        fields.set([token, position, first, packMeta(ROLE.observation, 0, s)], row * ROW_FIELDS);
        if (example.learned[position]) learned.push(row);
        row++;
      });
    });
    starts.fill(row, examples.length);
    const derivatives = new Float32Array(capacity);
    for (const one of learned) derivatives[one] = -1 / learned.length;
    const backend = this.#backend;
    backend.write(table, fields);
    backend.write(count, Uint32Array.of(row));
    backend.write(start, starts);
    backend.write(this.#dLogProb, derivatives);
    return learned;
  }
}

/** Bits of a model's tokens; its vocabulary may be filled up with others. */
function legalTokens(tokens: number, words: number): Uint32Array {
  return Uint32Array.from({ length: words }, (_, word) => {
    const left = tokens - 32 * word;
    return left >= 32 ? 0xffffffff : left <= 0 ? 0 : 2 ** left - 1;
  });
}

function hyperparameters(learningRate: number): Float32Array {
  const row = new Float32Array(HYPER_COLUMNS);
  row[HYPER.learningRate] = learningRate;
  [row[HYPER.beta1], row[HYPER.beta2], row[HYPER.epsilon]] = [BETA1, BETA2, EPSILON];
  row[HYPER.maxGradNorm] = MAX_GRADIENT_NORM;
  row[HYPER.temperature] = 1;
  row[HYPER.crossEntropy + ROLE.observation] = 1;
  return row;
}
