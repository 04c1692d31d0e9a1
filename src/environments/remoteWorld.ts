/** A world that another program serves, once there are connections to it (remote.ts). */
import { LabError } from '../foundation/errors';
import { MALFORMED_WORD } from './decoding';
import type { Emission, Environment, EnvironmentSettings, WorldSlots } from './environment';

/** A world's answer. */
export interface RemoteAnswer {
  readonly text: string;
  readonly reward: number;
  readonly done: boolean;
}

/** Connections to one server, one for each episode that is played at once. */
export interface RemoteServer {
  /** Number of a new connection. */
  connect(): number;
  /** Sends; the answer is awaited by receive(). */
  reset(connection: number, seed: number): void;
  step(connection: number, action: unknown): void;
  /** Waits for the answer to the last message. Throws LabError where there is none. */
  receive(connection: number): RemoteAnswer;
  /** Tells the person. */
  say(text: string): void;
}

export interface RemoteAddress {
  readonly url: string;
  /** Name of the field that holds the text of an observation; empty where all of it is read. */
  readonly observationField: string;
  /** True where observations are made of declared words: then it is asked to say nothing else. */
  readonly isPlain: boolean;
  /** Seconds to wait for an answer. */
  readonly timeout: number;
}

/** Place of a text in the JSON of an action. */
export const TEXT_HOLE = '\u241f';

const [PAD, BOS, STOP, UNKNOWN] = [0, 1, 2, 3];
const NAMES = ['<pad>', '<bos>', '<stop>', '<unknown>'];

/** Texts as tokens: declared words, or bytes. */
class Spelling {
  readonly tokens: readonly number[];
  readonly #words: readonly string[] | null;
  readonly #tokenOf: ReadonlyMap<string, number>;

