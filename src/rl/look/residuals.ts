/**
 * Residual stream of single tokens, layer by layer, read by one more forward pass over the batch: of the policies in
 * training, or of others. It writes only tensors that every update overwrites before it reads them.
 */
import { streamsOf } from '../../policy/activations';
import type { PolicyConfiguration } from '../../policy/configuration';
import { parameterViews } from '../../policy/parameters';
import type { Backend, Program, Rows, Tensor } from '../../tensor/backend';
import { ROW_FIELDS } from '../../tensor/layout';
import { layWhole, type Microbatch, restrictMicrobatch } from '../learn/microbatches';
import type { FindParameter, Passes } from '../learn/passes';
import type { LookedBatch } from './looked';

/** Tokens of a member per block: bounds the memory. */
const BLOCK = 256;

/** Place of a token in a member's batch: its trajectory, and its position there. */
export interface ResidualPlace {
  readonly slot: number;
  readonly position: number;
}

/** Floats that a BatchResiduals takes for each member. */
export function floatsOfResiduals({ layers, width }: PolicyConfiguration): number {
  return BLOCK * (ROW_FIELDS + (layers + 1) * width) + 1;
}

export class BatchResiduals {
  readonly #backend: Backend;
  readonly #members: number;
  readonly #microbatches: readonly Microbatch[];
  readonly #passes: Passes;
  readonly #policy: FindParameter;
  /** Parameters of other policies than those in training, while they are run, [P, N]. */
  readonly #others: Tensor<'f32'>;
  readonly #findOther: FindParameter;
  readonly #width: number;
  /** The stream's tensors: the embeddings, then the output of each block. */
  readonly #sources: readonly Tensor<'f32'>[];
  readonly #picks: Rows;
  /** The picked rows of each of `#sources`. */
  readonly #gathered: readonly Tensor<'f32'>[];
  readonly #forward = new Map<FindParameter, readonly Program[]>();
  #gather: Program | null = null;

  /** spare [P, N]: a tensor that every update overwrites before it reads it. */
  constructor(backend: Backend, looked: LookedBatch, spare: Tensor<'f32'>) {
    const { members, configuration, layout, policy, microbatches, passes } = looked;
    const { width } = configuration;
    this.#backend = backend;
    this.#members = members;
    this.#width = width;
    this.#microbatches = microbatches;
    this.#passes = passes;
    this.#policy = policy;
    this.#others = spare;
    this.#findOther = parameterViews(layout, spare);
    this.#sources = streamsOf(passes.activations);
    this.#picks = {
      table: backend.tensor('residuals.picks', 'u32', members, BLOCK * ROW_FIELDS),
      count: backend.tensor('residuals.count', 'u32', members, 1),
      capacity: BLOCK,
    };
    this.#gathered = this.#sources.map((_, stream) =>
      backend.tensor(`residuals.${stream}`, 'f32', members, BLOCK * width),
    );
  }

  /**
   * The stream at some places: [stream][place, width] for each of these members. Call between updates; the next may begin
   * only when it has resolved. others [P, N]: parameters to run instead of those in training. places: those of each member.
   */
  async read(
    parameters: Float32Array | null,
    members: readonly number[],
    places: readonly (readonly ResidualPlace[])[],
  ): Promise<Float32Array[][]> {
    if (parameters !== null) this.#backend.write(this.#others, parameters);
    const forward = this.#record(parameters === null ? this.#policy : this.#findOther);
    this.#gather ??= this.#recordGather();
    await this.#backend.prepare();
    const parts = Array.from({ length: this.#members }, (_, p) => (members.includes(p) ? 'all' : 'none'));
    const streams = places.map((ofMember) => this.#sources.map(() => new Float32Array(ofMember.length * this.#width)));
    for (const [index, microbatch] of this.#microbatches.entries()) {
      restrictMicrobatch(this.#backend, microbatch, parts);
      this.#backend.run(forward[index]);
      const rows = members.map((member, i) => rowsOf(microbatch, member, places[i] ?? []));
      const most = Math.max(0, ...rows.map(({ length }) => length));
      for (let from = 0; from < most; from += BLOCK) {
        const blocks = rows.map((ofMember) => ofMember.slice(from, from + BLOCK));
        await this.#readBlock(this.#gather, members, blocks, streams);
      }
      layWhole(this.#backend, microbatch);
    }
    return streams;
  }

  async #readBlock(
    gather: Program,
    members: readonly number[],
    blocks: readonly (readonly Wanted[])[],
    streams: readonly (readonly Float32Array[])[],
  ): Promise<void> {
    const table = new Uint32Array(this.#members * BLOCK * ROW_FIELDS);
    const count = new Uint32Array(this.#members);
    blocks.forEach((ofMember, i) => {
      const member = members[i];
      count[member] = ofMember.length;
      ofMember.forEach(({ row }, at) => {
        table[(member * BLOCK + at) * ROW_FIELDS] = row;
      });
    });
    this.#backend.write(this.#picks.table, table);
    this.#backend.write(this.#picks.count, count);
    this.#backend.run(gather);
    const values = await this.#backend.read(...this.#gathered);
    const C = this.#width;
    values.forEach((stream, s) => {
      blocks.forEach((ofMember, i) => {
        ofMember.forEach(({ place }, at) => {
          const source = (members[i] * BLOCK + at) * C;
          streams[i]?.[s]?.set(stream.subarray(source, source + C), place * C);
        });
      });
    });
  }

  #record(parameters: FindParameter): readonly Program[] {
    const known = this.#forward.get(parameters);
    if (known !== undefined) return known;
    const programs = this.#microbatches.map((microbatch) =>
      this.#backend.record('residual stream', this.#members, (ops) => this.#passes.trunk(ops, parameters, microbatch)),
    );
    this.#forward.set(parameters, programs);
    return programs;
  }

  #recordGather(): Program {
    return this.#backend.record('rows of the residual stream', this.#members, (ops) => {
      this.#gathered.forEach((out, stream) => {
        ops.gatherRows(out, this.#sources[stream], this.#picks);
      });
    });
  }
}

/** Row of a microbatch, and the index of its place among those asked for. */
interface Wanted {
  readonly row: number;
  readonly place: number;
}

function rowsOf({ rows, first, host }: Microbatch, member: number, places: readonly ResidualPlace[]): Wanted[] {
  const start = host.start.subarray(member * (rows.sequences + 1), (member + 1) * (rows.sequences + 1));
  return places.flatMap(({ slot, position }, place) => {
    const sequence = slot - first;
    const isHere = sequence >= 0 && sequence < rows.sequences;
    return isHere ? [{ row: start[sequence] + position, place }] : [];
  });
}
