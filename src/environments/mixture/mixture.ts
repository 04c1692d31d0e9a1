/**
 * Several worlds at once: every task belongs to one of them, drawn by weight, and one policy has to do well in all. Words
 * that worlds share by name are one token. A world's actions, observations and rewards are as in that world alone; a word
 * that it does not know is no action there.
 *
 * Worlds with one-token actions can stand beside a world with longer ones: World.maxActionTokens gives each slot's longest
 * next action, and the stop token ends only actions that may be longer than one token.
 */
import { LabError } from '../../foundation/errors';
import type { RandomStream } from '../../foundation/philox';
import { readDecoding } from '../decoding';
import type {
  Elsewhere,
  Environment,
  EnvironmentDefinition,
  EnvironmentSettings,
  MixturePart,
  Split,
  Thoughts,
  ToolState,
  WorldSlots,
  WorldWords,
} from '../environment';
import { simulateRandomSuccess } from '../replay';
import type { Scene } from '../scene';
import { mergeWords } from '../vocabulary';
import { definitionOf, isFurtherInMixture, mixtureSettings, PART_IDS, settingsOf, weightOf } from './settings';
import { MixtureSlots, type RoomOptions } from './slots';
import { Translation } from './translation';

export const mixture: EnvironmentDefinition = {
  id: 'mixture',
  title: 'Mixture',
  summary: 'Do what the task asks; the tasks are of several worlds.',
  settings: mixtureSettings,
  isFurther: isFurtherInMixture,
  create(settings) {
    const parts = partsOf(settings);
    const elsewhere = parts.find(({ environment }) => environment.elsewhere)?.environment.elsewhere;
    return new Mixture(parts, elsewhere?.within('mixture', settings));
  },
};

/** Simulated episodes of the uniformly random policy, where its success rate is not computed. */
const SIMULATED_EPISODES = 5000;

interface Part extends MixturePart {
  readonly title: string;
  /** True if any word can be drawn there, also words of the other worlds. */
  readonly isFree: boolean;
}

function partsOf(settings: EnvironmentSettings): Part[] {
  const parts = PART_IDS.flatMap((id) => {
    const weight = weightOf(id, settings);
    if (weight === 0) return [];
    const own = settingsOf(id, settings);
    const definition = definitionOf(id);
    const { title, isText = false } = definition.describe?.(own) ?? definition;
    if (isText) {
      const what = `The world “${title}” is read and written as text, which no part of a mixture can be yet.`;
      throw new LabError('invalid-experiment', what, 'Choose it alone.');
    }
    return [{ id, title, weight, environment: definition.create(own), isFree: readDecoding(own).free }];
  });
  if (parts.length > 0) return parts;
  throw new LabError('invalid-experiment', 'This mixture is of nothing.', 'Give some world a weight above 0.');
}

class Mixture implements Environment {
  readonly parts: readonly Part[];
  readonly words: readonly string[];
  readonly context: number;
  readonly maxTurns: number;
  readonly maxActionTokens: number;
  readonly stopToken: number;
  readonly maxObservationTokens: number;
  readonly legalSets: readonly (readonly number[])[];
  readonly toolWords: readonly number[];
  readonly thoughts?: Thoughts;
  readonly hasHeldOut: boolean;
  readonly outcomeWords?: string;
  readonly milestoneWords?: string;
  readonly hindsight?: NonNullable<Environment['hindsight']>;
  readonly answer?: NonNullable<Environment['answer']>;
  readonly elsewhere?: Elsewhere;
  readonly #rooms: readonly RoomOptions[];
  /** Cumulative sums of the weights. */
  readonly #weights: readonly number[];
  #randomSuccess: number | null | undefined;

