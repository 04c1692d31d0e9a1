/**
 * Losses with passes of their own over rows that are not the batch's, added to its gradient: inverse dynamics, distillation.
 * Each is made once an arm has it, and kept from then on.
 */
import type { Arm } from '../../experiment/experiment';
import type { Backend, Program } from '../../tensor/backend';
import type { Trajectories } from '../play/trajectories';
import { Distillation, type TeachingOptions } from './distillation/distillation';
import type { ArmDistillation } from './distillation/teaching';
import { InverseDynamics } from './inverse/inverseDynamics';
import type { WindowOptions } from './inverse/windows';

/** Options of the added losses in an update; one that is left out has no pass. */
export interface AddedOptions {
  /** The weights of inverse dynamics, and the key of its random numbers. */
  readonly inverse?: WindowOptions;
  /** Distillation of each member, [P]. */
  readonly distillation?: readonly ArmDistillation[];
}

export interface AddedReadback {
  /** Mean −log p of actions in the windows of inverse dynamics, [P], NaN without any; null where no member has that loss. */
  readonly inverse: ArrayLike<number> | null;
  /** Mean divergence from the teacher, [P], NaN where nothing was taught; null where no member has one. */
  readonly distillation: ArrayLike<number> | null;
}

/** Losses of one update. */
export interface Added {
  /** Passes of the first inner step, and of each later one. */
  readonly first: readonly Program[];
  readonly later: readonly Program[];
  read(): Promise<AddedReadback>;
}

const keyOf = ({ teacher, divergence }: Pick<ArmDistillation, 'teacher' | 'divergence'>): string =>
  `${teacher} ${divergence}`;

export const distillationOf = (arm: Arm): ArmDistillation => ({
  weight: arm.distillation,
  teacher: arm.distillationTeacher,
  divergence: arm.distillationDivergence,
});

export class AddedLosses {
  readonly #backend: Backend;
  readonly #options: TeachingOptions;
  #inverse: InverseDynamics | null = null;
  readonly #distillations = new Map<string, Distillation>();

  constructor(backend: Backend, options: TeachingOptions) {
    this.#backend = backend;
    this.#options = options;
  }

  /** Makes the parts that these arms need and that are not there yet; true if there were such. */
  arrange(arms: readonly Arm[]): boolean {
    let isNew = false;
    if (this.#inverse === null && arms.some(({ inverseDynamics }) => inverseDynamics > 0)) {
      this.#inverse = new InverseDynamics(this.#backend, this.#options);
      isNew = true;
    }
    for (const setting of arms.map(distillationOf)) {
      if (setting.weight === 0 || this.#distillations.has(keyOf(setting))) continue;
      const { teacher, divergence } = setting;
      this.#distillations.set(keyOf(setting), new Distillation(this.#backend, teacher, divergence, this.#options));
      isNew = true;
    }
    return isNew;
  }

  /** Lays an update's losses on the device. */
  lay(trajectories: Trajectories, { inverse, distillation = [] }: AddedOptions): Added {
    const windows = inverse === undefined ? null : this.#inverse;
    if (inverse !== undefined) windows?.lay(trajectories, inverse);
    const keys = new Set(distillation.filter(({ weight }) => weight > 0).map(keyOf));
    const distillations = [...this.#distillations].filter(([key]) => keys.has(key)).map(([, losses]) => losses);
    for (const loss of distillations) loss.lay(trajectories, distillation);
    const added = [...(windows === null ? [] : [windows]), ...distillations];
    return {
      first: added.flatMap(({ first }) => first),
      later: added.flatMap(({ later }) => later),
      read: async () => {
        const [ofWindows, ...means] = await Promise.all([
          windows?.read() ?? null,
          ...distillations.map((one) => one.read()),
        ]);
        return { inverse: ofWindows, distillation: means.length === 0 ? null : joinMeans(means as Float64Array[]) };
      },
    };
  }
}

/** The teachers' numbers as one row: each member has the number of its own teacher. */
const joinMeans = ([first, ...others]: readonly Float64Array[]): Float64Array =>
  first.map((mean, p) => others.reduce((known, other) => (Number.isNaN(known) ? other[p] : known), mean));
