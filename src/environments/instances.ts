/**
 * Instances of a world: its map, its catalogue or its corpus, told apart by a number among its settings. By default all seeds of a
 * run play the same one; where the settings say so, each seed has its own, so that what is found is of the world and not of one
 * map. Names of cells or words are not drawn again: to weights that begin at random one name is as good as another.
 */
import { LabError } from '../foundation/errors';
import type { RandomStream } from '../foundation/philox';
import type {
  Environment,
  EnvironmentDefinition,
  EnvironmentSetting,
  EnvironmentSettings,
  Split,
  TextWorld,
  Thoughts,
  World,
  Writing,
} from './environment';
import type { Scene } from './scene';

/** Key of the setting that says whether seeds share an instance. */
export const INSTANCES_KEY = 'instances';
const PER_SEED = 'per-seed';

/** Instances have the numbers 0 to this one less. */
export const MOST_INSTANCES = 10_000;

/** The setting, for a world whose instance may matter; `what` names what differs. */
export const instancesSetting = (what: string, isRelevant?: EnvironmentSetting['isRelevant']): EnvironmentSetting => ({
  key: INSTANCES_KEY,
  label: 'Instances',
  help: `One: every seed has the same ${what}. Per seed: each has its own, whose number is the seed’s higher.`,
  type: 'choice',
  default: 'one',
  choices: ['one', PER_SEED],
  names: { [PER_SEED]: 'one per seed' },
  ...(isRelevant && { isRelevant }),
});

/** World that may have several: its settings, and the key of the one that tells them apart. */
type Instanced = Pick<EnvironmentDefinition, 'settings' | 'instanceKey'>;

/** Number of a seed's instance with these settings; undefined where all seeds share one, or all are the same. */
export function instanceOf(
  { settings, instanceKey = null }: Instanced,
  given: EnvironmentSettings,
  seed: number,
): number | undefined {
  if (instanceKey === null || given[INSTANCES_KEY] !== PER_SEED) return undefined;
  const whole = { ...Object.fromEntries(settings.map((setting) => [setting.key, setting.default])), ...given };
  const matters = settings.find(({ key }) => key === INSTANCES_KEY)?.isRelevant?.(whole) ?? true;
  return matters ? (Number(whole[instanceKey]) + seed) % MOST_INSTANCES : undefined;
}

/** The world with these settings, or with an instance for each seed. */
export function withInstances(
  world: Instanced,
  given: EnvironmentSettings,
  make: (settings: EnvironmentSettings) => Environment,
): Environment {
  if (instanceOf(world, given, 0) === undefined) return make(given);
  return new Instances((seed) => make({ ...given, [world.instanceKey ?? '']: instanceOf(world, given, seed) ?? 0 }));
}

/** Worlds alike in words and bounds; a task is [seed, the task there …]. Success of the random policy is that of seed 0. */
class Instances implements Environment {
  readonly words: readonly string[];
  readonly kinds?: readonly string[];
  readonly context: number;
  readonly maxTurns: number;
  readonly maxActionTokens: number;
  readonly stopToken: number;
  readonly stopTokens?: readonly number[];
  readonly actionLength?: NonNullable<Environment['actionLength']>;
  readonly model?: string;
  readonly texts?: TextWorld;
  readonly writing?: Writing;
  readonly maxObservationTokens: number;
  readonly legalSets: readonly (readonly number[])[];
  readonly toolWords?: readonly number[];
  readonly thoughts?: Thoughts;
  readonly simulatedEpisodes?: number | undefined;
  readonly outcomeWords?: string;
  readonly milestoneWords?: string;
  readonly asks?: string;
  readonly hasHeldOut: boolean;
  readonly hindsight?: NonNullable<Environment['hindsight']>;
  readonly answer?: NonNullable<Environment['answer']>;
  readonly #make: (seed: number) => Environment;
  readonly #made = new Map<number, Environment>();

