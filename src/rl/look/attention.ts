/**
 * Attention of one trajectory's tokens, layer by layer and head by head, for a person to look at. It is computed from the
 * queries, keys and log-sum-exps that a forward pass left behind, and writes nothing that training reads.
 */
import type { LayerActivations } from '../../policy/activations';
import type { PolicyConfiguration } from '../../policy/configuration';
import type { Backend, Operations, Program, Rows, Tensor } from '../../tensor/backend';
import type { Heads } from '../../tensor/heads';
import { ROW_FIELDS } from '../../tensor/layout';
import type { Microbatch } from '../learn/microbatches';

/** Queries of a member per block: bounds the memory, however long the trajectory. */
const QUERIES = 16;

export interface Attention {
  readonly layers: number;
  readonly heads: number;
  /** Attention weights, [layers, heads, T queries, T keys]; a query's sum to 1, those of later keys are 0. T: the length. */
  readonly probabilities: Float32Array;
}

/** Floats that a BatchAttention takes for each member. */
export function floatsOfAttention({ layers, heads, context }: PolicyConfiguration): number {
  return QUERIES * (ROW_FIELDS + layers * heads * context) + 1;
}

export class BatchAttention {
  readonly #backend: Backend;
  readonly #members: number;
  readonly #heads: Heads;
  readonly #context: number;
  readonly #layers: readonly Pick<LayerActivations, 'qkv' | 'logSumExp'>[];
  /** Computes a layer a second time where it was not kept. */
  readonly #again: (ops: Operations, microbatch: Microbatch, layer: number) => void;
  readonly #picks: Rows;
  readonly #shares: readonly Tensor<'f32'>[];
  readonly #programs = new Map<Microbatch, Program>();

  constructor(
    backend: Backend,
    members: number,
    sizes: { readonly heads: Heads; readonly context: number },
    layers: readonly Pick<LayerActivations, 'qkv' | 'logSumExp'>[],
    again: (ops: Operations, microbatch: Microbatch, layer: number) => void,
  ) {
    this.#again = again;
    this.#backend = backend;
    this.#members = members;
    this.#heads = sizes.heads;
    this.#context = sizes.context;
    this.#layers = layers;
    this.#picks = {
      table: backend.tensor('attention.queries', 'u32', members, QUERIES * ROW_FIELDS),
      count: backend.tensor('attention.queryCount', 'u32', members, 1),
      capacity: QUERIES,
    };
    this.#shares = layers.map((_, layer) =>
      backend.tensor(`attention.shares${layer}`, 'f32', members, QUERIES * sizes.heads.queries * sizes.context),
    );
  }

  /** Attention in trajectory `slot` of each of these members. Needs a forward pass over its microbatch first. */
  async read(members: readonly number[], microbatch: Microbatch, slot: number): Promise<Attention[]> {
    const program = await this.#program(microbatch);
    const { rows, first, host } = microbatch;
    const spans = members.map((member) => {
      const at = member * (rows.sequences + 1) + slot - first;
      const start = host.start[at];
      return { start, length: host.start[at + 1] - start };
    });
    const weights = spans.map(
      ({ length }) => new Float32Array(this.#layers.length * this.#heads.queries * length * length),
    );
    const longest = Math.max(...spans.map(({ length }) => length));
    for (let from = 0; from < longest; from += QUERIES) {
      const shares = await this.#block(program, members, spans, from);
      members.forEach((member, i) => {
        const { length } = spans[i];
        this.#copy(weights[i], shares, member, length, from);
      });
    }
    return weights.map((probabilities) => ({ layers: this.#layers.length, heads: this.#heads.queries, probabilities }));
  }

  /** Weights of one block of queries, from query `from` on: [P, QUERIES, heads, context] for each layer. */
  async #block(
    program: Program,
    members: readonly number[],
    spans: readonly { readonly start: number; readonly length: number }[],
    from: number,
  ): Promise<readonly ArrayLike<number>[]> {
    const [picks, shares] = [this.#picks, this.#shares];
    const table = new Uint32Array(this.#members * QUERIES * ROW_FIELDS);
    const count = new Uint32Array(this.#members);
    spans.forEach(({ start, length }, i) => {
      const member = members[i];
      const queries = Math.max(0, Math.min(QUERIES, length - from));
      count[member] = queries;
      for (let q = 0; q < queries; q++) table[(member * QUERIES + q) * ROW_FIELDS] = start + from + q;
    });
    this.#backend.write(picks.table, table);
    this.#backend.write(picks.count, count);
    this.#backend.run(program);
    return this.#backend.read(...shares);
  }

  #copy(to: Float32Array, shares: readonly ArrayLike<number>[], member: number, length: number, from: number): void {
    const [H, T] = [this.#heads.queries, this.#context];
    shares.forEach((share, layer) => {
      for (let q = 0; q < Math.min(QUERIES, length - from); q++) {
        for (let h = 0; h < H; h++) {
          const target = ((layer * H + h) * length + from + q) * length;
          const source = ((member * QUERIES + q) * H + h) * T;
          for (let t = 0; t < length; t++) to[target + t] = share[source + t];
        }
      }
    });
  }

  async #program(microbatch: Microbatch): Promise<Program> {
    const known = this.#programs.get(microbatch);
    if (known !== undefined) return known;
    const [picks, shares] = [this.#picks, this.#shares];
    const program = this.#backend.record('attention of single tokens', this.#members, (ops) => {
      this.#layers.forEach(({ qkv, logSumExp }, layer) => {
        const share = shares[layer];
        this.#again(ops, microbatch, layer);
        ops.attentionProbabilities(share, qkv, logSumExp, picks, microbatch.rows, this.#heads);
      });
    });
    this.#programs.set(microbatch, program);
    await this.#backend.prepare();
    return program;
  }
}
