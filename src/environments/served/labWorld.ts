/**
 * A world of the lab as OpenEnv sees one: words instead of tokens. An action is a text of words; the observation is what the
 * world says, and by request also each span's role (`segments`) and the legal actions (`legal_actions`).
 */

import { excerpt, LabError } from '../../foundation/errors';
import { RandomStream, STREAM } from '../../foundation/philox';
import { MALFORMED_WORD } from '../decoding';
import type { Environment, EnvironmentDefinition, EnvironmentSettings, SaidRole, Split } from '../environment';
import { definitionFor, environments } from '../registry';
import { longestAction, playedIn } from '../replay';
import { findAction } from './actions';
import type { Answer, Fields, Served, ServedEnvironment, Tasks } from './contract';
import { FIRST_WORD, type LabWorld, readme, SEGMENT, schemas, wordsOf } from './described';

/** Settings in which a world takes any word: what language models say is not held to legal ones. */
export const freely = ({ settings }: EnvironmentDefinition): EnvironmentSettings =>
  settings.some(({ key }) => key === 'decoding') ? { decoding: 'free' } : {};

/** A world, in words. Throws LabError for one that there is not. */
export function inWords(id: string, settings: EnvironmentSettings): LabWorld {
  const definition = definitionFor(id, settings);
  if (definition === undefined) {
    const known = Object.keys(environments).join(', ');
    throw new LabError(
      'invalid-experiment',
      `There is no environment called ${excerpt(id)}.`,
      `Choose one of: ${known}.`,
    );
  }
  const { title, summary } = definition;
  return { id, title, summary, environment: definition.create(settings) };
}

/** Tasks of each split that can be named; a task is its seed. */
const NAMED_TASKS = 1000;
/** Most legal actions that are listed in what is said. */
const MOST_SAID = 60;

export function labWorld(world: LabWorld): Served {
  const { id, environment } = world;
  return {
    name: id,
    metadata: {
      name: id,
      description: `${world.title}. ${world.summary}`,
      readme_content: readme(world),
      version: '1',
      author: null,
      documentation_url: null,
    },
    schema: schemas(environment),
    actionFields: ['text'],
    isForgiving: true,
    tasks: tasksOf(environment),
    create: () => new LabEpisodes(world),
  };
}

interface Span {
  readonly role: string;
  text: string;
  readonly tokens: number[];
}

/** Episodes of one client. */
class LabEpisodes implements ServedEnvironment {
  readonly #environment: Environment;
  readonly #summary: string;
  readonly #world;
  readonly #tokenOf: ReadonlyMap<string, number>;
  #said: Span[] = [];
  #tokens = 0;
  #isFull = false;
  #wants = { segments: false, legal: false, plain: false };
  #begun: { episodeId: string; seed: number; split: Split } | null = null;
  #steps = 0;
  #paid = 0;
  #isDone = false;

  constructor({ environment, summary }: LabWorld) {
    this.#environment = environment;
    this.#summary = summary;
    this.#world = environment.createWorld(1);
    this.#tokenOf = new Map(environment.words.map((word, token) => [word, token]));
  }

