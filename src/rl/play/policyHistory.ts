/**
 * Earlier policies of every member, for rollouts by a policy some updates behind, as in asynchronous training (AReaL, arXiv
 * 2505.24298; AgentRL, arXiv 2510.04206). They lie in a ring of K places: the policy at the beginning of update u in place
 * u mod K. The first policy fills the places of updates before the first.
 */
import type { Backend, Program, Tensor } from '../../tensor/backend';

type F32 = Tensor<'f32'>;

export class PolicyHistory {
  /** Parameters that play, [P, N]. */
  readonly acting: F32;
  /** The ring, K tensors [P, N]. */
  readonly past: readonly F32[];
  readonly #backend: Backend;
  readonly #flags: Tensor<'u32'>;
  readonly #present: Program;
  readonly #keep: readonly Program[];
  readonly #take: readonly Program[];

  /** length: K, the largest possible lag, at least 1. */
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

  /** Fills the whole ring with the present policies. */
  begin(): void {
    this.#backend.run(...this.#keep);
  }

  /** Lets the present policies play. */
  playPresent(): void {
    this.#backend.run(this.#present);
  }

  /** Lets each member's policy of `lags[p]` updates ago play; the present one where that is 0. */
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

  /** Keeps the policies from before this update; call when its rollouts have been played. */
  keep(update: number): void {
    this.#backend.run(this.#keep[this.#placeOf(update)]);
  }

  #placeOf(update: number): number {
    const { length } = this.past;
    return (update + length) % length;
  }
}
