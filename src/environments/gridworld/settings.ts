/** Settings of the gridworld: their declarations, and their values, with defaults for those left out. */
import { LabError } from '../../foundation/errors';
import { type Decoding, decodingSettings, readDecoding, readerOf } from '../decoding';
import type { EnvironmentSetting, EnvironmentSettings } from '../environment';
import { instancesSetting } from '../instances';

export const OBSERVATIONS = ['opaque', 'coordinates', 'egocentric'] as const;
export const PUZZLES = ['reach', 'key-door', 'boxes'] as const;
export const MAPS = ['fixed', 'told', 'hidden'] as const;
export const CONTROLS = ['known', 'inverted', 'permuted'] as const;

export interface GridSettings {
  readonly size: number;
  readonly horizon: number;
  readonly minimumDistance: number;
  readonly observation: (typeof OBSERVATIONS)[number];
  readonly puzzle: (typeof PUZZLES)[number];
  /** Number of boxes; 0 unless the puzzle is `boxes`. */
  readonly boxes: number;
  /** Walls and holes, as shares of all cells. */
  readonly walls: number;
  readonly holes: number;
  readonly map: (typeof MAPS)[number];
  readonly mapSeed: number;
  readonly slip: number;
  readonly controls: (typeof CONTROLS)[number];
  readonly noiseTokens: number;
  readonly noiseShare: number;
  readonly heldOut: number;
  readonly decoding: Decoding;
}

const share = (key: string, label: string, help: string, max: number): EnvironmentSetting => ({
  key,
  label,
  help,
  type: 'number',
  default: 0,
  min: 0,
  max,
});

const integer = (key: string, label: string, help: string, initial: number, min: number, max: number) =>
  ({ key, label, help, type: 'integer', default: initial, min, max }) as const;

const choice = (key: string, label: string, help: string, choices: readonly [string, ...string[]]) =>
  ({ key, label, help, type: 'choice', default: choices[0], choices }) as const;

/** True if maps differ: there are walls, holes or a door. */
const hasMap = ({ walls, holes, puzzle }: EnvironmentSettings): boolean =>
  Number(walls) > 0 || Number(holes) > 0 || puzzle === 'key-door';

export const gridSettings: readonly EnvironmentSetting[] = [
  integer('size', 'Grid size', 'Cells along each side of the square map; every cell is a token of its own.', 6, 3, 8),
  integer('horizon', 'Horizon', 'Turns after which an episode ends without reward.', 12, 1, 48),
  integer(
    'minimumDistance',
    'Minimum distance',
    'Fewest steps between start and goal: larger is rarer luck for a policy that knows nothing.',
    3,
    1,
    14,
  ),
  choice(
    'observation',
    'Observation',
    'Opaque: the name of the cell. Coordinates: its column and row. Egocentric: the four neighbours and the way to go.',
    OBSERVATIONS,
  ),
  {
    ...choice(
      'puzzle',
      'Puzzle',
      'Reach: walk to the goal. Key and door: the goal lies behind a locked door. Boxes: push every box onto a target.',
      PUZZLES,
    ),
    names: { 'key-door': 'key and door' },
  },
  {
    ...integer('boxes', 'Boxes', 'How many boxes there are, where boxes are the puzzle.', 1, 1, 2),
    isRelevant: ({ puzzle }) => puzzle === 'boxes',
  },
  share('walls', 'Walls', 'Share of the cells that are walls; what is left is always connected.', 0.4),
  share('holes', 'Holes', 'Share of the cells that end the episode; the others stay connected without them.', 0.3),
  {
    ...choice(
      'map',
      'Map',
      'Fixed: the same walls and holes in every task. Told: new in each task and named in the prompt. Hidden: new, not told.',
      MAPS,
    ),
    isRelevant: hasMap,
  },
  {
    ...integer('mapSeed', 'Map seed', 'Which fixed map; the walls and holes are drawn from this number.', 0, 0, 9999),
    isRelevant: (settings) => hasMap(settings) && settings.map === 'fixed',
  },
  instancesSetting('map', (settings) => hasMap(settings) && settings.map === 'fixed'),
  share('slip', 'Slip', 'Chance that a step goes to one of its two sides instead; two thirds is FrozenLake.', 0.9),
  choice(
    'controls',
    'Controls',
    'Hidden in each task. Inverted: every other task, moves go the opposite way. Permuted: one of all 24 orders.',
    CONTROLS,
  ),
  integer(
    'noiseTokens',
    'Noise tokens',
    'Random tokens added to every observation, of 16 symbols; nobody can foresee them.',
    0,
    0,
    4,
  ),
  share(
    'noiseShare',
    'Noise share',
    'Chance that a token of an observation is replaced by a random one of its kind.',
    0.9,
  ),
  share('heldOut', 'Held-out share', 'Share of the pairs of start and goal never used for training.', 0.5),
  ...decodingSettings,
];

export function readGridSettings(given: EnvironmentSettings): GridSettings {
  const value = readerOf(gridSettings, given);
  const number = (key: string): number => Number(value(key));
  const oneOf = <T extends string>(key: string, choices: readonly [T, ...T[]]): T =>
    choices.find((candidate) => candidate === value(key)) ?? choices[0];
  const puzzle = oneOf('puzzle', PUZZLES);
  const settings: GridSettings = {
    size: number('size'),
    horizon: number('horizon'),
    minimumDistance: number('minimumDistance'),
    observation: oneOf('observation', OBSERVATIONS),
    puzzle,
    boxes: puzzle === 'boxes' ? number('boxes') : 0,
    walls: number('walls'),
    holes: number('holes'),
    map: oneOf('map', MAPS),
    mapSeed: number('mapSeed'),
    slip: number('slip'),
    controls: oneOf('controls', CONTROLS),
    noiseTokens: number('noiseTokens'),
    noiseShare: number('noiseShare'),
    heldOut: number('heldOut'),
    decoding: readDecoding(given),
  };
  refuseContradictions(settings);
  return settings;
}

function refuseContradictions({ puzzle, observation, slip, size }: GridSettings): void {
  const refuse = (message: string, advice: string): never => {
    throw new LabError('invalid-experiment', message, advice);
  };
  if (puzzle === 'boxes' && observation === 'egocentric') {
    refuse('The egocentric view does not tell where a box has to go.', 'Observe boxes by cell name or coordinates.');
  }
  if (puzzle === 'boxes' && slip > 0) {
    refuse('Boxes cannot be pushed on slippery ground.', 'Set the slip to 0, or choose another puzzle.');
  }
  if (puzzle !== 'reach' && size < 4) {
    refuse(`A ${size}×${size} grid has no room for this puzzle.`, 'Choose a grid size of at least 4.');
  }
}

/** True if walls, holes or a door differ from task to task. */
export function hasOwnMaps({ map, walls, holes, puzzle }: GridSettings): boolean {
  return map !== 'fixed' && (walls > 0 || holes > 0 || puzzle === 'key-door');
}

/** True if the prompt names walls and holes. */
export function tellsMap(settings: GridSettings): boolean {
  const { map, observation, walls, holes } = settings;
  return map === 'told' && observation !== 'egocentric' && (walls > 0 || holes > 0);
}

/** True if episodes have chance events, so that tasks need an integer to key them. */
export function hasChance({ slip, noiseTokens, noiseShare }: GridSettings): boolean {
  return slip > 0 || noiseTokens > 0 || noiseShare > 0;
}
