/**
 * A world of the lab as OpenEnv sees one: words instead of tokens. An action is a text of words; the observation is what the
 * world says, and by request also each span's role (`segments`) and the legal actions (`legal_actions`).
 */

import { excerpt, LabError } from '../../foundation/errors';
import { RandomStream, STREAM } from '../../foundation/philox';
import type { Environment, EnvironmentDefinition, EnvironmentSettings, Split, WorldSlots } from '../environment';
import { definitionFor, environments } from '../registry';
import type { Fields, Served, ServedEnvironment, StepReply, Tasks } from './contract';
import { Conversation } from './conversation';
import { type LabWorld, readme, SEGMENT, schemas } from './described';

/** Settings in which a world takes any word: language models are not held to legal ones. */
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

/** Episodes of one client. */
class LabEpisodes implements ServedEnvironment {
  readonly #environment: Environment;
  readonly #world: WorldSlots;
  readonly #talk: Conversation;
  #wants = { segments: false, legal: false, plain: false };
  #begun: { episodeId: string; seed: number; split: Split } | null = null;
  #steps = 0;
  #paid = 0;
  #isDone = false;

  constructor({ environment, summary }: LabWorld) {
    this.#environment = environment;
    this.#world = environment.createWorld(1);
    this.#talk = new Conversation(environment, summary, this.#world, 0);
  }

  reset(seed: number | string | null, episodeId: string | null, more: Fields): StepReply {
    const split = readSplit(more.split, this.#environment);
    const number = seedOf(seed);
    const task = drawTask(this.#environment, number, split);
    this.#begun = { episodeId: episodeId ?? crypto.randomUUID(), seed: number, split };
    this.#wants = { segments: more.segments === true, legal: more.legal_actions === true, plain: more.plain === true };
    this.#steps = 0;
    this.#isDone = false;
    this.#talk.begin(task, this.#wants.plain);
    this.#paid = this.#world.reward(0);
    return { observation: this.#observation(), reward: null, done: false };
  }

  step(action: Fields): StepReply {
    if (this.#begun === null) throw new Error('call reset before step');
    if (this.#isDone) throw new Error('the episode is over: call reset');
    this.#steps++;
    this.#talk.act(textOf(action));
    this.#isDone = this.#talk.isOver;
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

  #observation(): Fields {
    const { said } = this.#talk;
    const isWritten = this.#environment.writing !== undefined;
    return {
      text: said.map(({ text }) => text).join(isWritten ? '' : ' '),
      ...(this.#wants.segments ? { segments: said.map(({ role, text }) => ({ role: SEGMENT[role], text })) } : {}),
      ...(this.#wants.legal ? { legal_actions: this.#isDone || isWritten ? [] : this.#talk.legal } : {}),
    };
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

/** A seed as 32 bits: the low bits of a number, the FNV-1a hash of a text, a random one for null. */
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
