/**
 * Session of a decoder's file on growing sequences, run by onnxruntime-web. With a key-value cache only new tokens are
 * fed; without one every sequence is fed again from its beginning. Additions of different lengths are filled up at their
 * ends, and no token attends to the filling.
 */
import { LabError } from '../foundation/errors';
import type { PolicyConfiguration } from '../policy/configuration';
import type { FedLogits, LogitsSource } from './logits';
import { openSession, type RuntimeOptions, type RuntimeSession, type RuntimeTensor } from './runtime';
import { type DecoderSignature, policySignature } from './signature';

export class PolicySession {
  readonly #runtime: RuntimeSession;
  readonly #signature: DecoderSignature;
  readonly #cached: boolean;
  /** All tokens of each sequence so far. */
  #histories: number[][] = [];
  /** Key-value cache, by the names of its inputs. */
  #past = new Map<string, RuntimeTensor>();
  /** For each sequence and place in the cache: 1 if a token is there, else 0. */
  #present: number[][] = [];
  /** Logits of the last feed. */
  #logits: RuntimeTensor | null = null;

  constructor(runtime: RuntimeSession, signature: DecoderSignature) {
    this.#runtime = runtime;
    this.#signature = signature;
    this.#cached = signature.past.some(({ present }) => present !== null);
  }

  /**
   * Session of a policy; configuration and `cached` are those that importOnnx read. `where`: device of the backend whose
   * kernels read the logits, or why none is wanted. Throws LabError as openSession does.
   */
  static async open(
    model: Uint8Array,
    { configuration, cached }: { readonly configuration: PolicyConfiguration; readonly cached: boolean },
    where: Pick<RuntimeOptions, 'gpu' | 'withoutGpu'> = {},
  ): Promise<PolicySession> {
    const runtime = await openSession(model, where);
    return new PolicySession(runtime, policySignature(configuration, cached));
  }

  /** Runtime, device and the reason for it, for the user. */
  get description(): string {
    return this.#runtime.description;
  }

  /** Place of the logits. */
  get source(): LogitsSource {
    return this.#runtime.provider === 'webgpu' ? 'device' : 'host';
  }

  get vocabulary(): number {
    return this.#signature.vocabulary;
  }

  /** Number of tokens fed of a sequence. */
  length(sequence: number): number {
    return this.#histories[sequence]?.length ?? 0;
  }

  /** Forgets everything and begins so many empty sequences. */
  begin(sequences: number): void {
    this.#forget();
    this.#histories = Array.from({ length: sequences }, () => []);
    this.#present = this.#histories.map(() => []);
    this.#past = this.#emptyPast(sequences);
  }

  /**
   * Adds any number of tokens to each sequence, at least one in all. Logits of the feed before become invalid. Throws
   * LabError 'limits' if a sequence is longer than the policy's context.
   */
  async feed(additions: readonly (readonly number[])[]): Promise<FedLogits> {
    const { context } = this.#signature;
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
    this.#forget();
    await this.#runtime.session.release();
  }

  async #feedAgain(additions: readonly (readonly number[])[], before: readonly number[]): Promise<FedLogits> {
    const grown = additions.flatMap((tokens, sequence) => (tokens.length > 0 ? [sequence] : []));
    const histories = grown.map((sequence) => this.#histories[sequence] ?? []);
    const places = histories.map((history) => history.map((_, i) => i));
    this.#past = this.#emptyPast(histories.length);
    const present = places.map((row) => row.map(() => 1));
    const logits = await this.#run(histories, present, places);
    const rows = new Map(grown.map((sequence, row) => [sequence, row]));
    const time = longest(histories);
    const row = (sequence: number, i: number): number =>
      (rows.get(sequence) ?? Number.NaN) * time + (before[sequence] as number) + i;
    return this.#fed(logits, histories.length * time, row);
  }

  async #feedNew(additions: readonly (readonly number[])[], before: readonly number[]): Promise<FedLogits> {
    const time = longest(additions);
    this.#present.forEach((places, sequence) => {
      const added = additions[sequence]?.length ?? 0;
      for (let i = 0; i < time; i++) places.push(i < added ? 1 : 0);
    });
    const positions = additions.map((tokens, sequence) => tokens.map((_, i) => (before[sequence] as number) + i));
    const logits = await this.#run(additions, this.#present, positions);
    return this.#fed(logits, additions.length * time, (sequence, i) => sequence * time + i);
  }

  /** Runs the model and keeps its cache. Returns logits, [batch, time, vocabulary]. */
  async #run(
    tokens: readonly (readonly number[])[],
    present: readonly (readonly number[])[],
    positions: readonly (readonly number[])[],
  ): Promise<RuntimeTensor> {
    const { past, useCache, keptLogits, logits, ...names } = this.#signature;
    const inputs: Record<string, RuntimeTensor> = Object.fromEntries(this.#past);
    inputs[names.tokens] = this.#filled(tokens);
    if (names.mask !== null) inputs[names.mask] = this.#filled(present);
    if (names.positions !== null) inputs[names.positions] = this.#filled(positions);
    if (keptLogits !== null) inputs[keptLogits] = this.#runtime.int64([0], []);
    if (useCache !== null) inputs[useCache] = this.#runtime.boolean(false);
    const kept = past.flatMap((input) => (input.present === null ? [] : [{ ...input, present: input.present }]));
    const outputs = await this.#runtime.run(inputs, [logits, ...kept.map(({ present }) => present)]);
    for (const { name, present } of kept) {
      this.#past.get(name)?.dispose();
      this.#past.set(name, outputs[present] as RuntimeTensor);
    }
    this.#logits?.dispose();
    this.#logits = outputs[logits] as RuntimeTensor;
    return this.#logits;
  }

  #fed(logits: RuntimeTensor, rows: number, row: (sequence: number, i: number) => number): FedLogits {
    const V = this.vocabulary;
    const values = logits.location === 'gpu-buffer' ? logits.gpuBuffer : (logits.data as Float32Array);
    return {
      values,
      vocabulary: logits.dims.at(-1) ?? 0,
      rows,
      row,
      of: (sequence, i) => {
        if (!(values instanceof Float32Array)) throw new RangeError('These logits are on a device.');
        return values.subarray(row(sequence, i) * V, (row(sequence, i) + 1) * V);
      },
    };
  }

  /** Integers, [sequences, longest], filled up with 0. */
  #filled(rows: readonly (readonly number[])[]): RuntimeTensor {
    const width = longest(rows);
    const values = new Array<number>(rows.length * width).fill(0);
    rows.forEach((row, index) => {
      row.forEach((value, i) => {
        values[index * width + i] = value;
      });
    });
    return this.#runtime[this.#signature.integers](values, [rows.length, width]);
  }

  #emptyPast(sequences: number): Map<string, RuntimeTensor> {
    const { past } = this.#signature;
    return new Map(past.map(({ name, type, dims }) => [name, this.#runtime.empty(type, dims(sequences))]));
  }

  /** Frees cache and logits: tensors on a device are not collected. */
  #forget(): void {
    for (const tensor of this.#past.values()) tensor.dispose();
    this.#logits?.dispose();
    this.#past.clear();
    this.#logits = null;
  }
}

const longest = (rows: readonly (readonly unknown[])[]): number =>
  rows.reduce((most, row) => Math.max(most, row.length), 0);
