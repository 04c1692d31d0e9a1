/**
 * One policy, read and changed at the last token of some sequences: the residual stream there, and the next token's logits if
 * that stream were another. Earlier tokens are not read again: a cache has their keys and values. Float32 on the given
 * backend, beside all training.
 */
import { type Activations, allocateActivations, streamsOf } from '../../../policy/activations';
import { headsOf, type PolicyConfiguration } from '../../../policy/configuration';
import { recordHead, recordTrunk } from '../../../policy/forward';
import { layoutParameters, parameterViews } from '../../../policy/parameters';
import type { Backend, FloatData, Program, Rows, Tensor } from '../../../tensor/backend';
import { headWidths } from '../../../tensor/heads';
import { packMeta, ROW_FIELDS } from '../../../tensor/layout';

/** Tokens that are read at once at most, and sequences: bound the memory. */
const MOST_TOKENS = 2048;
const MOST_SEQUENCES = 64;

/**
 * The stream at the last token of each sequence, [layer][sequence, C] (the embeddings, then each block's output), and
 * the logits [sequence, V].
 */
export interface ReadStreams {
  readonly streams: readonly FloatData[];
  readonly logits: FloatData;
}

export class Readout {
  /** Most sequences at a time. */
  readonly capacity: number;
  readonly #backend: Backend;
  readonly #configuration: PolicyConfiguration;
  readonly #rows: Rows;
  /** Last tokens: as indices of `#rows`, and as rows of their own. */
  readonly #last: Rows;
  readonly #tokens: Rows;
  readonly #longest: number;
  /** Activations of the last tokens alone; the input of each block is where a changed stream is written. */
  readonly #single: Activations;
  readonly #gathered: readonly Tensor<'f32'>[];
  readonly #logits: Tensor<'f32'>;
  readonly #read: Program;
  readonly #onward: readonly Program[];

  /** parameters [N]; longest: tokens of the longest sequence. Prepare the backend next. */
  constructor(backend: Backend, configuration: PolicyConfiguration, parameters: FloatData, longest: number) {
    const { layers, width: C, vocabulary: V } = configuration;
    const { keys } = headWidths(headsOf(configuration));
    this.#backend = backend;
    this.#configuration = configuration;
    this.capacity = Math.max(1, Math.min(MOST_SEQUENCES, Math.floor(MOST_TOKENS / longest)));
    const [B, R] = [this.capacity, this.capacity * longest];
    const tensor = (label: string, stride: number): Tensor<'f32'> =>
      backend.tensor(`steering.${label}`, 'f32', 1, stride);
    const table = (label: string, capacity: number): Rows => ({
      table: backend.tensor(`steering.${label}`, 'u32', 1, capacity * ROW_FIELDS),
      count: backend.tensor(`steering.${label}Count`, 'u32', 1, 1),
      capacity,
    });
    const layout = layoutParameters(configuration);
    const weights = tensor('parameters', layout.size);
    backend.write(weights, parameters);
    const parameter = parameterViews(layout, weights);
    this.#rows = table('rows', R);
    this.#last = table('last', B);
    this.#tokens = table('tokens', B);
    this.#longest = longest;
    const activations = allocateActivations(backend, configuration, 1, R, { keep: true, label: 'steering.all' });
    this.#single = allocateActivations(backend, configuration, 1, B, { keep: true, label: 'steering.single' });
    const caches = Array.from({ length: layers }, (_, layer) => tensor(`cache${layer}`, B * longest * 2 * keys));
    this.#gathered = Array.from({ length: layers + 1 }, (_, layer) => tensor(`stream${layer}`, B * C));
    this.#logits = tensor('logits', B * V);
    const hidden = tensor('hidden', B * C);
    this.#read = backend.record('read the stream', 1, (ops) => {
      recordTrunk(ops, configuration, parameter, activations, this.#rows, caches);
      streamsOf(activations).forEach((stream, layer) => {
        ops.gatherRows(this.#gathered[layer], stream, this.#last);
      });
      ops.gatherRows(hidden, activations.finalNorm, this.#last);
      recordHead(ops, parameter, this.#logits, hidden, this.#last);
    });
    const single = this.#single;
    this.#onward = Array.from({ length: layers + 1 }, (_, layer) =>
      backend.record(`go on after block ${layer}`, 1, (ops) => {
        recordTrunk(ops, configuration, parameter, single, this.#tokens, caches, layer);
        recordHead(ops, parameter, this.#logits, single.finalNorm, this.#tokens);
      }),
    );
  }
  /** Reads sequences, at most `capacity` of them, none longer than `longest`. */
  async read(sequences: readonly (readonly number[])[]): Promise<ReadStreams> {
    const [rows, last, tokens]: [number[], number[], number[]] = [[], [], []];
    sequences.forEach((sequence, s) => {
      const row = (t: number): number[] => [sequence[t], t, s * this.#longest, packMeta(0, 0, s)];
      sequence.forEach((_, t) => {
        rows.push(...row(t));
      });
      const end = sequence.length - 1;
      last.push(rows.length / ROW_FIELDS - 1, end, 0, packMeta(0, 0, s));
      tokens.push(...row(end));
    });
    for (const [{ table, count }, fields] of [
      [this.#rows, rows],
      [this.#last, last],
      [this.#tokens, tokens],
    ] as const) {
      this.#backend.write(table, Uint32Array.from(fields));
      this.#backend.write(count, Uint32Array.of(fields.length / ROW_FIELDS));
    }
    this.#backend.run(this.#read);
    const [logits, ...streams] = await this.#backend.read(this.#logits, ...this.#gathered);
    const { width, vocabulary } = this.#configuration;
    return {
      streams: streams.map((stream) => stream.slice(0, sequences.length * width)),
      logits: logits.slice(0, sequences.length * vocabulary),
    };
  }

  /** Logits of the sequences read last if the stream after so many blocks were this, [sequence, C]. */
  async goOn(blocks: number, stream: FloatData): Promise<FloatData> {
    this.#backend.write(streamsOf(this.#single)[blocks], stream);
    this.#backend.run(this.#onward[blocks]);
    const { width, vocabulary } = this.#configuration;
    const [logits] = await this.#backend.read(this.#logits);
    return logits.slice(0, (stream.length / width) * vocabulary);
  }
}
