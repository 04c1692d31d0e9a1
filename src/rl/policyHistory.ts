/**
 * Earlier policies of every member, for rollouts by a policy that is some updates behind, as asynchronous training has
 * them (AReaL, arXiv 2505.24298; AgentRL, arXiv 2510.04206). Policies are kept in a ring: that of the beginning of update
 * u in place u mod K. Before the first update there were none, so the first stands for them.
 */
import type { Backend, Program, Tensor } from '../tensor/backend';

type F32 = Tensor<'f32'>;

export class PolicyHistory {
  /** The parameters that play, [P, N]. */
  readonly acting: F32;
  /** [P, N] each. */
  readonly past: readonly F32[];
  readonly #backend: Backend;
  readonly #flags: Tensor<'u32'>;
  readonly #present: Program;
  readonly #keep: readonly Program[];
  readonly #take: readonly Program[];

  /** `length`: the largest lag there can be, at least 1. */
  constructor(backend: Backend, parameters: F32, length: number) {
    const { members, stride } = parameters;
    const tensor = (label: string): F32 => backend.tensor(label, 'f32', members, stride);
    this.#backend = backend;
    this.acting = tensor('actingParameters');
    this.past = Array.from({ length }, (_, i) => tensor(`past${i}`));
    this.#flags = backend.tensor('stale', 'u32', members, 1);
    this.#present = backend.record('the present policy plays', members, (ops) => ops.copy(this.acting, parameters));
    this.#keep = this.past.map((past) => backend.record('keep a policy', members, (ops) => ops.copy(past, parameters)));
    this.#take = this.past.map((past) =>
      backend.record('a stale policy plays', members, (ops) => ops.copyMembers(this.acting, past, this.#flags)),
    );
  }

  /** The present policies stand for all earlier ones. */
  begin(): void {
    this.#backend.run(...this.#keep);
  }

  /** Lets the present policies play. */
  playPresent(): void {
    this.#backend.run(this.#present);
  }

  /** Lets the policy of `lags[p]` updates ago play for each member; the present one where that is 0. */
  playStale(lags: readonly number[], update: number): void {
    this.playPresent();
    for (const lag of new Set(lags)) {
      if (lag === 0) continue;
      this.#backend.write(
        this.#flags,
        Uint32Array.from(lags, (own) => +(own === lag)),
      );
      this.#backend.run(this.#take[this.#placeOf(update - lag)]);
    }
  }

  /** Remembers the policies as they are before this update; call when its rollouts have been played. */
  keep(update: number): void {
    this.#backend.run(this.#keep[this.#placeOf(update)]);
  }

  #placeOf(update: number): number {
    const { length } = this.past;
    return (update + length) % length;
  }
}