  reset(seed: number | string | null, episodeId: string | null, more: Fields): Answer {
    const split = readSplit(more.split, this.#environment);
    const number = seedOf(seed);
    const task = drawTask(this.#environment, number, split);
    this.#begun = { episodeId: episodeId ?? crypto.randomUUID(), seed: number, split };
    this.#wants = { segments: more.segments === true, legal: more.legal_actions === true, plain: more.plain === true };
    this.#steps = 0;
    this.#tokens = 0;
    this.#isFull = false;
    this.#isDone = false;
    this.#said = [];
    this.#world.reset(0, task, { emit: (token, role) => this.#hear(token, role) });
    this.#paid = this.#world.reward(0);
    const { writing } = this.#environment;
    if (writing !== undefined) this.#write((tokens) => writing.begun(tokens));
    // A text is gone on with: an instruction would be part of it.
    else if (!this.#wants.plain) this.#instruct(task);
    return { observation: this.#observation(), reward: null, done: false };
  }

  step(action: Fields): Answer {
    if (this.#begun === null) throw new Error('call reset before step');
    if (this.#isDone) throw new Error('the episode is over: call reset');
    const text = textOf(action);
    const { tokens, fault } = this.#read(text);
    this.#said = [];
    this.#steps++;
    const { maxTurns, writing } = this.#environment;
    // A trainer's own tokens fill its own context.
    if (writing === undefined) this.#tokens += tokens.length;
    this.#world.step(0, tokens, { emit: (token, role) => this.#hear(token, role) });
    if (writing !== undefined) this.#write((said) => writing.textOf(said));
    this.#isDone = this.#world.isDone(0) || this.#steps >= maxTurns || this.#isFull;
    const isMalformed = fault !== null || this.#said.some((span) => span.text.split(' ').includes(MALFORMED_WORD));
    if (isMalformed && !this.#wants.plain) this.#explain(fault ?? `“${excerpt(text)}” is no action now.`);
    const total = this.#world.reward(0);
    const reward = total - this.#paid;
    this.#paid = total;
    return { observation: this.#observation(), reward, done: this.#isDone };
  }

  state(): Fields {
    const { episodeId = null, seed = null, split = null } = this.#begun ?? {};
    const success = this.#begun === null ? null : this.#world.isSuccess(0);
    return { episode_id: episodeId, step_count: this.#steps, seed, split, done: this.#isDone, success };
  }

  /** Tokens of a text; with a fault those that every world takes for a malformed action: words that are none become padding. */
  #read(text: string): { tokens: readonly number[]; fault: string | null } {
    const { maxActionTokens, stopToken, thoughts, words, writing } = this.#environment;
    if (writing !== undefined) return { tokens: writing.typed(text), fault: null };
    const most = longestAction(this.#environment, this.#world, 0);
    const pieces = text.trim().split(/\s+/, (thoughts?.most ?? 0) + most + 1);
    const drawn = pieces.map((piece) => this.#tokenOf.get(piece) ?? 0);
    const end = thoughts === undefined ? 0 : drawn.slice(0, thoughts.most).indexOf(thoughts.end) + 1;
    let [tokens, fault]: [number[], string | null] = [drawn.slice(end), null];
    const isSpelled =
      !tokens.includes(0) && (maxActionTokens > 1 || tokens.length === 1) && !text.trim().includes('\n');
    if (!isSpelled && !this.#wants.plain) {
      const said = end > 0 ? pieces.slice(end).join(' ') : text;
      const form = { words: this.#legal(), most: Math.max(1, most - 1), stop: words[stopToken] };
      const found = findAction(said, form);
      if (typeof found === 'string') [tokens, fault] = [[0], found];
      else tokens = found.map((word) => this.#tokenOf.get(word) ?? 0);
    }
    if (maxActionTokens === 1) return { tokens: tokens.length === 1 ? tokens : [0], fault };
    const isStopped = tokens.includes(stopToken);
    return { tokens: [...tokens, ...(isStopped ? [] : [stopToken])].slice(0, most), fault };
  }

  #hear(token: number, role: SaidRole): boolean {
    if (this.#tokens >= this.#environment.context) {
      this.#isFull = true;
      return false;
    }
    this.#tokens++;
    if (token < FIRST_WORD && this.#environment.writing === undefined) return true;
    const word = this.#environment.words[token] ?? '';
    const last = this.#said.at(-1);
    if (last?.role === SEGMENT[role]) {
      last.text += ` ${word}`;
      last.tokens.push(token);
    } else this.#said.push({ role: SEGMENT[role], text: word, tokens: [token] });
    return true;
  }

  #write(textOf: (tokens: readonly number[]) => string): void {
    for (const span of this.#said) span.text = textOf(span.tokens);
  }

  /** Puts before the prompt: the task in language, the form of an action, and the number of turns. */
  #instruct(task: Int32Array): void {
    const { asks = this.#summary, maxTurns } = playedIn(
      this.#environment,
      this.#environment.environmentOf?.(task) ?? 0,
    );
    const form = `Answer with one action and nothing else, in at most ${maxTurns} turns. ${this.#tellLegal()}`;
    const first = this.#said[0];
    if (first === undefined) this.#said.push({ role: SEGMENT.prompt, tokens: [], text: `${asks}\n${form}` });
    else first.text = `${asks}\n${form}\n\n${first.text}`;
  }

  #explain(fault: string): void {
    const legal = this.#isDone ? '' : ` ${this.#tellLegal()}`;
    const warned = this.#said[0]?.text.split(' ').includes(MALFORMED_WORD) ? this.#said[0] : null;
    if (warned === null)
      this.#said.unshift({ role: SEGMENT.warning, tokens: [], text: `${MALFORMED_WORD}: ${fault}${legal}` });
    else warned.text += `: ${fault}${legal}`;
  }

  #tellLegal(): string {
    const words = this.#legal();
    const most = longestAction(this.#environment, this.#world, 0);
    const listed = words.slice(0, MOST_SAID).join(' ') + (words.length > MOST_SAID ? ' …' : '');
    return most === 1 ? `Legal now: ${listed}.` : `Legal now: up to ${most - 1} of these words: ${listed}.`;
  }

  #observation(): Fields {
    const isWritten = this.#environment.writing !== undefined;
    const segments = this.#said.map(({ role, text }) => ({ role, text }));
    return {
      text: segments.map(({ text }) => text).join(isWritten ? '' : ' '),
      ...(this.#wants.segments ? { segments } : {}),
      ...(this.#wants.legal ? { legal_actions: this.#isDone || isWritten ? [] : this.#legal() } : {}),
    };
  }

  /** Words that are legal now; for actions of several words those that they may contain. */
  #legal(): readonly string[] {
    return wordsOf(this.#environment, this.#world.legalSet(0));
  }
}

/** Words of an action: its text, or its only value where that has another name. Numbers are words here, too. */
function textOf({ metadata: _, ...action }: Fields): string {
  const values = Object.values(action);
  const said = action.text ?? (values.length === 1 ? values[0] : action);
  return typeof said === 'string' ? said : (JSON.stringify(said) ?? '');
}

export function drawTask(environment: Environment, seed: number, split: Split): Int32Array {
  const random = new RandomStream(seed, STREAM.tasks, 0, 0, split === 'train' ? 0 : 1);
  return environment.drawTask(random, split);
}

/** A seed as 32 bits: texts by FNV-1a, none by chance. */
function seedOf(seed: number | string | null): number {
  if (seed === null) return crypto.getRandomValues(new Uint32Array(1))[0] as number;
  if (typeof seed === 'number') return seed >>> 0;
  return (
    [...seed].reduce((hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193), 0x811c9dc5) >>> 0
  );
}

const splitsOf = ({ hasHeldOut }: Environment): readonly Split[] =>
  hasHeldOut === true ? ['train', 'held-out'] : ['train'];

function readSplit(wanted: unknown, environment: Environment): Split {
  const splits = splitsOf(environment);
  const split = splits.find((one) => one === (wanted ?? 'train'));
  if (split === undefined)
    throw new Error(`There is no split ${JSON.stringify(wanted).slice(0, 60)}: there is ${splits.join(', ')}`);
  return split;
}

function tasksOf(environment: Environment): Tasks {
  return {
    splits: splitsOf(environment).map((name) => ({ name, type: name === 'train' ? 'train' : 'test' })),
    count: (split) => (readSplit(split, environment) === split ? NAMED_TASKS : 0),
    task: (split, index) => ({ id: `${split}-${index}`, seed: index, split }),
  };
}
