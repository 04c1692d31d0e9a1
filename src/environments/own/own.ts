/**
 * A world in one file, written by whoever wants to: its text is a setting, and the rest of its settings are its own
 * (docs/worlds.md). The sandbox that it runs in is loaded when one is first needed: `openWorlds` before `create`.
 */
import { LabError } from '../../foundation/errors';
import type { EnvironmentDefinition, EnvironmentSettings } from '../environment';
import { withInstances } from '../instances';

/** Key of the setting that is the world's text, or `@` and the name of one that comes with the lab. */
export const WORLD_KEY = 'world';

export { LONGEST_WORLD } from './limits';

/** True for the name of a world that comes with the lab. */
const isShipped = (world: string): boolean => world.startsWith('@');

const KEY = /^[a-z][A-Za-z0-9]{0,23}$/;

export const own: EnvironmentDefinition = {
  id: 'own',
  title: 'A world of one’s own',
  summary: 'Do what a world asks that somebody wrote in one file.',
  settings: [],
  isFurther: (key) => KEY.test(key),
  create({ [WORLD_KEY]: text, ...settings }) {
    if (typeof text !== 'string' || text === '') {
      throw new LabError('invalid-experiment', 'There is no text of a world.', 'Give one: lab run --world FILE.');
    }
    const there = madeFor(text);
    if (there === null) {
      const advice = 'Wait until it is loaded.';
      throw new LabError('invalid-world', 'The sandbox that worlds run in is not loaded yet.', advice);
    }
    const { ownWorld, textFor, fileOf } = there;
    const wrong = verdicts.get(text);
    if (wrong) throw wrong;
    const world = textFor(text);
    return withInstances(fileOf(world), settings, (own) => ownWorld(world, own));
  },
  describe({ [WORLD_KEY]: text }) {
    const there = typeof text === 'string' && !verdicts.get(text) ? madeFor(text) : null;
    if (there === null) return null;
    try {
      return there.fileOf(there.textFor(String(text)));
    } catch {
      // Said when the world is made.
      return null;
    }
  },
};

type Made = Pick<typeof import('./world'), 'ownWorld' | 'fileOf'> &
  Pick<typeof import('./shipped'), 'textFor'> &
  Pick<typeof import('./sandbox'), 'isQuickJsOpen'> &
  Pick<typeof import('./allowance'), 'ration' | 'rationNothing'>;

/** Functions that are loaded with the sandbox; null before. */
let made: Made | null = null;

/** Functions for a text, as the setting has it; null before they are loaded, and where it has to be tried first. */
function madeFor(text: string): Made | null {
  if (made?.isQuickJsOpen() !== true) return null;
  return trial === null || isShipped(text) || verdicts.has(text) ? made : null;
}

/** A look at a text somewhere else: what is wrong with it, if it holds up whoever runs it. Rejects where it could not be tried. */
export type Trial = (text: string, settings: EnvironmentSettings) => Promise<LabError | null>;

/** Trial of texts in a thread that must not be held up; null in one that may be. */
let trial: Trial | null = null;
/** Verdicts of the trial, by text. */
const verdicts = new Map<string, LabError | null>();
/** Trials under way, by text. */
const trying = new Map<string, Promise<void>>();

let judged: (text: string) => void = () => {};

/** From now on this thread runs no foreign text that was not tried elsewhere, and none for long. `whenJudged` is called with each text after its verdict. */
export function tryWorldsFirst(by: Trial | null, whenJudged: typeof judged = () => {}): void {
  trial = by;
  judged = whenJudged;
  verdicts.clear();
  made?.rationNothing();
}

async function tryFirst(text: string, settings: EnvironmentSettings): Promise<void> {
  if (trial === null || isShipped(text) || verdicts.has(text)) return;
  const present = trying.get(text) ?? judge(text, trial(text, settings));
  trying.set(text, present);
  await present;
}

async function judge(text: string, verdict: Promise<LabError | null>): Promise<void> {
  try {
    verdicts.set(text, await verdict);
    made?.ration(text);
  } finally {
    trying.delete(text);
  }
  judged(text);
}

/** Loads the sandbox. Needed before an experiment with a world of one's own is checked or trained; cheap when it is there. */
export async function openWorlds(): Promise<void> {
  const [{ ownWorld, fileOf }, { textFor }, { openQuickJs, isQuickJsOpen }, { ration, rationNothing }] =
    await Promise.all([import('./world'), import('./shipped'), import('./sandbox'), import('./allowance')]);
  await openQuickJs();
  made = { ownWorld, fileOf, textFor, isQuickJsOpen, ration, rationNothing };
}

/** The same, and has this world tried where this thread asks for it. */
export async function openWorld(world: string, settings: EnvironmentSettings = {}): Promise<void> {
  await openWorlds();
  await tryFirst(world, settings);
}

/** True while a world can be made, or is known to hold up whoever makes it. */
export const isWorldOpen = (world: string): boolean => madeFor(world) !== null;
