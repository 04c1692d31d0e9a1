/**
 * Worker that plays worlds which people wrote: it tries the text on the desk, and describes and draws others. A text that never
 * ends cannot stop the page, which ends this Worker from outside. Answers come at once; checks go on between messages until others
 * are asked for.
 */
import '../../../foundation/policedWorkers';
import { asLabError } from '../../../foundation/errors';
import { onPulse } from '../../../foundation/pulse';
import type { Environment, EnvironmentSettings, Exhibit } from '../../environment';
import { errorScene, exhibit } from '../../exhibit';
import { findEnvironment } from '../../registry';
import { randomSuccesses } from '../../replay';
import { checkWorld } from '../examine/check';
import { factsOf, type WorldFacts } from '../examine/facts';
import { ranFor } from '../examine/failure';
import { placeOfField } from '../examine/place';
import { openWorlds } from '../here';
import { describeWorld } from '../named';
import { own, WORLD_KEY } from '../own';
import { textFor } from '../shipped';
import { isSpoken } from '../text/spokenFile';
import { readTokenizer } from '../text/tokenizers';
import type {
  TriedWorld,
  WorkshopAnswer,
  WorkshopEvent,
  WorkshopQuestion,
  WorkshopRequest,
  WorldCall,
  WorldMistake,
  WorldSetup,
} from './asked';
import { mistakeOf, playEpisode, sendable, sendableScenes, withKnownSettings } from './play';

const post = (event: WorkshopEvent): void => self.postMessage(event);

const EPISODES = 1000;
/** Milliseconds of the checks before messages are looked at. */
const SLICE = 25;
/** Milliseconds of looking for the random policy's success, other requests among them. */
const LONGEST_GUESS = 20_000;

/** Id of the checks under way; −1 for none. */
let wanted = -1;

type Asked<T extends WorkshopQuestion = WorkshopQuestion> = T & { readonly id: number };

/** Work on a request begins, or goes on. A call may never come back, so the page hears of each before it begins. */
function begin(request: Asked): void {
  const { id } = request;
  post({ type: 'calls', id, call: null });
  onPulse((command) => {
    if (command !== null) post({ type: 'calls', id, call: callOf(command, textOf(request)) });
  });
}

function textOf(question: WorkshopQuestion): string {
  if ('text' in question) return question.text;
  const world = 'place' in question ? question.place.world : question.world;
  return isSpoken(world) ? '' : textFor(world);
}

function callOf(command: string, text: string): WorldCall {
  const said = ranFor(command);
  const [, field = ''] = /^(\w+)\(\)/.exec(said) ?? [];
  return { said, ...placeOfField(field, text) };
}

/** A text that cannot be read has no settings; its check says why. */
function known(tried: TriedWorld): TriedWorld {
  try {
    return withKnownSettings(tried);
  } catch {
    return { ...tried, settings: {} };
  }
}

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Result of work that pauses after every episode; null once `goesOn`, told the episodes so far between slices, is false. */
async function inSlices<T>(
  request: Asked,
  work: Generator<undefined, T>,
  goesOn: (episodes: number) => boolean,
): Promise<T | null> {
  for (let episodes = 1, end = performance.now() + SLICE; ; episodes++) {
    const { done, value } = work.next();
    if (done === true) return value;
    // The first episode shows that the file can be read, which is told at once.
    if (episodes > 1 && performance.now() < end) continue;
    post({ type: 'waits', id: request.id });
    await nextTask();
    if (!goesOn(episodes)) return null;
    // A text may have broken the sandbox.
    await openWorlds();
    begin(request);
    end = performance.now() + SLICE;
  }
}

async function check(request: Asked<Extract<WorkshopQuestion, { type: 'check' }>>): Promise<void> {
  const { id } = request;
  wanted = id;
  const { text, settings } = known(request);
  const report = await inSlices(request, checkWorld(text, settings, EPISODES), (episodes) => {
    if (wanted === id) post({ type: 'checking', id, share: Math.min(1, episodes / EPISODES) });
    return wanted === id;
  });
  if (report !== null) post({ type: 'checked', id, report: sendable(report) });
}

/** Success of the random policy; null where nothing tells it, or it would take too long. */
async function guess(request: Asked<Extract<WorkshopQuestion, { type: 'guess' }>>): Promise<void> {
  const environment = made(request.place);
  const { simulatedEpisodes } = environment;
  const until = performance.now() + LONGEST_GUESS;
  const success =
    simulatedEpisodes === undefined
      ? environment.randomSuccess
      : await inSlices(request, randomSuccesses(environment, simulatedEpisodes), () => performance.now() < until);
  post({ type: 'guessed', id: request.id, success });
}

/** Throws LabError where these settings make no such environment. */
function made({ id, settings }: Pick<WorldSetup, 'id' | 'settings'>): Environment {
  const definition = findEnvironment(id);
  if (definition === undefined) throw new Error(`There is no environment ${id}.`);
  return definition.create(settings);
}

/** The exhibit, with a picture of the fault in place of scenes that cannot be sent. */
function shownOf(shown: Exhibit): Exhibit {
  try {
    return { ...shown, scenes: sendableScenes(shown.scenes) };
  } catch (cause) {
    return { ...shown, scenes: [errorScene(asLabError(cause))] };
  }
}

function factsIn(world: string, settings: EnvironmentSettings): WorldFacts | WorldMistake {
  try {
    return factsOf(made({ id: own.id, settings: { ...settings, [WORLD_KEY]: world } }));
  } catch (cause) {
    return mistakeOf(cause, '');
  }
}

type Distributed<T> = T extends unknown ? Omit<T, 'id'> : never;

function answerTo(question: Exclude<WorkshopQuestion, { type: 'check' | 'guess' }>): Distributed<WorkshopAnswer> {
  switch (question.type) {
    case 'play':
      return { type: 'played', played: playEpisode(question, question.episode) };
    case 'describe': {
      const { world, settings } = question;
      return { type: 'described', file: sendable(describeWorld(world)), facts: factsIn(world, settings) };
    }
    case 'exhibit':
      return { type: 'exhibited', exhibit: shownOf(exhibit(made(question.place))) };
    case 'draw': {
      const { task, tokens, roles } = question.episode;
      return { type: 'drawn', scenes: sendableScenes(made(question.place).scenes?.(task, tokens, roles) ?? []) };
    }
  }
}

async function answer(request: WorkshopRequest): Promise<void> {
  if (request.type === 'rest') {
    wanted = -1;
    return;
  }
  const { id, tokenizer } = request;
  await openWorlds();
  if (tokenizer !== undefined) await readTokenizer(tokenizer);
  begin(request);
  try {
    if (request.type === 'check') await check(request);
    else if (request.type === 'guess') await guess(request);
    else post({ id, ...answerTo(request) } as WorkshopAnswer);
  } catch (cause) {
    post({ type: 'mistaken', id, mistake: mistakeOf(cause, request.type === 'play' ? request.text : '') });
  }
}

self.onmessage = ({ data }: MessageEvent<WorkshopRequest>) => {
  answer(data).catch((cause: unknown) => post({ type: 'failed', text: asLabError(cause).message }));
};
