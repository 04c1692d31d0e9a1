/** An episode of a world that is being written, as data for its players: by hand, at random, or as its expert does. */
import { asLabError } from '../../../foundation/errors';
import { RandomStream } from '../../../foundation/philox';
import { ROLE, type Role } from '../../../foundation/roles';
import { decodingSettings } from '../../decoding';
import { drawAction, drawThoughts, expertThoughts } from '../../replay';
import type { Scene } from '../../scene';
import type { WorldReport } from '../examine/check';
import { NOWHERE, WorldError } from '../examine/failure';
import { placed } from '../examine/place';
import { MODEL_KEY } from '../own';
import { refuse } from '../reading';
import { fileOf, type OwnWorld, ownWorld } from '../world';
import type { Episode, PlayedTurn, SaidWord, TriedWorld, WorkshopEpisode, WorldMistake } from './asked';

/** Settings that a text still has: those of an earlier one may be gone from it. Throws LabError where it cannot be read. */
export function withKnownSettings({ text, settings }: TriedWorld): TriedWorld {
  const known = [MODEL_KEY, ...fileOf(text).settings.map(({ key }) => key)];
  return { text, settings: Object.fromEntries(Object.entries(settings).filter(([key]) => known.includes(key))) };
}

/** A report or description as it can be sent, without the settings that every world has: those are the experiment's matter. */
export function sendable<T extends Pick<WorldReport, 'settings' | 'isText'>>(told: T): T {
  // In a world of texts these settings are the file's own.
  if (told.isText) return told;
  const ofAll = decodingSettings.map(({ key }) => key);
  return { ...told, settings: told.settings.filter(({ key }) => !ofAll.includes(key)) };
}

/** Characters of JSON of an episode's scenes: the page takes them in one short task. */
const MOST_DRAWN = 2_000_000;

/** Scenes of an episode as they can be sent. Throws WorldError where they are too many or too large. */
export function sendableScenes(scenes: readonly Scene[]): readonly Scene[] {
  const { length } = JSON.stringify(scenes);
  if (length <= MOST_DRAWN) return scenes;
  const most = `${MOST_DRAWN / 1e6} million`;
  return refuse(`draw() gives ${Math.ceil(length / 1e6)} million characters in an episode, of at most ${most}`);
}

/** Throws LabError where the world itself cannot be made; what goes wrong in the episode is told with it. */
export function playEpisode(tried: TriedWorld, episode: Episode): WorkshopEpisode {
  const { text, settings } = withKnownSettings(tried);
  const world = ownWorld(text, settings);
  const { description, maxTurns, hasHeldOut } = world;
  const task = Int32Array.of(episode.task, world.hasHeldOut && episode.split === 'held-out' ? 1 : 0);
  const slots = world.createWorld(1);
  const [turns, tokens, roles]: [PlayedTurn[], number[], number[]] = [[], [], []];
  let said: SaidWord[] = [];
  const emit = (token: number, role: Role): boolean => {
    said.push({ word: world.words[token] ?? '?', role });
    roles.push(ROLE[role]);
    return tokens.push(token) > 0;
  };
  let whole = 0;
  const close = (action: readonly string[] | null): void => {
    whole = tokens.length;
    const floor = action === null ? Number.NaN : slots.entropyFloor(0);
    turns.push({ action, said, reward: slots.reward(0), floor: Number.isNaN(floor) ? null : floor });
    said = [];
  };
  let mistake: WorldMistake | null = null;
  try {
    slots.reset(0, task, { emit });
    close(null);
    const choose = chooser(world, slots, episode);
    const think = thinker(world, slots, episode);
    while (!slots.isDone(0)) {
      const action = choose(turns.length - 1);
      if (action === null) break;
      for (const token of think(turns.length - 1)) emit(token, 'thought');
      for (const token of action) emit(token, 'action');
      slots.step(0, action, { emit });
      close(wordsOf(world, action));
    }
  } catch (cause) {
    mistake = mistakeOf(cause, text);
  }
  // A call that used up its time would do so again.
  const isExhausted = mistake?.isExhausting === true;
  const drawn = isExhausted
    ? { scenes: [], mistake: null }
    : drawnScenes(world, task, tokens.slice(0, whole), roles.slice(0, whole));
  const isDone = turns.length > 0 && slots.isDone(0);
  const set = turns.length === 0 || isDone ? undefined : description.sets[slots.state(0).set];
  return {
    turns,
    scenes: drawn.scenes,
    isText: description.text !== null,
    legal: description.text !== null ? [] : (set?.tokens.map((token) => world.words[token] ?? '?') ?? []),
    most: set?.most ?? 1,
    expert: set === undefined || isExhausted ? null : adviceOf(world, slots),
    hasExpert: slots.expert !== undefined,
    hasHeldOut,
    maxTurns,
    isDone,
    isSuccess: turns.length > 0 && slots.isSuccess(0),
    mistake: mistake ?? drawn.mistake,
  };
}

