/** The environment that OpenEnv's recorded exchanges are of, and a client that keeps what a server sends. */
import WebSocket from 'ws';
import type { Fields, Served, ServedEnvironment, StepReply } from '../../src/environments/served/contract';

/** Strict: no step before a reset or after the end. Narrow: a reset knows no other keys. Broken: cannot be made. */
export type Kind = 'strict' | 'lenient' | 'narrow' | 'broken' | 'tasks';

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: { metadata: { type: 'object' }, text: { type: 'string' } },
  required: ['text'],
};

/** JSON as Python writes it. */
function python(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}: ${python(one)}`).join(', ')}}`;
}

class TextEnvironment implements ServedEnvironment {
  readonly #kind: Kind;
  #episode: string | null = null;
  #seed: number | string | null = null;
  #steps = 0;
  #done = false;
  #begun = false;

  constructor(kind: Kind) {
    this.#kind = kind;
  }

  reset(seed: number | string | null, episode: string | null, more: Fields): StepReply {
    [this.#seed, this.#episode, this.#steps, this.#done, this.#begun] = [
      seed,
      episode ?? crypto.randomUUID(),
      0,
      false,
      true,
    ];
    const extra = this.#kind === 'narrow' ? {} : more;
    return { observation: { text: `ready seed=${python(seed)} extra=${python(extra)}` }, reward: null, done: false };
  }

  async step({ text, metadata = {} }: Fields, { timeout_s = null, ...extra }: Fields): Promise<StepReply> {
    const said = String(text);
    const [word, rest = ''] = said.split(':', 2);
    if (word === 'raise') throw new Error(rest);
    if (this.#kind !== 'lenient') {
      if (!this.#begun) throw new Error('call reset before step');
      if (this.#done) throw new Error('the episode is over');
    }
    this.#steps++;
    this.#done = this.#steps >= 3;
    const rewards: Record<string, StepReply['reward']> = {
      int: 1,
      true: true,
      nan: Number.NaN,
      inf: Number.POSITIVE_INFINITY,
      none: null,
      float: 0.25,
    };
    const reward =
      word === 'reward' && Object.hasOwn(rewards, rest) ? (rewards[rest] as StepReply['reward']) : this.#done ? 1 : 0.5;
    if (word === 'sleep') await new Promise((resolve) => setTimeout(resolve, Number(rest) * 1000));
    if (said === 'kwargs')
      return this.#answer(`timeout_s=${python(timeout_s)} extra=${python(extra)} metadata=${python(metadata)}`, reward);
    return this.#answer(word === 'big' ? 'x'.repeat(Number(rest)) : said, reward);
  }

  #answer(text: string, reward: StepReply['reward']): StepReply {
    return { observation: { text }, reward, done: this.#done };
  }

  state(): Fields {
    return { episode_id: this.#episode, step_count: this.#steps, seed: this.#seed, done: this.#done };
  }
}

const TASKS: Readonly<Record<string, readonly Fields[]>> = {
  train: [
    { id: 't0', text: 'zero' },
    { id: 't1', text: 'one' },
    { id: 't2', text: 'two' },
  ],
  test: [{ id: 'h0', text: 'held' }],
  other: [],
};

export function textServed(kind: Kind): Served {
  const of = (split: string): readonly Fields[] => {
    if (!Object.hasOwn(TASKS, split)) throw new Error(`no split ${split}`);
    return TASKS[split] as readonly Fields[];
  };
  const tasks = {
    splits: [
      { name: 'train', type: 'train' },
      { name: 'test', type: 'test' },
      { name: 'other', type: 'validation' },
    ] as const,
    count: (split: string) => of(split).length,
    task: (split: string, index: number) => of(split)[index] as Fields,
  };
  return {
    name: 'TextEnvironment',
    metadata: {
      name: 'TextEnvironment',
      description: 'TextEnvironment environment',
      readme_content: null,
      version: '1.0.0',
      author: null,
      documentation_url: null,
    },
    schema: { action: SCHEMA, observation: SCHEMA, state: SCHEMA },
    actionFields: ['text'],
    tasks: kind === 'tasks' ? tasks : null,
    create: () => {
      if (kind === 'broken') throw new Error('cannot be made');
      return new TextEnvironment(kind);
    },
  };
}

export interface Closed {
  readonly code: number;
  readonly reason: string;
}

/** A socket whose frames wait to be asked for. */
export class TestClient {
  readonly socket: WebSocket;
  readonly closed: Promise<Closed>;
  readonly #frames: unknown[] = [];
  #wake: () => void = () => {};
  isClosed = false;

  constructor(url: string) {
    this.socket = new WebSocket(url, { maxPayload: 0 });
    this.socket.on('error', () => {});
    this.socket.on('message', (data) => {
      this.#frames.push(JSON.parse(data.toString()));
      this.#wake();
    });
    this.closed = new Promise((resolve) => {
      this.socket.on('close', (code, reason) => {
        this.isClosed = true;
        this.#wake();
        resolve({ code, reason: reason.toString() });
      });
    });
  }

  /** True once open; false if it was refused. */
  async open(): Promise<boolean> {
    if (this.socket.readyState === WebSocket.OPEN) return true;
    return new Promise((resolve) => {
      this.socket.once('open', () => resolve(true));
      this.socket.once('error', () => resolve(false));
    });
  }

  /** Next frame; null if the socket closes first. */
  async next(): Promise<unknown> {
    while (this.#frames.length === 0 && !this.isClosed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#frames.shift() ?? null;
  }

  async ask(message: unknown): Promise<unknown> {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    return this.next();
  }
}
