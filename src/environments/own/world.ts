/** A user's world as an environment: its text runs in the sandbox, the lab keeps the episodes. */
import type { RandomStream } from '../../foundation/philox';
import { type Decoding, readDecoding } from '../decoding';
import type { Environment, EnvironmentSettings, Split, TextWorld, Thoughts } from '../environment';
import { actionsOf, SILENT, simulateRandomSuccess, turnsOf } from '../replay';
import type { Scene, StoryScene } from '../scene';
import { writtenIn } from '../written';
import { completeSettings, describeFile, type FileDescription } from './described';
import { type Description, longestOf, readDescription } from './description';
import { conversation, ownScene } from './drawing';
import { WorldError } from './examine/failure';
import { measuredTexts } from './examine/measured';
import { withPlace } from './examine/place';
import { LONGEST_WORLD } from './limits';
import { isOwnModel, MODEL_KEY } from './own';
import { refuse } from './reading';
import { Guest } from './sandbox';
import { OwnSlots } from './slots';
import { answerTokens } from './text/said';
import type { TextForm } from './text/textForm';
import { USUAL_MODEL } from './text/tokenizers';
import { Transitions } from './transitions';

/** Simulated episodes behind the random policy's success. */
const SIMULATED_EPISODES = 1000;

/** Descriptions of files, or what is wrong with them: read once for each text. */
const files = new Map<string, FileDescription | WorldError>();
/** Worlds that were made last, with their memory of transitions, by text and settings. */
const worlds = new Map<string, OwnWorld>();
const MOST_KEPT = 8;

/** Title, summary and settings of a world's text. Throws WorldError. */
export function fileOf(text: string): FileDescription {
  const known = files.get(text) ?? kept(files, text, readFile(text));
  if (known instanceof WorldError) throw known;
  return known;
}

function readFile(text: string): FileDescription | WorldError {
  const guest = new Guest(text, null);
  try {
    return withPlace(text, () => {
      if (text.length > LONGEST_WORLD) refuse(`A world may have at most ${LONGEST_WORLD} characters`);
      return describeFile(guest);
    });
  } catch (cause) {
    if (cause instanceof WorldError) return cause;
    throw cause;
  } finally {
    guest.close();
  }
}

/** The world of a text with these settings; the others have their defaults. Throws LabError. */
export function ownWorld(text: string, given: EnvironmentSettings): OwnWorld {
  const file = fileOf(text);
  const { [MODEL_KEY]: model = USUAL_MODEL, ...others } = given;
  const settings = file.isText
    ? { ...completeSettings(file, others), [MODEL_KEY]: String(model) }
    : completeSettings(file, isOwnModel(model) ? others : given);
  const key = `${JSON.stringify(settings)}\n${text}`;
  return worlds.get(key) ?? kept(worlds, key, new OwnWorld(text, settings));
}

function kept<T>(all: Map<string, T>, key: string, made: T): T {
  const oldest = all.keys().next().value;
  if (all.size >= MOST_KEPT && oldest !== undefined) all.delete(oldest);
  all.set(key, made);
  return made;
}

export class OwnWorld implements Environment {
  readonly words: readonly string[];
  readonly kinds: readonly string[];
  readonly context: number;
  readonly maxTurns: number;
  readonly maxActionTokens: number;
  readonly stopToken: number;
  readonly stopTokens?: readonly number[];
  readonly actionLength?: NonNullable<Environment['actionLength']>;
  readonly model?: string;
  readonly writing?: TextForm;
  readonly texts?: TextWorld;
  readonly maxObservationTokens: number;
  readonly legalSets: readonly (readonly number[])[];
  readonly toolWords: readonly number[];
  readonly thoughts?: Thoughts;
  readonly hasHeldOut: boolean;
  readonly answer?: NonNullable<Environment['answer']>;
  readonly milestoneWords?: string;
  readonly asks: string;
  readonly simulatedEpisodes = SIMULATED_EPISODES;
  readonly text: string;
  readonly settings: EnvironmentSettings;
  readonly description: Description;
  readonly #decoding: Decoding;
  readonly #transitions: Transitions;
  #randomSuccess: number | null = null;

  /** `settings` are complete. */
  constructor(text: string, settings: EnvironmentSettings) {
    this.text = text;
    this.asks = fileOf(text).summary;
    this.settings = settings;
    const file = fileOf(text);
    const own = Object.fromEntries(file.settings.map(({ key }) => [key, settings[key]]));
    const line = JSON.stringify(own);
    const guest = new Guest(text, ['create', line]);
    const model = file.isText ? String(settings[MODEL_KEY]) : null;
    const description = withPlace(text, () => readDescription(guest.value('create', line), model));
    const { words, kinds, sets, stopToken, toolWords, thoughts, maxTurns, longest, heldOut } = description;
    this.description = description;
    this.#decoding = readDecoding(settings);
    this.#transitions = new Transitions(guest, description);
    this.words = words;
    this.kinds = kinds;
    this.maxTurns = maxTurns;
    this.stopToken = stopToken;
    this.toolWords = toolWords;
    this.maxActionTokens = Math.max(...sets.map((set) => longestOf(set, stopToken)));
    this.maxObservationTokens = longest.answer;
    this.context = 1 + longest.prompt + maxTurns * ((thoughts?.most ?? 0) + this.maxActionTokens + longest.answer);
    const actions = sets.map((set) => (longestOf(set, stopToken) > set.most ? [...set.tokens, stopToken] : set.tokens));
    this.legalSets = thoughts === null ? actions : [...actions, thoughts.tokens];
    if (thoughts !== null) this.thoughts = { legalSet: actions.length + 1, most: thoughts.most, end: thoughts.end };
    const { text: form } = description;
    if (form !== null) {
      const { model, stops, actionLength } = form;
      this.model = model;
      this.writing = form;
      this.texts = measuredTexts(form);
      this.stopTokens = stops;
      if (actionLength !== null) this.actionLength = actionLength;
    }
    this.hasHeldOut = heldOut > 0;
    if (description.milestones !== null) this.milestoneWords = description.milestones;
    if (description.has.has('answer')) this.answer = (task) => this.#answerTo(task);
  }