  constructor(parts: readonly Part[], elsewhere?: Elsewhere) {
    if (elsewhere !== undefined) this.elsewhere = elsewhere;
    const environments = parts.map(({ environment }) => environment);
    const most = (of: (environment: Environment) => number): number => Math.max(...environments.map(of));
    this.parts = parts;
    this.words = mergeWords(environments.map(({ words }) => words));
    this.context = most(({ context }) => context);
    this.maxTurns = most(({ maxTurns }) => maxTurns);
    this.maxActionTokens = most(({ maxActionTokens }) => maxActionTokens);
    this.maxObservationTokens = most(({ maxObservationTokens }) => maxObservationTokens);
    this.stopToken = this.words.indexOf(stopWord(environments) ?? '');
    this.hasHeldOut = environments.every(({ hasHeldOut }) => hasHeldOut === true);
    const [outcome, milestones] = [
      wordsOf(parts, 'outcomeWords', 'outcome'),
      wordsOf(parts, 'milestoneWords', 'milestones'),
    ];
    if (outcome !== undefined) this.outcomeWords = outcome;
    if (milestones !== undefined) this.milestoneWords = milestones;
    let sets = 0;
    this.#rooms = environments.map((environment) => {
      const firstSet = sets;
      sets += environment.legalSets.length;
      return { environment, firstSet, translation: new Translation(this.words, environment.words) };
    });
    this.legalSets = this.#rooms.flatMap(({ environment, translation }) =>
      environment.legalSets.map((set) => set.map((token) => translation.outward(token))),
    );
    this.toolWords = this.#rooms.flatMap(({ environment: { toolWords = [] }, translation }) =>
      toolWords.map((token) => translation.outward(token)),
    );
    // Worlds that somebody wrote alone have thoughts, and a mixture has one of those at most.
    for (const { environment, firstSet, translation } of this.#rooms) {
      const { thoughts } = environment;
      if (thoughts === undefined) continue;
      this.thoughts = { ...thoughts, legalSet: firstSet + thoughts.legalSet, end: translation.outward(thoughts.end) };
    }
    const canRelabel = environments.some(({ hindsight }) => hindsight !== undefined);
    if (canRelabel) this.hindsight = (...episode) => this.#hindsightThere(...episode);
    if (environments.some(({ answer }) => answer !== undefined)) this.answer = (task) => this.#answerThere(task);
    let weight = 0;
    this.#weights = parts.map((part) => {
      weight += part.weight;
      return weight;
    });
  }

  /** Present where a world's own success is simulated, or words of the other worlds can be drawn in it. */
  get simulatedEpisodes(): number | undefined {
    const isSimulated = this.parts.some((part) => part.isFree || part.environment.simulatedEpisodes !== undefined);
    return isSimulated ? SIMULATED_EPISODES : undefined;
  }

  /** Simulated where simulatedEpisodes is present, otherwise the weighted mean over worlds. */
  get randomSuccess(): number | null {
    if (this.#randomSuccess === undefined) {
      const { simulatedEpisodes } = this;
      this.#randomSuccess =
        simulatedEpisodes === undefined ? this.#meanSuccess() : simulateRandomSuccess(this, simulatedEpisodes);
    }
    return this.#randomSuccess;
  }

  #meanSuccess(): number | null {
    let sum = 0;
    for (const { weight, environment } of this.parts) {
      if (environment.randomSuccess === null) return null;
      sum += weight * environment.randomSuccess;
    }
    return sum / (this.#weights.at(-1) as number);
  }

  /** Draws a task [index of the part, the task there …]. */
  drawTask(random: RandomStream, split: Split = 'train', seed = 0): Int32Array {
    const mark = random.unit() * (this.#weights.at(-1) as number);
    const index = this.#weights.findIndex((upTo) => mark < upTo);
    return Int32Array.of(index, ...this.parts[index].environment.drawTask(random, split, seed));
  }

  /** Difficulty within the task's own world; 0 where that has none. */
  difficulty(task: Int32Array): number {
    return this.parts[this.environmentOf(task)]?.environment.difficulty?.(task.subarray(1)) ?? 0;
  }

  environmentOf(task: Int32Array): number {
    return task[0] ?? 0;
  }

  /** Draws tasks only of worlds with a tool; the words of the others stay. */
  withTool(state: ToolState): Environment | null {
    const parts = this.parts.map((part): Part => {
      const environment = part.environment.withTool?.(state) ?? null;
      return environment === null ? { ...part, weight: 0 } : { ...part, environment };
    });
    return parts.every(({ weight }) => weight === 0) ? null : new Mixture(parts);
  }

  /** Hindsight of the task's own world; null where that has none. */
  #hindsightThere(...[task, tokens, roles]: Parameters<NonNullable<Environment['hindsight']>>): Int32Array | null {
    const { environment, own } = this.#there(task, tokens);
    const other = environment.hindsight?.(task.subarray(1), own, roles) ?? null;
    return other === null ? null : Int32Array.of(this.environmentOf(task), ...other);
  }

  /** Answer in the task's own world; null where that has none. */
  #answerThere(task: Int32Array): readonly number[] | null {
    const { environment, translation } = this.#rooms[this.environmentOf(task)];
    return environment.answer?.(task.subarray(1))?.map((token) => translation.outward(token)) ?? null;
  }

  scenes(task: Int32Array, tokens: ArrayLike<number>, roles: ArrayLike<number>): readonly Scene[] {
    const { environment, own } = this.#there(task, tokens);
    return environment.scenes?.(task.subarray(1), own, roles) ?? [];
  }

  /** World of a task, and tokens in that world's numbers. */
  #there(task: Int32Array, tokens: ArrayLike<number>): { environment: Environment; own: number[] } {
    const { environment, translation } = this.#rooms[this.environmentOf(task)];
    return { environment, own: Array.from(tokens, (token) => translation.inward(token)) };
  }

  createWorld(slots: number): WorldSlots {
    return new MixtureSlots(slots, this.#rooms);
  }
}

/** Words of the worlds for the same thing, each with its world; `plain` where a world has none. Undefined where none has any. */
function wordsOf(parts: readonly Part[], key: keyof WorldWords, plain: string): string | undefined {
  const [first, ...others] = new Set(parts.map(({ environment }) => environment[key]));
  if (others.length === 0) return first;
  const told = parts.filter(({ environment }) => environment[key] !== undefined);
  const named = told.map(({ environment, title }) => `${environment[key]} (${title.toLowerCase()})`);
  return [...named, ...(told.length < parts.length ? [`${plain} elsewhere`] : [])].join(', ');
}

/** The word that ends actions of several tokens, undefined where there is none. Throws LabError where worlds differ. */
function stopWord(environments: readonly Environment[]): string | undefined {
  const stops = new Set(environments.filter(({ stopToken }) => stopToken >= 0).map((one) => one.words[one.stopToken]));
  if (stops.size < 2) return [...stops][0];
  throw new LabError('internal', 'Two worlds of a mixture end their actions with different words.', 'Agree on one.');
}
