/**
 * Check of a user's world: it is tried for all that holds of the lab's own worlds, and the results are said in words.
 * Everything is drawn from fixed seeds, so a file gets the same answers everywhere.
 */

import { asLabError, excerpt } from '../../../foundation/errors';
import { RandomStream } from '../../../foundation/philox';
import type { EnvironmentSetting, EnvironmentSettings } from '../../environment';
import { drawAction, SILENT } from '../../replay';
import { cutOff } from '../extent';
import { isOwnModel } from '../own';
import { fileOf, OwnWorld, ownWorld } from '../world';
import { Evidence, type PlayedOnce } from './evidence';
import { NOWHERE, WorldError } from './failure';
import { placed, placeOfField } from './place';

/** One thing that was looked at. `ok` is null where it is only told. */
export interface WorldCheck {
  readonly id:
    | 'file'
    | 'fields'
    | 'same'
    | 'apart'
    | 'words'
    | 'bounds'
    | 'floor'
    | 'random'
    | 'expert'
    | 'thoughts'
    | 'answer'
    | 'drawing';
  readonly ok: boolean | null;
  readonly text: string;
  /** Place in the file, from 1; 0 where there is none. */
  readonly line: number;
  readonly column: number;
}

export interface WorldReport {
  /** Title; empty where the file cannot be read. */
  readonly title: string;
  readonly summary: string;
  readonly isText: boolean;
  readonly settings: readonly EnvironmentSetting[];
  readonly words: number;
  /** Longest episode, in tokens. */
  readonly context: number;
  readonly randomSuccess: number | null;
  readonly expertSuccess: number | null;
  readonly checks: readonly WorldCheck[];
}

/** Function of the file that a check which does not hold is about. */
const ABOUT: Partial<Readonly<Record<WorldCheck['id'], string>>> = {
  same: 'step',
  apart: 'start',
  floor: 'step',
  random: 'step',
  expert: 'expert',
  thoughts: 'think',
  answer: 'answer',
  drawing: 'draw',
};

/** Episodes that are played a second time, without memory. */
const REPLAYED = 24;
/** Episodes of an expert that always succeeds, and of one whose success is partly chance. */
const EXPERT_EPISODES = { sure: 64, unsure: 256 };
const TASKS = 200;
/** Episodes whose drawings are checked. */
const DRAWN = 4;

/** Looks at a text; the sandbox must be open. Pauses after every episode, of which it plays `episodes` at random. */
export function* checkWorld(
  text: string,
  settings: EnvironmentSettings = {},
  episodes = 1000,
): Generator<undefined, WorldReport> {
  const checks: WorldCheck[] = [];
  const note = (id: WorldCheck['id'], ok: boolean | null, said: string): void => {
    const { line, column } = ok === false ? placeOfField(ABOUT[id] ?? '', text) : NOWHERE;
    checks.push({ id, ok, text: said, line, column });
  };
  let report = {
    ...{ title: '', summary: '', isText: false, words: 0, context: 0 },
    settings: [] as readonly EnvironmentSetting[],
  };
  let [randomSuccess, expertSuccess]: (number | null)[] = [null, null];
  try {
    const { title, summary, isText, settings: known, strange } = fileOf(text);
    for (const said of strange) {
      const { what, line, column } = placed(new WorldError(NOWHERE, '', { what: said }), text);
      checks.push({ id: 'fields', ok: false, text: what, line, column });
    }
    report = { ...report, title, summary, isText, settings: known };
    const world = ownWorld(text, settings);
    const { words, context, maxTurns } = world;
    report = { ...report, words: words.length, context };
    const written =
      world.model === undefined
        ? `It has ${words.length} words, among them those of actions and some of the lab’s own`
        : `It is read and written as text, in ${words.length} pieces of ${isOwnModel(world.model) ? 'your model' : world.model}`;
    note('file', true, `${written}; an episode has at most ${maxTurns} turns and ${context} tokens.`);
    const evidence = new Evidence(world);
    const random = new RandomStream(0x63686563, 0, 0, 0, 0);
    const randomly = (): ReturnType<Evidence['play']> =>
      evidence.play(world.drawTask(random), (one) => drawAction(world, one, 0, random));
    const first = [];
    let solved = 0;
    for (let episode = 0; episode < episodes; episode++) {
      const played = randomly();
      if (episode < REPLAYED) first.push(played);
      if (played.success) solved++;
      yield;
    }
    randomSuccess = solved / episodes;
    const again = new Evidence(new OwnWorld(text, world.settings));
    const differing = first.reverse().find(({ task, actions, portrait }) => {
      const left = [...actions];
      return again.play(task, () => left.shift() ?? []).portrait !== portrait;
    });
    note(
      'same',
      differing === undefined,
      differing === undefined
        ? 'The same task and actions give the same words and rewards.'
        : 'The same task and actions gave other words or rewards a second time: some function remembers something between calls.',
    );
    yield;
    note('apart', ...apartness(world));
    yield;
    note('words', ...evidence.words());
    note('bounds', ...evidence.bounds());
    note('floor', ...evidence.floors());
    const examined = world.hasHeldOut ? yield* heldOutSuccess(world, evidence, episodes) : null;
    note('random', randomSuccess < 1, randomWords(randomSuccess, examined, episodes));
    if (world.description.has.has('expert')) {
      let [played, won] = [0, 0];
      while (played < (won === played ? EXPERT_EPISODES.sure : EXPERT_EPISODES.unsure)) {
        const { success } = evidence.play(world.drawTask(random), (one) => one.expert?.(0) ?? []);
        played++;
        if (success) won++;
        yield;
      }
      expertSuccess = won / played;
      const wins = expertSuccess > 0 && expertSuccess >= randomSuccess;
      note('expert', wins, `The expert succeeds in ${share(expertSuccess)} of episodes.`);
    } else
      note(
        'expert',
        null,
        `There is no expert: no warm start from its demonstrations${world.model === undefined ? ', and no place in a mixture' : ''}.`,
      );
    if (world.thoughts !== undefined) note('thoughts', ...thoughtfulness(world, random));
    if (world.answer !== undefined) note('answer', ...answerability(world, random));
    note('drawing', ...drawability(world, first.slice(0, DRAWN)));
  } catch (cause) {
    const error = cause instanceof WorldError ? placed(cause, text) : asLabError(cause);
    const { line, column } = error instanceof WorldError ? error : { line: 0, column: 0 };
    checks.push({ id: 'file', ok: false, text: error.what, line, column });
  }
  return { ...report, randomSuccess, expertSuccess, checks };
}

