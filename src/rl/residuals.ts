/**
 * The residual stream of single tokens, layer by layer: what a policy holds of a trajectory at that point. Read by another
 * forward pass over the batch, with any parameters; it writes only what every update writes anew before it reads it.
 */
import type { Activations } from '../policy/activations';
import type { Backend, Program, Rows, Tensor } from '../tensor/backend';
import { ROW_FIELDS } from '../tensor/layout';
import { type Microbatch, restrictMicrobatch } from './microbatches';
import type { FindParameter, Passes } from './passes';

/** Tokens of a member at a time: bounds the memory. */
const BLOCK = 256;

/** A token of the batch: which of the member's trajectories, and where in it. */
export interface TokenPlace {
  readonly slot: number;
  readonly position: number;
}

/** Copies rows out of every stream. */
interface Gathering {
  readonly picks: Rows;
  readonly gathered: readonly Tensor<'f32'>[];
  readonly program: Program;
}

export class BatchResiduals {
  /** The policy in training. */
  readonly policy: FindParameter;
  /** Streams: the embeddings, and what each block leaves. */
  readonly streams: number;
  readonly width: number;
  readonly #backend: Backend;
  readonly #members: number;
  readonly #microbatches: readonly Microbatch[];
  readonly #passes: Passes;
  readonly #sources: readonly Tensor<'f32'>[];
  readonly #forward = new Map<FindParameter, readonly Program[]>();
  #gathering: Gathering | null = null;

  constructor(
    backend: Backend,
    members: number,
    width: number,
    microbatches: readonly Microbatch[],
    passes: Passes,
    policy: FindParameter,
  ) {
    this.#backend = backend;
    this.#members = members;
    this.width = width;
    this.#microbatches = microbatches;
    this.#passes = passes;
    this.policy = policy;
    this.#sources = streamsOf(passes.activations);
    this.streams = this.#sources.length;
  }

  /**
   * [stream][place, width] of each of these members under `parameters`. Call between updates; no other may begin before it
   * resolves. places: by member, in the order of `members`.
   */
  async read(
    parameters: FindParameter,
    members: readonly number[],
    places: readonly (readonly TokenPlace[])[],
  ): Promise<Float32Array[][]> {
    const forward = this.#record(parameters);
    const { program } = this.#gather();
    await this.#backend.prepare();
    const active = new Uint32Array(this.#members);
    for (const member of members) active[member] = 1;
    const found = places.map((own) => this.#sources.map(() => new Float32Array(own.length * this.width)));
    for (const [index, microbatch] of this.#microbatches.entries()) {
      restrictMicrobatch(this.#backend, microbatch, active);
      this.#backend.run(forward[index] as Program);
      const wanted = members.map((member, i) => rowsOf(microbatch, member, places[i] ?? []));
      const most = Math.max(0, ...wanted.map(({ length }) => length));
      for (let from = 0; from < most; from += BLOCK) {
        const blocks = wanted.map((own) => own.slice(from, from + BLOCK));
        await this.#readBlock(program, members, blocks, found);
      }
      // As the last update left them.
      restrictMicrobatch(this.#backend, microbatch, new Uint32Array(this.#members).fill(1));
    }
    return found;
  }

  async #readBlock(
    program: Program,
    members: readonly number[],
    blocks: readonly (readonly Wanted[])[],
    found: readonly (readonly Float32Array[])[],
  ): Promise<void> {
    const { picks, gathered } = this.#gather();
    const table = new Uint32Array(this.#members * BLOCK * ROW_FIELDS);
    const count = new Uint32Array(this.#members);
    blocks.forEach((own, i) => {
      const member = members[i] as number;
      count[member] = own.length;
      own.forEach(({ row }, at) => {
        table[(member * BLOCK + at) * ROW_FIELDS] = row;
      });
    });
    this.#backend.write(picks.table, table);
    this.#backend.write(picks.count, count);
    this.#backend.run(program);
    const values = await this.#backend.read(...gathered);
    const C = this.width;
    values.forEach((stream, s) => {
      blocks.forEach((own, i) => {
        own.forEach(({ place }, at) => {
          const source = ((members[i] as number) * BLOCK + at) * C;
          found[i]?.[s]?.set(stream.subarray(source, source + C), place * C);
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

  #gather(): Gathering {
    if (this.#gathering !== null) return this.#gathering;
    const picks = {
      table: this.#backend.tensor('residuals.picks', 'u32', this.#members, BLOCK * ROW_FIELDS),
      count: this.#backend.tensor('residuals.count', 'u32', this.#members, 1),
      capacity: BLOCK,
    };
    const gathered = this.#sources.map((_, stream) =>
      this.#backend.tensor(`residuals.${stream}`, 'f32', this.#members, BLOCK * this.width),
    );
    const program = this.#backend.record('rows of the residual stream', this.#members, (ops) => {
      gathered.forEach((out, stream) => {
        ops.gatherRows(out, this.#sources[stream] as Tensor<'f32'>, picks);
      });
    });
    this.#gathering = { picks, gathered, program };
    return this.#gathering;
  }
}

/** A row of a microbatch, and which of the places asked for it is. */
interface Wanted {
  readonly row: number;
  readonly place: number;
}

function rowsOf({ rows, first, host }: Microbatch, member: number, places: readonly TokenPlace[]): Wanted[] {
  const start = host.start.subarray(member * (rows.sequences + 1), (member + 1) * (rows.sequences + 1));
  return places.flatMap(({ slot, position }, place) => {
    const sequence = slot - first;
    const isHere = sequence >= 0 && sequence < rows.sequences;
    return isHere ? [{ row: (start[sequence] as number) + position, place }] : [];
  });
}

function streamsOf({ layers, output }: Activations): Tensor<'f32'>[] {
  return [...layers.map(({ input }) => input), output];
}
