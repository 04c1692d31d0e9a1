/**
 * A policy's file, run by onnxruntime-web on sequences that grow. A file with a key-value cache is fed the tokens that are
 * new; one without is fed every sequence from its beginning again. Sequences are ragged: shorter additions are filled up
 * behind, and nothing ever looks at the filling.
 */
import { LabError } from '../foundation/errors';
import type { PolicyConfiguration } from '../policy/configuration';
import { openSession, type RuntimeSession, type RuntimeTensor } from './runtime';

/** The logits after each token that a feed added. */
export interface FedLogits {
  /** [vocabulary], after the i-th token added to a sequence; a view that stays valid. */
  of(sequence: number, i: number): Float32Array;
}

export class PolicySession {
  readonly #runtime: RuntimeSession;
  readonly #configuration: PolicyConfiguration;
  readonly #cached: boolean;
  /** All tokens of each sequence so far. */
  #histories: number[][] = [];
  /** By the names of the inputs; null without a cache. */
  #past: Map<string, RuntimeTensor> | null = null;
  /** Of each sequence, for each place in the cache, whether a token stands there. */
  #present: number[][] = [];

  private constructor(runtime: RuntimeSession, configuration: PolicyConfiguration, cached: boolean) {
    this.#runtime = runtime;
    this.#configuration = configuration;
    this.#cached = cached;
  }

  /** `policy`: what importOnnx found in the model. Throws LabError as openSession does. */
  static async open(
    model: Uint8Array,
    policy: { readonly configuration: PolicyConfiguration; readonly cached: boolean },
  ): Promise<PolicySession> {
    return new PolicySession(await openSession(model), policy.configuration, policy.cached);
  }

  /** What runs it, for the person. */
  get description(): string {
    return this.#runtime.description;
  }

  get vocabulary(): number {
    return this.#configuration.vocabulary;
  }

  /** Tokens fed of a sequence. */
  length(sequence: number): number {
    return this.#histories[sequence]?.length ?? 0;
  }

  /** Forgets everything; so many sequences, all empty, begin. */
  begin(sequences: number): void {
    this.#histories = Array.from({ length: sequences }, () => []);
    this.#present = this.#histories.map(() => []);
    this.#past = this.#cached ? this.#emptyCache(sequences) : null;
  }

  /** Adds tokens to each sequence, any number, not all none. Throws LabError 'limits' beyond the policy's context. */
  async feed(additions: readonly (readonly number[])[]): Promise<FedLogits> {
    const { context } = this.#configuration;
    const before = this.#histories.map((history) => history.length);
    this.#histories.forEach((history, sequence) => {
      history.push(...(additions[sequence] ?? []));
      if (history.length <= context) return;
      const what = `A sequence of ${history.length} tokens is longer than the ${context} this policy was made for.`;
      throw new LabError('limits', what, 'Choose an environment whose episodes are as short as in its training.');
    });
    return this.#cached ? this.#feedNew(additions, before) : this.#feedAgain(additions, before);
  }

  async release(): Promise<void> {
    await this.#runtime.session.release();
  }

  async #feedAgain(additions: readonly (readonly number[])[], before: readonly number[]): Promise<FedLogits> {
    const grown = additions.flatMap((tokens, sequence) => (tokens.length > 0 ? [sequence] : []));
    const histories = grown.map((sequence) => this.#histories[sequence] ?? []);
    const logits = await this.#run(new Map([['input_ids', this.#filled(histories)]]));
    const rows = new Map(grown.map((sequence, row) => [sequence, row]));
    return this.#rows(logits, (sequence, i) => [rows.get(sequence) ?? Number.NaN, (before[sequence] as number) + i]);
  }

  async #feedNew(additions: readonly (readonly number[])[], before: readonly number[]): Promise<FedLogits> {
    const time = longest(additions);
    this.#present.forEach((places, sequence) => {
      const added = additions[sequence]?.length ?? 0;
      for (let i = 0; i < time; i++) places.push(i < added ? 1 : 0);
    });
    const positions = additions.map((tokens, sequence) => tokens.map((_, i) => (before[sequence] as number) + i));
    const inputs = new Map([
      ['input_ids', this.#filled(additions)],
      ['attention_mask', this.#filled(this.#present)],
      ['position_ids', this.#filled(positions)],
      ...(this.#past ?? []),
    ]);
    return this.#rows(await this.#run(inputs), (sequence, i) => [sequence, i]);
  }

  /** Runs the model, keeps what it says of the cache; returns logits [batch, time, vocabulary]. */
  async #run(inputs: ReadonlyMap<string, RuntimeTensor>): Promise<RuntimeTensor> {
    const outputs = await this.#runtime.session.run(Object.fromEntries(inputs));
    for (const name of this.#past?.keys() ?? []) {
      this.#past?.set(name, outputs[name.replace('past_key_values', 'present')] as RuntimeTensor);
    }
    return outputs.logits as RuntimeTensor;
  }

  #rows(
    logits: RuntimeTensor,
    place: (sequence: number, i: number) => readonly [row: number, column: number],
  ): FedLogits {
    const values = logits.data as Float32Array;
    const time = logits.dims[1] as number;
    const V = this.#configuration.vocabulary;
    return {
      of: (sequence, i) => {
        const [row, column] = place(sequence, i);
        return values.subarray((row * time + column) * V, (row * time + column + 1) * V);
      },
    };
  }

  /** int64 [sequences, longest], 0 where there is nothing. */
  #filled(rows: readonly (readonly number[])[]): RuntimeTensor {
    const width = longest(rows);
    const values = new Array<number>(rows.length * width).fill(0);
    rows.forEach((row, index) => {
      row.forEach((value, i) => {
        values[index * width + i] = value;
      });
    });
    return this.#runtime.int64(values, [rows.length, width]);
  }

  #emptyCache(sequences: number): Map<string, RuntimeTensor> {
    const { layers, heads, width } = this.#configuration;
    const names = Array.from({ length: layers }, (_, layer) => ['key', 'value'].map((part) => `${layer}.${part}`));
    const empty = () => this.#runtime.float32(new Float32Array(0), [sequences, heads, 0, width / heads]);
    return new Map(names.flat().map((name) => [`past_key_values.${name}`, empty()]));
  }
}

const longest = (rows: readonly (readonly unknown[])[]): number =>
  rows.reduce((most, row) => Math.max(most, row.length), 0);