  /** Lines that the sandbox has been asked so far. */
  get asked(): number {
    return this.#transitions.asked;
  }

  get randomSuccess(): number {
    this.#randomSuccess ??= simulateRandomSuccess(this, SIMULATED_EPISODES);
    return this.#randomSuccess;
  }

  /** A task is [seed, 1 if held out]; the world draws it from the seed, on its side of the split. */
  drawTask(random: RandomStream, split: Split = 'train'): Int32Array {
    return Int32Array.of(random.bits(), this.hasHeldOut && split === 'held-out' ? 1 : 0);
  }

  /** Text of the state in which a task begins, and its prompt. */
  beginning(task: Int32Array): [state: string, prompt: string] {
    const { state, prompt } = this.#transitions.begin(task[0] >>> 0, task[1] === 1);
    const { text } = this.description;
    return [state.text, text?.textOf(prompt) ?? prompt.map((token) => this.words[token] ?? '?').join(' ')];
  }

  #answerTo(task: Int32Array): readonly number[] | null {
    const { state } = this.#transitions.begin(task[0] >>> 0, task[1] === 1);
    return withPlace(this.text, () => answerTokens(this.#transitions.tell('answer', state), this.description));
  }

  createWorld(slots: number): OwnSlots {
    return new OwnSlots(slots, this.#transitions, this.description, this.#decoding);
  }

  scenes(task: Int32Array, tokens: ArrayLike<number>, roles: ArrayLike<number>): readonly Scene[] {
    const { text } = this.description;
    if (text !== null) return this.#textScenes(text, task, tokens, roles);
    const world = this.createWorld(1);
    const said: string[] = [];
    const emit = (token: number): boolean => said.push(this.words[token] ?? '?') > 0;
    const draw = (action: string | null): Scene =>
      withPlace(this.text, () => ownScene(...this.#drawn(world), conversation(said), action));
    world.reset(0, task, { emit });
    const scenes = [draw(null)];
    const wordsOf = (drawn: readonly number[]): string[] =>
      drawn.filter((token) => token !== this.stopToken).map((token) => this.words[token] ?? '?');
    const turns = turnsOf(roles);
    for (const [turn, action] of actionsOf(tokens, roles).entries()) {
      if (world.isDone(0)) break;
      const { begin, action: acted } = turns[turn];
      const thought = wordsOf(Array.from({ length: acted - begin }, (_, i) => tokens[begin + i]));
      if (thought.length > 0) said.push(`(${thought.join(' ')})`);
      const words = wordsOf(action);
      said.push(`› ${words.join(' ')}`);
      world.step(0, action, { emit });
      scenes.push(draw(words.join(' ')));
    }
    return scenes;
  }

  /** Answers of draw() and probe() about slot 0; null of a function that is not there. */
  #drawn(world: OwnSlots): [drawing: unknown, probe: unknown] {
    const tell = (name: 'draw' | 'probe'): unknown =>
      this.description.has.has(name) ? this.#transitions.tell(name, world.state(0)) : null;
    return [tell('draw'), tell('probe')];
  }

  /** A world of texts that draws nothing is a book: what was said and what was answered, line by line. */
  #textScenes(form: TextForm, task: Int32Array, tokens: ArrayLike<number>, roles: ArrayLike<number>): Scene[] {
    const world = this.createWorld(1);
    const lines: StoryScene['lines'][number][] = [];
    const textOf = (of: readonly number[]): string => form.textOf(of);
    const turns = turnsOf(roles);
    const begins = writtenIn(tokens, 0, turns[0]?.begin ?? tokens.length, textOf);
    world.reset(0, task, SILENT);
    const draw = (action: string | null): Scene =>
      withPlace(this.text, () => ownScene(...this.#drawn(world), { kind: 'story', begins, lines: [...lines] }, action));
    const scenes = [draw(null)];
    for (const { begin, action, answer, end } of turns) {
      if (world.isDone(0)) break;
      const before = world.reward(0);
      const drawn = Array.from({ length: answer - action }, (_, i) => tokens[action + i]);
      world.step(0, drawn, SILENT);
      lines.push({ who: 'agent', ...writtenIn(tokens, begin, answer, textOf), counts: world.reward(0) > before });
      if (end > answer) lines.push({ who: 'listener', ...writtenIn(tokens, answer, end, textOf), counts: false });
      // A long text is told by the picture itself.
      scenes.push(draw(this.description.has.has('draw') ? form.textOf(drawn).trim() : null));
    }
    return scenes;
  }
}
