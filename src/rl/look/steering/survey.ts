/**
 * Steering of one policy in one world, from drawn tasks to numbers: the means are fitted on some tasks, and beliefs are tried in
 * others, one for every cell of every task. Tasks and directions follow from the experiment's seed and the member's, not from
 * its arm, so that arms are asked the same. It runs on a backend of its own and touches no training.
 */
import type { Environment } from '../../../environments/environment';
import { LabError } from '../../../foundation/errors';
import { RandomStream, STREAM } from '../../../foundation/philox';
import type { PolicyConfiguration } from '../../../policy/configuration';
import type { Backend, FloatData } from '../../../tensor/backend';
import { type SteeringShares, sharesOf } from './measure';
import { Readout } from './readout';
import {
  type CellMeans,
  type Decision,
  decideAt,
  fitMeans,
  type PlaceBelief,
  type TriedBelief,
  tryBeliefs,
} from './steering';
import { type Stand, standsOf } from './walks';

/** Different tasks that are drawn at most, and the share of them that the means are fitted on. */
const TASKS = 64;
const FITTED = 0.75;
/** Random directions for each belief. */
const DIRECTIONS = 8;
/** Strengths of a survey: 1 is the whole way from one mean to the other. */
const SURVEYED = [0.5, 1, 2];

/** A task, and the places in which one can be there. */
export interface Ground {
  readonly task: Int32Array;
  readonly stands: readonly Stand[];
}

export interface Steerable {
  readonly parameters: FloatData;
  readonly configuration: PolicyConfiguration;
}

export interface Seeds {
  readonly experiment: number;
  readonly member: number;
}

export class Steering {
  /** Tasks that can be asked about; no mean was fitted on them. */
  readonly grounds: readonly Ground[];
  readonly #readout: Readout;
  readonly #means: CellMeans;
  readonly #seeds: Seeds;

  private constructor(grounds: readonly Ground[], readout: Readout, means: CellMeans, seeds: Seeds) {
    this.grounds = grounds;
    this.#readout = readout;
    this.#means = means;
    this.#seeds = seeds;
  }

  /** Throws LabError 'unsupported' for a world without a board to walk on, or whose actions are several words. */
  static async open(
    backend: Backend,
    { parameters, configuration }: Steerable,
    environment: Environment,
    seeds: Seeds,
  ): Promise<Steering> {
    const drawn = drawTasks(environment, seeds).map((task) => ({ task, stands: standsOf(environment, task) }));
    const walked = drawn.filter(({ stands }) => stands.length > 1);
    if (walked.length < 2) {
      const what = 'In this world no two tasks have cells that one can walk to, so there is no belief to change.';
      throw new LabError('unsupported', what, 'Choose a gridworld.');
    }
    const lengths = walked.flatMap(({ stands }) => stands.map(({ tokens }) => tokens.length));
    const readout = new Readout(backend, configuration, parameters, Math.max(...lengths));
    await backend.prepare();
    const cut = Math.min(walked.length - 1, Math.ceil(FITTED * walked.length));
    const fitted = walked.slice(0, cut).flatMap(({ stands }) => stands);
    const means = await fitMeans(readout, fitted, configuration.width);
    const grounds = walked
      .slice(cut)
      .map(({ task, stands }) => ({ task, stands: known(stands, means) }))
      .filter(({ stands }) => stands.length > 1);
    return new Steering(grounds, readout, means, seeds);
  }

  /** Numbers of one belief for each cell of each task, about another cell of it that is drawn. */
  async survey(): Promise<SteeringShares[]> {
    const random = this.#random(1);
    const beliefs = this.grounds.flatMap(({ stands }) =>
      stands.map((present): PlaceBelief => {
        const elsewhere = stands.filter((stand) => stand !== present);
        return { present, believed: elsewhere[random.below(elsewhere.length)] };
      }),
    );
    return sharesOf(await this.try(beliefs, SURVEYED));
  }

  /** Tries beliefs of `grounds`. */
  try(beliefs: readonly PlaceBelief[], strengths: readonly number[]): Promise<TriedBelief[]> {
    const trial = { means: this.#means, strengths, directions: DIRECTIONS, random: this.#random(2) };
    return tryBeliefs(this.#readout, beliefs, trial);
  }

  /** Decisions of the policy where it truly is. */
  decide(stands: readonly Stand[]): Promise<Decision[]> {
    return decideAt(this.#readout, stands);
  }

  #random(item: number): RandomStream {
    return new RandomStream(this.#seeds.experiment, STREAM.steering, this.#seeds.member, 0, item);
  }
}

/** Stands on cells that have a mean. */
const known = (stands: readonly Stand[], [means]: CellMeans): Stand[] => stands.filter(({ cell }) => means.has(cell));

/** Different training tasks, fewer where the world has not so many. */
function drawTasks(environment: Environment, seeds: Seeds): Int32Array[] {
  const random = new RandomStream(seeds.experiment, STREAM.steering, seeds.member, 0, 0);
  const tasks = new Map<string, Int32Array>();
  for (let draw = 0; draw < 8 * TASKS && tasks.size < TASKS; draw++) {
    const task = environment.drawTask(random, 'train', seeds.member);
    tasks.set(task.join(), task);
  }
  return [...tasks.values()];
}
