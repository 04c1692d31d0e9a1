/**
 * A grid to find one's way in. By default the map is opaque: every cell is one token, and its name does not tell where it
 * lies. The prompt names the goal and the agent's cell; after each move the agent is told the name of its cell (the same
 * one after a bump). Reward 1 on reaching the goal within the horizon, else 0: the agent has to learn the map. Settings add
 * walls, ice and holes, a locked door, boxes, hidden controls, noise and other views.
 */
import type { RandomStream } from '../../foundation/philox';
import type { Environment, EnvironmentDefinition, Split, WorldSlots } from '../environment';
import { withInstances } from '../instances';
import { actionsOf, replay, SILENT, simulateRandomSuccess } from '../replay';
import type { Scene } from '../scene';
import { holeCount, wallCount } from './maps';
import { randomWalkSuccess, shortestPlan } from './plan';
import { MOVES, Rules } from './rules';
import { type GridSettings, gridSettings, readGridSettings, tellsMap } from './settings';
import { GridworldSlots } from './slots';
import { GridTasks } from './tasks';
import { FIRST_MOVE, GridView } from './view';

export const gridworld: EnvironmentDefinition = {
  id: 'gridworld',
  title: 'Gridworld',
  summary: 'Find the way to a cell of a grid. By default the names of cells do not tell where they lie.',
  settings: gridSettings,
  instanceKey: 'mapSeed',
  create: (settings) => withInstances(gridworld, settings, (own) => new Gridworld(readGridSettings(own))),
};

/** Simulated episodes of the uniformly random policy, where its success rate cannot be computed. */
const MEASURED_EPISODES = 5000;

const TO_DO = {
  reach: 'Go to the goal.',
  'key-door': 'Take the key, open the door with it, and go to the goal.',
  boxes: 'Push every box onto a target.',
} as const;

/** Sentences on the task, on what the prompt names, in the prompt's order, and on what is told after a move. */
function asks(settings: GridSettings): string {
  const { puzzle, boxes, observation, size } = settings;
  const aims = { reach: ['the goal'], 'key-door': ['the goal', 'the key', 'the door'], boxes: [] }[puzzle];
  const pushed = [...Array(boxes).fill('a target'), ...Array(boxes).fill('a box')];
  const map = tellsMap(settings) ? [holeCount(settings) > 0 ? 'the walls and the holes' : 'the walls'] : [];
  const named = [...aims, ...pushed, ...map, 'yourself'].join(', ');
  const told = {
    opaque: `The prompt names the cells of ${named}. After each move you are told the name of yours. Names do not tell where cells lie.`,
    coordinates: `The prompt tells column and row of ${named}. After each move you are told yours.`,
    egocentric: 'You are told what is above, below, left and right of you, and how far the goal is across and down.',
  };
  return `${TO_DO[puzzle]} The grid has ${size} × ${size} cells. ${told[observation]}`;
}

class Gridworld implements Environment {
  readonly words: readonly string[];
  readonly kinds: readonly string[];
  readonly context: number;
  readonly maxTurns: number;
  readonly maxActionTokens = 1;
  readonly stopToken = -1;
  readonly maxObservationTokens: number;
  readonly legalSets = [MOVES.map((_, move) => FIRST_MOVE + move)];
  readonly asks: string;
  readonly hasHeldOut: boolean;
  readonly hindsight?: NonNullable<Environment['hindsight']>;
  readonly #settings: GridSettings;
  readonly #rules: Rules;
  readonly #view: GridView;
  readonly #tasks: GridTasks;
  #randomSuccess: number | null = null;

  constructor(settings: GridSettings) {
    this.#settings = settings;
    this.#rules = new Rules(settings.size, settings.puzzle, settings.boxes);
    this.#view = new GridView(settings, this.#rules);
    this.#tasks = new GridTasks(settings, this.#rules);
    ({ words: this.words, kinds: this.kinds } = this.#view);
    this.maxTurns = settings.horizon;
    this.maxObservationTokens = this.#view.length + settings.noiseTokens;
    this.context = this.#promptLength() + settings.horizon * (1 + this.maxObservationTokens);
    this.asks = asks(settings);
    this.hasHeldOut = settings.heldOut > 0;
    if (settings.puzzle === 'reach') this.hindsight = (...episode) => this.#withReachedGoal(...episode);
  }

  #promptLength(): number {
    const { puzzle, boxes } = this.#settings;
    const perPlace = this.#view.placeLength;
    if (perPlace === 0) return 1 + 6;
    const holes = holeCount(this.#settings);
    const mapWords = tellsMap(this.#settings) ? 1 + (holes > 0 ? 1 : 0) : 0;
    const mapPlaces = tellsMap(this.#settings) ? wallCount(this.#settings) + holes : 0;
    const targets = Math.max(1, boxes);
    return 1 + mapWords + perPlace * (1 + targets + boxes + (puzzle === 'key-door' ? 2 : 0) + mapPlaces);
  }

  /** Success rate of random legal words: exact for moves on a fixed map (slips and hidden controls change nothing). */
  get randomSuccess(): number {
    const { pairs, fixedMap } = this.#tasks;
    this.#randomSuccess ??=
      this.simulatedEpisodes !== undefined || pairs === null
        ? simulateRandomSuccess(this, MEASURED_EPISODES)
        : randomWalkSuccess(this.#rules, fixedMap.floor, pairs, this.maxTurns);
    return this.#randomSuccess;
  }

  get simulatedEpisodes(): number | undefined {
    return this.#tasks.pairs === null || this.#settings.decoding.free ? MEASURED_EPISODES : undefined;
  }

  /** Draws a task; on a plain map [start cell, goal cell], otherwise see gridworld/tasks.ts. */
  drawTask(random: RandomStream, split: Split = 'train'): Int32Array {
    return this.#tasks.draw(random, this.hasHeldOut ? split : 'train');
  }

  /** Smallest number of steps to success, as a share of the horizon. */
  difficulty(task: Int32Array): number {
    const layout = this.#tasks.emptyLayout();
    const first = this.#tasks.load(task, layout);
    return shortestPlan(this.#rules, layout, first, this.maxTurns).steps / this.maxTurns;
  }

  /** Cell named by an observation; always null in an egocentric view. */
  cellNamed(answer: ArrayLike<number>): readonly [x: number, y: number] | null {
    const cell = this.#view.cellNamed(answer);
    const { size } = this.#settings;
    return cell < 0 ? null : [cell % size, Math.floor(cell / size)];
  }

  createWorld(slots: number): WorldSlots {
    return this.#createSlots(slots);
  }

  #createSlots(slots: number): GridworldSlots {
    return new GridworldSlots(slots, this.#settings, this.#rules, this.#view, this.#tasks);
  }

  /** The task with the cell where the episode ended as its goal: HER's strategy `final`. */
  #withReachedGoal(...[task, tokens, roles]: Parameters<NonNullable<Environment['hindsight']>>): Int32Array | null {
    const world = this.#createSlots(1);
    replay(world, task, tokens, roles);
    return this.#tasks.withGoal(task, world.cell(0));
  }

  scenes(task: Int32Array, tokens: ArrayLike<number>, roles: ArrayLike<number>): readonly Scene[] {
    if (task.length < 2) return [];
    const world = this.#createSlots(1);
    world.reset(0, task, SILENT);
    const scenes = [world.scene(0, null)];
    for (const action of actionsOf(tokens, roles)) {
      if (world.isDone(0)) break;
      world.step(0, action, SILENT);
      scenes.push(world.scene(0, world.moveWords(0, action[0] ?? -1)));
    }
    return scenes;
  }
}
