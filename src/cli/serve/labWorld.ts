/**
 * A world of the lab as OpenEnv sees one: words instead of tokens. An action is a text of words; the observation is what the
 * world says, and by request also each span's role (`segments`) and the legal actions (`legal_actions`).
 */
import type { Environment, SaidRole, Split } from '../../environments/environment';
import { RandomStream, STREAM } from '../../foundation/philox';
import type { Role } from '../../foundation/roles';
import type { Answer, Fields, Served, ServedEnvironment, Tasks } from './contract';

export interface LabWorld {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly environment: Environment;
}

/** Names of roles in OpenEnv's RFC 010. */
const SEGMENT: Readonly<Record<Role, string>> = {
  prompt: 'context',
  action: 'action',
  observation: 'env_output',
  warning: 'warning',
  thought: 'thought',
};

/** Tasks of each split that can be named; a task is its seed. */
const NAMED_TASKS = 1000;
/** Most legal actions that are listed one by one. */
const MOST_LISTED = 400;
/** Words 0 and 1 are padding and the beginning of a trajectory. */
const FIRST_WORD = 2;

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
    tasks: tasksOf(environment),
    create: () => new LabEpisodes(environment),
  };
}

interface Span {
  readonly role: string;
  text: string;
}

/** Episodes of one client. */
class LabEpisodes implements ServedEnvironment {
  readonly #environment: Environment;
  readonly #world;
  readonly #tokenOf: ReadonlyMap<string, number>;
  #said: Span[] = [];
  #tokens = 0;
  #isFull = false;
  #wants: { segments: boolean; legal: boolean } = { segments: false, legal: false };
  #begun: { episodeId: string; seed: number; split: Split } | null = null;
  #steps = 0;
  #paid = 0;
  #isDone = false;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#world = environment.createWorld(1);
    this.#tokenOf = new Map(environment.words.map((word, token) => [word, token]));
  }

  reset(seed: number | string | null, episodeId: string | null, more: Fields): Answer {
    const split = readSplit(more.split, this.#environment);
    const number = seedOf(seed);
    const task = drawTask(this.#environment, number, split);
    this.#begun = { episodeId: episodeId ?? crypto.randomUUID(), seed: number, split };
    this.#wants = { segments: more.segments === true, legal: more.legal_actions === true };
    this.#steps = 0;
    this.#tokens = 0;
    this.#isFull = false;
    this.#isDone = false;
    this.#said = [];
    this.#world.reset(0, task, { emit: (token, role) => this.#hear(token, role) });
    this.#paid = this.#world.reward(0);
    return { observation: this.#observation(), reward: null, done: false };
  }

  step({ text }: Fields): Answer {
    if (this.#begun === null) throw new Error('call reset before step');
    if (this.#isDone) throw new Error('the episode is over: call reset');
    const action = this.#read(String(text));
    this.#said = [];
    this.#steps++;
    this.#tokens += action.length;
    this.#world.step(0, action, { emit: (token, role) => this.#hear(token, role) });
    const { maxTurns } = this.#environment;
    this.#isDone = this.#world.isDone(0) || this.#steps >= maxTurns || this.#isFull;
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

  /** Tokens of a text without thoughts before the action, which the world does not hear. A word that is none becomes padding, which every world takes for a malformed action. */
  #read(text: string): number[] {
    const { maxActionTokens, stopToken, thoughts } = this.#environment;
    const most = this.#world.maxActionTokens?.(0) ?? maxActionTokens;
    const words = text.trim().split(/\s+/, (thoughts?.most ?? 0) + most + 1);
    const drawn = words.map((word) => this.#tokenOf.get(word) ?? 0);
    const tokens =
      thoughts === undefined ? drawn : drawn.slice(drawn.slice(0, thoughts.most).indexOf(thoughts.end) + 1);
    if (maxActionTokens === 1) return tokens.length === 1 ? tokens : [0];
    const isStopped = tokens.includes(stopToken);
    return [...tokens, ...(isStopped ? [] : [stopToken])].slice(0, most);
  }

  #hear(token: number, role: SaidRole): boolean {
    if (this.#tokens >= this.#environment.context) {
      this.#isFull = true;
      return false;
    }
    this.#tokens++;
    if (token < FIRST_WORD) return true;
    const word = this.#environment.words[token] ?? '';
    const last = this.#said.at(-1);
    if (last?.role === SEGMENT[role]) last.text += ` ${word}`;
    else this.#said.push({ role: SEGMENT[role], text: word });
    return true;
  }

  #observation(): Fields {
    return {
      text: this.#said.map(({ text }) => text).join(' '),
      ...(this.#wants.segments ? { segments: this.#said } : {}),
      ...(this.#wants.legal ? { legal_actions: this.#isDone ? [] : this.#legal() } : {}),
    };
  }

  #legal(): readonly string[] {
    const set = this.#world.legalSet(0);
    return wordsOf(this.#environment, set);
  }
}

/** Words of a legal set; of set 0 all. For actions of several words: those that may stand in them. */
function wordsOf({ words, legalSets }: Environment, set: number): string[] {
  if (set === 0) return words.slice(FIRST_WORD);
  return (legalSets[set - 1] ?? []).map((token) => words[token] ?? '');
}

/** Words that any action may have. */
function actionWords(environment: Environment): string[] {
  const { legalSets, thoughts, words } = environment;
  if (legalSets.length === 0) return words.slice(FIRST_WORD);
  const sets = legalSets.map((_, i) => i + 1).filter((set) => set !== thoughts?.legalSet);
  return [...new Set(sets.flatMap((set) => wordsOf(environment, set)))];
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

function readme({ title, summary, environment }: LabWorld): string {
  const { maxActionTokens, maxTurns, randomSuccess } = environment;
  const words = actionWords(environment);
  const form = maxActionTokens === 1 ? 'one word' : `up to ${maxActionTokens} words`;
  return [
    `# ${title}`,
    summary,
    `An action is ${form}, parted by spaces. Words of actions: ${words.join(' ')}`,
    `Words of observations: ${environment.words.slice(FIRST_WORD).join(' ')}`,
    `An episode has at most ${maxTurns} turns.${randomSuccess === null ? '' : ` Random legal actions succeed in ${(100 * randomSuccess).toFixed(1)}% of episodes.`}`,
    'reset takes seed (a task is its seed), split (train or held-out), segments (true adds the role of each span) and legal_actions (true adds the words that are legal next).',
  ].join('\n\n');
}

function schemas(environment: Environment): Served['schema'] {
  const words = actionWords(environment);
  const isOneOf = environment.maxActionTokens === 1 && words.length <= MOST_LISTED;
  const metadata = { description: 'Additional metadata', title: 'Metadata', type: 'object' };
  const text = { title: 'Text', type: 'string' };
  const said = {
    type: 'array',
    items: { type: 'object', properties: { role: { enum: Object.values(SEGMENT) }, text } },
  };
  return {
    action: {
      additionalProperties: false,
      properties: {
        metadata,
        text: {
          ...text,
          description: isOneOf
            ? 'One of these words.'
            : `Up to ${environment.maxActionTokens} words, parted by spaces.`,
          ...(isOneOf ? { examples: words } : { 'x-words': words }),
        },
      },
      required: ['text'],
      title: 'TextAction',
      type: 'object',
    },
    observation: {
      additionalProperties: false,
      properties: {
        done: { default: false, title: 'Done', type: 'boolean' },
        reward: { anyOf: [{ type: 'number' }, { type: 'null' }], default: null, title: 'Reward' },
        metadata,
        text: { ...text, 'x-words': environment.words.slice(FIRST_WORD) },
        segments: { ...said, description: 'Only after reset(segments=true).' },
        legal_actions: {
          type: 'array',
          items: { type: 'string' },
          description: 'Only after reset(legal_actions=true).',
        },
      },
      required: ['text'],
      title: 'TextObservation',
      type: 'object',
    },
    state: {
      additionalProperties: true,
      properties: {
        episode_id: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, title: 'Episode Id' },
        step_count: { default: 0, minimum: 0, title: 'Step Count', type: 'integer' },
      },
      title: 'State',
      type: 'object',
    },
  };
}