  /** `words`: null for bytes. `all`: the vocabulary, to which what is missing is added. */
  constructor(words: readonly string[] | null, all: string[]) {
    this.#words = words;
    const own = words ?? Array.from({ length: 256 }, (_, byte) => `<${byte.toString(16).padStart(2, '0')}>`);
    for (const word of own) if (!all.includes(word)) all.push(word);
    this.#tokenOf = new Map(own.map((word) => [word, all.indexOf(word)]));
    this.tokens = [...this.#tokenOf.values()];
  }

  encode(text: string): number[] {
    if (this.#words !== null) {
      return text.split(/\s+/).flatMap((word) => (word === '' ? [] : [this.#tokenOf.get(word) ?? (UNKNOWN as number)]));
    }
    return Array.from(new TextEncoder().encode(text), (byte) => this.tokens[byte] as number);
  }

  decode(tokens: readonly number[]): string {
    if (this.#words !== null) {
      const words = this.#words;
      return tokens.map((token) => words[this.tokens.indexOf(token)] ?? '').join(' ');
    }
    return new TextDecoder().decode(Uint8Array.from(tokens, (token) => this.tokens.indexOf(token)));
  }
}

/** Parts of the world that its episodes need. */
interface Rules {
  readonly maxTurns: number;
  readonly success: number;
  /** The server's action of some tokens; null where they are none. */
  send(tokens: readonly number[]): unknown;
  /** Word of the warning after a malformed action. */
  readonly malformed: number;
  /** Tokens of an observation, cut to the room there is; the first cut is told. */
  read(text: string, server: RemoteServer): readonly number[];
  /** Hears the reward of an episode that is over; a world that never pays is told once. */
  end(reward: number, server: RemoteServer): void;
}

/** Episodes after which it is told that none of them paid anything. */
const UNPAID = 32;

/** The world of these settings. `open` connects to the server, when episodes are made. */
export function remoteWorld(
  settings: EnvironmentSettings,
  open: (address: RemoteAddress) => RemoteServer,
): Environment {
  const text = (key: string): string => String(settings[key] ?? '');
  if (text('url') === '') {
    const advice = 'Name its server: lab run --environment openenv:http://127.0.0.1:8000';
    throw new LabError('invalid-experiment', 'A world behind OpenEnv’s protocol has no address.', advice);
  }
  const list = (key: string): string[] | null => (text(key) === '' ? null : text(key).split('\n'));
  const words = [...NAMES];
  const declared = list('actions');
  // One declared action of several words is still one action: it has a token of its own.
  const actions = new Spelling(declared, words);
  const forms = list('forms');
  const texts = forms?.some((form) => form.includes(TEXT_HOLE)) ? new Spelling(null, words) : null;
  const isChosen = declared !== null && settings.isWords !== true && texts === null;
  const observations = new Spelling(list('words'), words);
  const maxTurns = Number(settings.turns);
  const maxActionTokens = isChosen ? 1 : Number(settings.actionLength) + 1;
  const maxObservationTokens = Number(settings.observationLength);
  const field = text('actionField') || 'text';
  const address = {
    url: text('url'),
    observationField: text('observationField'),
    isPlain: list('words') !== null,
    timeout: Number(settings.timeout),
  };
  let server: RemoteServer | null = null;
  let hasCut = false;
  let [ended, hasPaid] = [0, false];
  const rules: Rules = {
    maxTurns,
    success: Number(settings.success),
    malformed: texts === null ? UNKNOWN : (new Spelling([MALFORMED_WORD], words).tokens[0] as number),
    send(tokens) {
      if (forms === null) return { [field]: actions.decode(tokens) };
      // The first token that names a form does, the others are its text.
      const named = tokens.find((token) => actions.tokens.includes(token));
      const form = named === undefined ? null : forms[actions.tokens.indexOf(named)];
      if (form === null || form === undefined) return null;
      const said = texts?.decode(tokens.filter((token) => texts.tokens.includes(token))) ?? '';
      return JSON.parse(form, (_, value) => (value === TEXT_HOLE ? said : value));
    },
    read(said, there) {
      const tokens = observations.encode(said);
      if (tokens.length > maxObservationTokens && !hasCut) {
        hasCut = true;
        there.say(
          `An observation of ${tokens.length} tokens was cut to ${maxObservationTokens}, and so are others: --set environment.observationLength=N keeps more.`,
        );
      }
      return tokens.slice(0, maxObservationTokens);
    },
    end(reward, there) {
      hasPaid ||= reward !== 0;
      if (++ended !== UNPAID || hasPaid) return;
      there.say(`The world paid 0 in each of its first ${UNPAID} episodes: only its observations can be learned from.`);
    },
  };
  return {
    words,
    context: 1 + maxObservationTokens + maxTurns * (maxActionTokens + maxObservationTokens),
    maxTurns,
    maxActionTokens,
    stopToken: isChosen ? -1 : (STOP as number),
    maxObservationTokens,
    legalSets: [isChosen ? actions.tokens : [...actions.tokens, ...(texts?.tokens ?? []), STOP as number]],
    randomSuccess: null,
    hasHeldOut: false,
    /** A task is a seed. */
    drawTask: (random) => Int32Array.of(random.bits() >>> 1),
    createWorld(slots) {
      server ??= open(address);
      return new RemoteSlots(slots, rules, server);
    },
  };
}

interface Episode {
  reward: number;
  turns: number;
  done: boolean;
  /** True while an answer to a step is under way; null after what is no action. */
  isAsked: boolean | null;
}

class RemoteSlots implements WorldSlots {
  readonly #rules: Rules;
  readonly #server: RemoteServer;
  readonly #connections: readonly number[];
  readonly #episodes: Episode[];

  constructor(slots: number, rules: Rules, server: RemoteServer) {
    this.#rules = rules;
    this.#server = server;
    this.#connections = Array.from({ length: slots }, () => server.connect());
    this.#episodes = this.#connections.map(() => ({ reward: 0, turns: 0, done: true, isAsked: false }));
  }

  reset(slot: number, task: Int32Array, emission: Emission): void {
    const connection = this.#connections[slot] as number;
    this.#server.reset(connection, task[0] as number);
    const { text, done } = this.#server.receive(connection);
    this.#episodes[slot] = { reward: 0, turns: 0, done, isAsked: false };
    emission.emit(BOS as number, 'prompt');
    for (const token of this.#rules.read(text, this.#server)) emission.emit(token, 'prompt');
  }

  legalSet(): number {
    return 1;
  }

  /** Sends an action, so that a batch's are under way together. */
  expect(slot: number, action: ArrayLike<number>): void {
    const episode = this.#episodes[slot] as Episode;
    if (episode.done || episode.isAsked) return;
    const sent = this.#rules.send(Array.from(action).filter((token) => token !== STOP && token !== PAD));
    episode.isAsked = sent === null ? null : true;
    if (sent !== null) this.#server.step(this.#connections[slot] as number, sent);
  }

  step(slot: number, action: ArrayLike<number>, emission: Emission): void {
    const episode = this.#episodes[slot] as Episode;
    if (episode.done) return;
    this.expect(slot, action);
    if (episode.isAsked === null) {
      episode.isAsked = false;
      episode.done = ++episode.turns >= this.#rules.maxTurns;
      emission.emit(this.#rules.malformed, 'warning');
      return;
    }
    const { text, reward, done } = this.#server.receive(this.#connections[slot] as number);
    episode.isAsked = false;
    episode.turns++;
    episode.reward += reward;
    episode.done = done || episode.turns >= this.#rules.maxTurns;
    if (episode.done) this.#rules.end(episode.reward, this.#server);
    for (const token of this.#rules.read(text, this.#server)) emission.emit(token, 'observation');
  }

  isDone(slot: number): boolean {
    return this.#episodes[slot]?.done ?? true;
  }

  reward(slot: number): number {
    return this.#episodes[slot]?.reward ?? 0;
  }

  isSuccess(slot: number): boolean {
    return this.isDone(slot) && this.reward(slot) >= this.#rules.success;
  }
}
