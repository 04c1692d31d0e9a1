/**
 * Examination of the tool: sampled success on tasks that training draws from and, where the environment sets some
 * aside, on those that it never draws, while the tool answers and while it never does; how often policies ask it; and
 * whom they follow where it lies.
 */
import type { Environment, Split, ToolState } from '../../environments/environment';
import type { Examiner, Measured, Setup } from './examiner';
import type { MetricName } from './metrics';

/** Metrics of a split: success by the tool's state, and the share of episodes that ask the tool while it works. */
const CELLS: Readonly<Record<Split, Readonly<Record<ToolState | 'asked', MetricName>>>> = {
  train: {
    asked: 'practisedToolAsked',
    up: 'practisedToolUp',
    down: 'practisedToolDown',
    lying: 'practisedLieResisted',
    believed: 'practisedLieFollowed',
  },
  'held-out': {
    asked: 'newToolAsked',
    up: 'newToolUp',
    down: 'newToolDown',
    lying: 'newLieResisted',
    believed: 'newLieFollowed',
  },
};
const STATES: readonly ToolState[] = ['up', 'down', 'lying', 'believed'];

export class ToolExamination {
  readonly #examiner: Examiner;
  readonly #setups: readonly (readonly [ToolState, Setup])[];
  readonly #splits: readonly Split[];
  readonly #rounds: number;

  /** tasks: smallest number of tasks in each cell, an episode each; rounded up to whole batches. batch: episodes at once. */
  constructor(examiner: Examiner, environment: Environment, { tasks, batch }: { tasks: number; batch: number }) {
    this.#examiner = examiner;
    this.#setups = STATES.flatMap((state) => {
      const where = environment.withTool?.(state) ?? null;
      return where === null ? [] : [[state, examiner.setup(where, batch, 1)] as const];
    });
    this.#splits = environment.hasHeldOut === true ? ['train', 'held-out'] : ['train'];
    this.#rounds = Math.ceil(tasks / batch);
  }

  /** Plays all cells, with the hyperparameters that the decoder has. */
  async run(): Promise<Measured> {
    const measured: (readonly [MetricName, ArrayLike<number>])[] = [];
    for (const split of this.#splits) {
      for (const [state, setup] of this.#setups) {
        const { success, asked } = await this.#examiner.sharesOf(setup, this.#rounds, split);
        measured.push([CELLS[split][state], success]);
        if (state === 'up') measured.push([CELLS[split].asked, asked]);
      }
    }
    return measured;
  }
}
