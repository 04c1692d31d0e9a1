/**
 * Views of the policies between two updates: the tokens of a trajectory they learned from, linear probes, and dreams. None
 * changes the numbers of training.
 */
import type { ParameterLayout } from '../../policy/parameters';
import { Dreams } from '../../rl/look/dream/dreams';
import { Probes } from '../../rl/look/probes/linear';
import { hyperparameters, type Member, type TrainedPopulation } from '../../rl/population';
import { drawInitial } from '../population/state';
import { inspectTrajectory, type Learned } from './inspection';
import type { DreamRequest, DreamView, Inspection, InspectionChoice, MemberProbes } from './shown';

interface PolicyViewsOptions extends TrainedPopulation {
  readonly layout: ParameterLayout;
}

export class PolicyViews {
  readonly #options: PolicyViewsOptions;
  #dreams: Dreams | null = null;
  #probes: Probes | null = null;

  constructor(options: PolicyViewsOptions) {
    this.#options = options;
  }

  /** Trajectories as Training.inspect describes them. */
  inspect(learned: Learned, choice: InspectionChoice): Promise<Inspection[]> {
    const { update, members } = this.#options;
    return inspectTrajectory(update.inspection, learned, members, choice);
  }

  /** Probes as Training.probe describes them. */
  async probe(learned: Learned, seed: number | null): Promise<MemberProbes[]> {
    const { members, environment, update, layout, experiment } = this.#options;
    const indices = members.flatMap((member, index) => (seed === null || member.seed === seed ? [index] : []));
    if (indices.length === 0) return [];
    this.#probes ??= new Probes(
      environment,
      learned.groupSize,
      update.residuals,
      drawInitial(layout, members, experiment.seed),
    );
    const measured = await this.#probes.measure(indices, learned.trajectories);
    return indices.map((index, i) => {
      const { arm, seed } = members[index] as Member;
      return { arm, seed, probes: measured[i] ?? [] };
    });
  }

  /** See Training.dream. round: keys the draws; learned: the last update, whose hyperparameters are written back. */
  async dream(
    { episodes, sampling }: DreamRequest,
    round: number,
    learned: Pick<Learned, 'arms' | 'update'> | null,
  ): Promise<DreamView[]> {
    const { experiment, members, backend, update, history } = this.#options;
    const dreamed = episodes.flatMap((episode) => {
      const isOwn = ({ armIndex, seed }: Member): boolean =>
        experiment.arms[armIndex]?.id === episode.arm && seed === episode.seed;
      const member = members.findIndex(isOwn);
      return member < 0 ? [] : [{ ...episode, member }];
    });
    if (dreamed.length === 0) return [];
    const dreams = await this.#dreamer();
    history?.playPresent();
    const restoreRows = update.keepRows();
    const written = await dreams.of(dreamed, sampling, round);
    restoreRows();
    if (learned !== null) backend.write(update.hyper, hyperparameters(members, learned.arms, learned.update));
    return written.map((dream, index) => ({ ...dream, arm: dreamed[index]?.arm ?? '' }));
  }

  async #dreamer(): Promise<Dreams> {
    if (this.#dreams !== null) return this.#dreams;
    const { backend, decoder, update, experiment } = this.#options;
    this.#dreams = new Dreams(backend, decoder, update, { ...this.#options, experimentSeed: experiment.seed });
    await backend.prepare();
    return this.#dreams;
  }
}
