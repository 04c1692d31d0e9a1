/** Attendance: the trajectories that each member learns from in an inner step, as rows of the microbatches on the device. */
import type { Backend, Tensor } from '../../tensor/backend';
import type { Trajectories } from '../play/trajectories';
import { layWhole, type Microbatch, packMicrobatch, restrictMicrobatch } from './microbatches';
import type { TakingPart } from './minibatches';

export class Attendance {
  /** u32 [P, 1]: parameters that the optimiser moves, as adamW() reads them. */
  readonly active: Tensor<'u32'>;
  readonly #backend: Backend;
  readonly #microbatches: readonly Microbatch[];
  /** Parts whose rows are on the device, [P]. */
  #parts: readonly TakingPart[];
  /** Content of `active` on the device, [P]; empty before the first step. */
  #moved: readonly number[] = [];

  constructor(backend: Backend, microbatches: readonly Microbatch[], members: number) {
    this.#backend = backend;
    this.#microbatches = microbatches;
    this.active = backend.tensor('active', 'u32', members, 1);
    this.#parts = Array.from({ length: members }, () => 'all');
  }

  /** Packs a batch, of which all trajectories take part. targets: see packMicrobatch(). */
  pack(trajectories: Trajectories, targets?: Uint16Array): void {
    for (const microbatch of this.#microbatches) packMicrobatch(this.#backend, microbatch, trajectories, targets);
    this.#parts = this.#parts.map(() => 'all');
  }

  /** Lays the rows of these parts, and notes what moves. `active`: [P], as adamW() reads it. */
  take(parts: readonly TakingPart[], active: readonly number[]): void {
    if (active.some((first, p) => first !== this.#moved[p])) {
      this.#backend.write(this.active, Uint32Array.from(active));
      this.#moved = active;
    }
    if (parts.every((part, p) => part === this.#parts[p])) return;
    if (this.#parts.some((part) => typeof part !== 'string')) this.#layWhole();
    for (const microbatch of this.#microbatches) restrictMicrobatch(this.#backend, microbatch, parts);
    this.#parts = parts;
  }

  #layWhole(): void {
    for (const microbatch of this.#microbatches) layWhole(this.#backend, microbatch);
  }
}