/** Thoughts, which readDescription has checked already; those of the expert are asked for in the first state of some tasks. */
function thoughtfulness(world: OwnWorld, random: RandomStream): readonly [ok: boolean | null, text: string] {
  const { thoughts } = world.description;
  if (thoughts === null) return [null, 'There are no thoughts.'];
  const slots = world.createWorld(1);
  for (let task = 0; task < EXPERT_EPISODES.sure && slots.thinks !== undefined; task++) {
    slots.reset(0, world.drawTask(random), SILENT);
    slots.thinks(0);
  }
  const said = `Before each action up to ${thoughts.most} of ${thoughts.tokens.length} words are thought, until “${world.words[thoughts.end]}”`;
  return [true, `${said}; ${slots.thinks === undefined ? 'the expert thinks of nothing' : 'the expert thinks, too'}.`];
}

/** Right answers to some tasks, said at once where that is legal: one that never succeeds is no answer. */
function answerability(world: OwnWorld, random: RandomStream): readonly [ok: boolean, text: string] {
  const slots = world.createWorld(1);
  let [told, said, right] = [0, 0, 0];
  for (let draw = 0; draw < EXPERT_EPISODES.sure; draw++) {
    const task = world.drawTask(random);
    const answer = world.answer?.(task) ?? null;
    if (answer === null) continue;
    told++;
    slots.reset(0, task, SILENT);
    const legal = world.legalSets[slots.legalSet(0) - 1];
    if (answer.some((token) => legal?.includes(token) === false)) continue;
    said++;
    slots.step(0, answer, SILENT);
    if (slots.isSuccess(0)) right++;
  }
  const known = `The right answer is told for ${told} of ${EXPERT_EPISODES.sure} tasks`;
  if (said === 0) return [told > 0, `${known}; it cannot be said at once.`];
  return [right > 0, `${known}; said at once it succeeds in ${share(right / said)}.`];
}

/** Draws these episodes. Throws WorldError where something is no drawing. */
function drawability(world: OwnWorld, episodes: readonly PlayedOnce[]): readonly [ok: boolean, text: string] {
  const scenes = episodes.flatMap(({ task, tokens, roles }) => world.scenes(task, tokens, roles));
  for (const scene of scenes) {
    const complaint = scene.kind === 'drawing' && scene.drawing.kind === 'shapes' ? cutOff(scene.drawing) : null;
    if (complaint !== null) return [false, complaint];
  }
  return [true, world.description.has.has('draw') ? 'Its drawings can be drawn.' : 'The conversation is drawn.'];
}

const share = (value: number): string => `${(100 * value).toFixed(1)}%`;

/** Share of held-out tasks that a random policy solves, of a quarter as many episodes as in training. Pauses after each. */
function* heldOutSuccess(world: OwnWorld, evidence: Evidence, episodes: number): Generator<undefined, number> {
  const random = new RandomStream(0x68656c64, 0, 0, 0, 0);
  const tries = Math.ceil(episodes / 4);
  let solved = 0;
  for (let episode = 0; episode < tries; episode++) {
    const task = world.drawTask(random, 'held-out');
    if (evidence.play(task, (one) => drawAction(world, one, 0, random)).success) solved++;
    yield;
  }
  return solved / tries;
}

/** `examined`: success on held-out tasks, told where it differs by more than three standard errors; null without them. */
function randomWords(success: number, examined: number | null, episodes: number): string {
  if (success === 1) return 'A random policy always succeeds: there is nothing to learn.';
  const spread = 3 * Math.sqrt((success * (1 - success)) / episodes + 1 / (4 * episodes));
  const differs = examined !== null && Math.abs(examined - success) > spread;
  const rate =
    `A random policy succeeds in ${share(success)} of ${episodes.toLocaleString('en')} episodes` +
    (differs ? `, on held-out tasks in ${share(examined)}` : '');
  return success === 0 ? `${rate}: success may be too rare to be found by chance.` : `${rate}.`;
}

/** True if no held-out task begins as a training task does. */
function apartness(world: OwnWorld): readonly [ok: boolean | null, text: string] {
  if (!world.hasHeldOut) return [null, 'No tasks are held out.'];
  const beginnings = (split: 'train' | 'held-out'): Map<string, string> => {
    const random = new RandomStream(0x61706172, 0, 0, 0, 0);
    return new Map(Array.from({ length: TASKS }, () => world.beginning(world.drawTask(random, split))));
  };
  const [trained, held] = [beginnings('train'), beginnings('held-out')];
  const both = [...held].find(([state]) => trained.has(state));
  if (both === undefined) {
    const seen = `${trained.size + held.size} different tasks were seen in ${2 * TASKS} draws`;
    return [true, `${seen}: ${trained.size} for training, ${held.size} held out; none is in both.`];
  }
  const words = `A held-out task begins exactly as one of training (“${excerpt(both[1], 60)}”)`;
  return [false, `${words}: tasks differ in something that start() leaves out.`];
}