  constructor(make: (seed: number) => Environment) {
    this.#make = make;
    const first = make(0);
    this.#made.set(0, first);
    this.words = first.words;
    if (first.kinds !== undefined) this.kinds = first.kinds;
    this.context = first.context;
    this.maxTurns = first.maxTurns;
    this.maxActionTokens = first.maxActionTokens;
    this.stopToken = first.stopToken;
    if (first.stopTokens !== undefined) this.stopTokens = first.stopTokens;
    if (first.actionLength !== undefined) this.actionLength = first.actionLength;
    if (first.model !== undefined) this.model = first.model;
    if (first.writing !== undefined) this.writing = first.writing;
    if (first.texts !== undefined) this.texts = this.#readerOf(first.texts);
    this.maxObservationTokens = first.maxObservationTokens;
    this.legalSets = first.legalSets;
    if (first.toolWords !== undefined) this.toolWords = first.toolWords;
    if (first.thoughts !== undefined) this.thoughts = first.thoughts;
    this.simulatedEpisodes = first.simulatedEpisodes;
    if (first.outcomeWords !== undefined) this.outcomeWords = first.outcomeWords;
    if (first.milestoneWords !== undefined) this.milestoneWords = first.milestoneWords;
    if (first.asks !== undefined) this.asks = first.asks;
    this.hasHeldOut = first.hasHeldOut === true;
    if (first.answer !== undefined) this.answer = (task) => this.#of(task).answer?.(task.subarray(1)) ?? null;
    if (first.hindsight !== undefined) {
      this.hindsight = (task, tokens, roles) => {
        const other = this.#of(task).hindsight?.(task.subarray(1), tokens, roles) ?? null;
        return other === null ? null : Int32Array.of(task[0], ...other);
      };
    }
  }

  /** Reader of texts: each in the instance that its task names. */
  #readerOf({ other, ...texts }: TextWorld): TextWorld {
    return {
      ...texts,
      ...(other && { other: () => new Instances((seed) => this.#at(seed).texts?.other?.() ?? this.#at(seed)) }),
      read: (task, turn, action) => (this.#of(task).texts ?? texts).read(task.subarray(1), turn, action),
    };
  }

  #at(seed: number): Environment {
    const known = this.#made.get(seed);
    if (known !== undefined) return known;
    const made = this.#make(seed);
    const isAlike = made.words.join() === this.words.join() && made.context === this.context;
    if (!isAlike || (made.hasHeldOut === true) !== this.hasHeldOut) {
      const what = `The instance of seed ${seed} has other words, longer episodes or other held-out tasks than that of seed 0.`;
      throw new LabError('invalid-experiment', what, 'Let all seeds have the same instance.');
    }
    this.#made.set(seed, made);
    return made;
  }

  #of(task: Int32Array): Environment {
    return this.#at(task[0]);
  }

  get randomSuccess(): number | null {
    return this.#at(0).randomSuccess;
  }

  drawTask(random: RandomStream, split?: Split, seed = 0): Int32Array {
    return Int32Array.of(seed, ...this.#at(seed).drawTask(random, split));
  }

  difficulty(task: Int32Array): number {
    return this.#of(task).difficulty?.(task.subarray(1)) ?? 0;
  }

  cellNamed(answer: ArrayLike<number>): readonly [x: number, y: number] | null {
    return this.#at(0).cellNamed?.(answer) ?? null;
  }

  scenes(task: Int32Array, tokens: ArrayLike<number>, roles: ArrayLike<number>): readonly Scene[] {
    return this.#of(task).scenes?.(task.subarray(1), tokens, roles) ?? [];
  }

  /** Each slot plays in the instance that its task names. */
  createWorld(slots: number): World {
    const rooms = new Map<number, World>();
    const roomOf = (seed: number): World => {
      const room = rooms.get(seed) ?? this.#at(seed).createWorld(slots);
      rooms.set(seed, room);
      return room;
    };
    const first = roomOf(0);
    const at = new Array<World>(slots).fill(first);
    const { expert, thinks, hasThoughts, progress, maxActionTokens, expect, entropyFloor } = first;
    return {
      reset(slot, task, emission) {
        at[slot] = roomOf(task[0]);
        at[slot].reset(slot, task.subarray(1), emission);
      },
      legalSet: (slot) => at[slot].legalSet(slot),
      isFree: (slot) => at[slot].isFree?.(slot) === true,
      step: (slot, action, emission) => at[slot].step(slot, action, emission),
      isDone: (slot) => at[slot].isDone(slot),
      reward: (slot) => at[slot].reward(slot),
      isSuccess: (slot) => at[slot].isSuccess(slot),
      ...(expert && { expert: (slot) => at[slot].expert?.(slot) ?? [] }),
      ...(thinks && { thinks: (slot) => at[slot].thinks?.(slot) ?? [] }),
      ...(hasThoughts && { hasThoughts: (slot) => at[slot].hasThoughts?.(slot) !== false }),
      ...(progress && { progress: (slot) => at[slot].progress?.(slot) ?? 0 }),
      ...(maxActionTokens && { maxActionTokens: (slot) => at[slot].maxActionTokens?.(slot) ?? this.maxActionTokens }),
      ...(expect && { expect: (slot, action) => at[slot].expect?.(slot, action) }),
      ...(entropyFloor && { entropyFloor: (slot) => at[slot].entropyFloor?.(slot) ?? Number.NaN }),
    };
  }
}