type Slots = ReturnType<OwnWorld['createWorld']>;

const wordsOf = (world: OwnWorld, action: readonly number[]): string[] =>
  world.description.text !== null ? [world.description.text.textOf(action)] : listedWords(world, action);

const listedWords = (world: OwnWorld, action: readonly number[]): string[] =>
  action.filter((token) => token !== world.stopToken).map((token) => world.words[token] ?? '?');

/** The action of a turn, from 0, as tokens; null where the player has none. */
function chooser(world: OwnWorld, slots: Slots, { task, player, actions }: Episode): (turn: number) => number[] | null {
  const random = new RandomStream(0x706c6179, task >>> 0, 0, 0, 0);
  return (turn) => {
    const given = actions[turn];
    if (given !== undefined) return tokensOf(world, slots, given);
    if (turn < actions.length || player === 'hand') return null;
    if (player === 'expert') return slots.expert === undefined ? null : [...slots.expert(0)];
    return drawAction(world, slots, 0, random);
  };
}

/** Thoughts before the action of a turn; none before actions that were given. */
function thinker(
  world: OwnWorld,
  slots: Slots,
  { task, player, actions }: Episode,
): (turn: number) => readonly number[] {
  const random = new RandomStream(0x7468696e, task >>> 0, 0, 0, 0);
  return (turn) => {
    if (turn < actions.length || player === 'hand') return [];
    return player === 'expert' ? expertThoughts(world, slots, 0) : drawThoughts(world, slots, 0, random);
  };
}

/** An action told in words; null where the state does not take it. */
function tokensOf({ description, stopToken }: OwnWorld, slots: Slots, words: readonly string[]): number[] | null {
  const { text } = description;
  if (text !== null) {
    const typed = text.typed(words.join(' '));
    return typed.length === 0 ? null : [...typed];
  }
  const { tokens, most } = description.sets[slots.state(0).set];
  const action = words.map((word) => description.tokens.get(word) ?? -1);
  const isLegal =
    action.length <= most && (most > 1 || action.length === 1) && action.every((one) => tokens.includes(one));
  if (!isLegal) return null;
  return most > 1 ? [...action, stopToken] : action;
}

/** The expert's next action; null where there is none, or it errs: that is for the checks to say. */
function adviceOf(world: OwnWorld, slots: Slots): string[] | null {
  try {
    return slots.expert === undefined ? null : wordsOf(world, slots.expert(0));
  } catch {
    return null;
  }
}

function drawnScenes(
  world: OwnWorld,
  task: Int32Array,
  tokens: readonly number[],
  roles: readonly number[],
): { scenes: readonly Scene[]; mistake: WorldMistake | null } {
  try {
    return { scenes: tokens.length === 0 ? [] : sendableScenes(world.scenes(task, tokens, roles)), mistake: null };
  } catch (cause) {
    return { scenes: [], mistake: mistakeOf(cause, world.text) };
  }
}

/** An error that was thrown, in words with its place. */
export function mistakeOf(cause: unknown, text: string): WorldMistake {
  const error = cause instanceof WorldError ? placed(cause, text) : asLabError(cause);
  const { line, column, isExhausting } = error instanceof WorldError ? error : { ...NOWHERE, isExhausting: false };
  return { code: error.code, text: error.what, advice: error.advice, line, column, isExhausting };
}
