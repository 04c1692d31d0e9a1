/**
 * Instances of a world: its map, its catalogue or its corpus, told apart by a number among its settings. By default all seeds of a
 * run play the same one; where the settings say so, each seed has its own, so that what is found is of the world and not of one
 * map. Names of cells or words are not drawn again: to weights that begin at random one name is as good as another.
 */
import { LabError } from '../foundation/errors';
import type {
  Environment,
  EnvironmentDefinition,
  EnvironmentSetting,
  EnvironmentSettings,
  TextWorld,
  WorldSlots,
} from './environment';
import { FACTS, propertiesOf } from './environmentFacts';

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
  return instances((seed) => make({ ...given, [world.instanceKey ?? '']: instanceOf(world, given, seed) ?? 0 }));
}

/** Properties that all instances have, and so those of seed 0. */
const SHARED = [...FACTS, 'actionLength', 'writing', 'asks'] as const;

/** Worlds alike in words and bounds; a task is [seed, the task there …]. Success of the random policy is that of seed 0. */
function instances(make: (seed: number) => Environment): Environment {
  const first = make(0);
  const made = new Map([[0, first]]);
  const at = (seed: number): Environment => {
    const one = made.get(seed) ?? alike(make(seed), first, seed);
    made.set(seed, one);
    return one;
  };
  const of = (task: Int32Array): Environment => at(task[0]);
  const { texts, answer, hindsight } = first;
  return {
    ...propertiesOf(first, SHARED),
    hasHeldOut: first.hasHeldOut === true,
    get randomSuccess() {
      return first.randomSuccess;
    },
    ...(texts && { texts: readers(texts, at) }),
    ...(answer && { answer: (task) => of(task).answer?.(task.subarray(1)) ?? null }),
    ...(hindsight && {
      hindsight: (task, tokens, roles) => {
        const other = of(task).hindsight?.(task.subarray(1), tokens, roles) ?? null;
        return other === null ? null : Int32Array.of(task[0], ...other);
      },
    }),
    drawTask: (random, split, seed = 0) => Int32Array.of(seed, ...at(seed).drawTask(random, split)),
    difficulty: (task) => of(task).difficulty?.(task.subarray(1)) ?? 0,
    cellNamed: (named) => first.cellNamed?.(named) ?? null,
    scenes: (task, tokens, roles) => of(task).scenes?.(task.subarray(1), tokens, roles) ?? [],
    createWorld: (slots) => worldOf(slots, at, first.maxActionTokens),
  };
}

/** Instance of a seed. Throws LabError 'invalid-experiment' where a policy could not play it beside that of seed 0. */
function alike(made: Environment, first: Environment, seed: number): Environment {
  const hasWords = made.words.join() === first.words.join() && made.context === first.context;
  if (hasWords && (made.hasHeldOut === true) === (first.hasHeldOut === true)) return made;
  const what = `The instance of seed ${seed} has other words, longer episodes or other held-out tasks than that of seed 0.`;
  throw new LabError('invalid-experiment', what, 'Let all seeds have the same instance.');
}

/** Reader of texts: each in the instance that its task names. */
function readers({ other, ...texts }: TextWorld, at: (seed: number) => Environment): TextWorld {
  return {
    ...texts,
    ...(other && { other: () => instances((seed) => at(seed).texts?.other?.() ?? at(seed)) }),
    read: (task, turn, action) => (at(task[0]).texts ?? texts).read(task.subarray(1), turn, action),
  };
}

/** World in which each slot plays in the instance that its task names. */
function worldOf(slots: number, instance: (seed: number) => Environment, longest: number): WorldSlots {
  const rooms = new Map<number, WorldSlots>();
  const roomOf = (seed: number): WorldSlots => {
    const room = rooms.get(seed) ?? instance(seed).createWorld(slots);
    rooms.set(seed, room);
    return room;
  };
  const first = roomOf(0);
  const at = new Array<WorldSlots>(slots).fill(first);
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
    ...(maxActionTokens && { maxActionTokens: (slot) => at[slot].maxActionTokens?.(slot) ?? longest }),
    ...(expect && { expect: (slot, action) => at[slot].expect?.(slot, action) }),
    ...(entropyFloor && { entropyFloor: (slot) => at[slot].entropyFloor?.(slot) ?? Number.NaN }),
  };
}
