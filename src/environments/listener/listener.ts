/**
 * A story told to Tom, who asks before each of three sentences: "Tell me about the dog!" Rewarded is the share of sentences that
 * hold what he asked about, as a whole word. Words are the pieces of stories260K, a pretrained storyteller that can be the policy's
 * beginning; its untrained self takes up a twentieth.
 */
import { LabError } from '../../foundation/errors';
import type { RandomStream } from '../../foundation/philox';
import type {
  Emission,
  Environment,
  EnvironmentDefinition,
  EnvironmentSettings,
  Split,
  TextReading,
  TextWorld,
  WorldSlots,
} from '../environment';
import { turnsOf } from '../replay';
import type { Scene, StoryScene } from '../scene';
import { writtenIn } from '../written';
import { BOS, ENDS, type Listener as Listening, MOM, PIECES, SPEAKERS, THINGS, TOM, textOf, writingOf } from './pieces';
import { repeatedShare, repeats, saysBack, takesUp } from './sentence';

export const listener: EnvironmentDefinition = {
  id: 'listener',
  title: 'Listener',
  summary: 'Tell a story in English, and go on with what the listener asks about.',
  settings: [
    {
      key: 'repetition',
      label: 'Repetition',
      help: 'Whether a sentence still counts that says a word three times, or says the listener’s own words back.',
      type: 'choice',
      default: 'allowed',
      choices: ['allowed', 'refused'],
    },
    {
      key: 'speakers',
      label: 'Who speaks',
      help: 'Whether a token of its own, which no text has, stands before what the listener says and another before what the agent says.',
      type: 'choice',
      default: 'unmarked',
      choices: ['unmarked', 'marked'],
    },
  ],
  model: 'stories260k',
  create: (settings) => new Listener(readSettings(settings), TOM),
};

interface Rules {
  readonly refusesRepetition: boolean;
  readonly marksSpeakers: boolean;
}

/** Sentences of an episode, and so questions. */
const TURNS = 3;
/** Longest sentence, in tokens. */
const LONGEST = 24;
/** Things that are asked about in training; the others are held out. */
export const TRAINED = 9;
const LONGEST_ASK = Math.max(...TOM.asks.map(({ length }) => length));

function readSettings({ repetition = 'allowed', speakers = 'unmarked' }: EnvironmentSettings): Rules {
  return {
    refusesRepetition: chosen('Repetition', repetition, ['allowed', 'refused']) === 'refused',
    marksSpeakers: chosen('Who speaks', speakers, ['unmarked', 'marked']) === 'marked',
  };
}

function chosen(label: string, value: unknown, choices: readonly string[]): string {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  const what = `${label} cannot be “${String(value)}”.`;
  throw new LabError('invalid-experiment', what, `Choose ${choices.join(' or ')}.`);
}

/** True for a sentence that is paid for: it takes the thing up, and keeps the rules. */
function counts(sentence: string, thing: string, { refusesRepetition }: Rules): boolean {
  return takesUp(sentence, thing) && !(refusesRepetition && repeats(sentence));
}

class Listener implements Environment {
  readonly words = PIECES;
  readonly kinds = PIECES.map((_, token) => (token <= BOS ? 'marks' : 'pieces of text'));
  readonly context: number;
  readonly maxTurns = TURNS;
  readonly maxActionTokens = LONGEST;
  readonly stopToken = -1;
  readonly stopTokens = ENDS;
  readonly maxObservationTokens: number;
  readonly legalSets: readonly (readonly number[])[];
  readonly hasHeldOut = true;
  readonly randomSuccess = null;
  readonly outcomeWords = 'share of sentences that take up what was asked';
  readonly texts: TextWorld;
  readonly writing = writingOf(LONGEST);
  readonly #rules: Rules;
  readonly #listening: Listening;

  constructor(rules: Rules, { start, asks }: Listening) {
    const { listener, agent } = SPEAKERS;
    const marks = rules.marksSpeakers ? [listener, agent] : [];
    const marked = rules.marksSpeakers ? asks.map((ask) => [listener, ...ask, agent]) : asks;
    this.#rules = rules;
    this.#listening = { start, asks: marked };
    this.maxObservationTokens = LONGEST_ASK + marks.length;
    // The prompt, and turns of the longest sentence and question; after the last sentence nothing is asked.
    this.context = start.length + this.maxObservationTokens + TURNS * (LONGEST + this.maxObservationTokens);
    // All pieces but the two that only a text's beginning has, and those that say who speaks.
    this.legalSets = [PIECES.flatMap((_, token) => (token > BOS && !marks.includes(token) ? [token] : []))];
    this.texts = {
      ordinary: async () => (await import('./ordinary')).ORDINARY,
      other: () => new Listener(rules, MOM),
      read: (task, turn, action) => readingOf(textOf(Array.from(action)), thingAsked(task, turn)),
    };
  }

  /** Task: three different things, by number. */
  drawTask(random: RandomStream, split: Split = 'train'): Int32Array {
    const [first, count] = split === 'train' ? [0, TRAINED] : [TRAINED, THINGS.length - TRAINED];
    const left = Array.from({ length: count }, (_, i) => first + i);
    return Int32Array.from({ length: TURNS }, () => left.splice(random.below(left.length), 1)[0] ?? first);
  }

  createWorld(slots: number): WorldSlots {
    return new Stories(slots, this.#rules, this.#listening);
  }

  scenes(task: Int32Array, tokens: ArrayLike<number>, roles: ArrayLike<number>): readonly Scene[] {
    const turns = turnsOf(roles);
    const written = (from: number, end: number) => writtenIn(tokens, from, Math.max(from, end), textOfPiece);
    const begun = Math.min(tokens.length, this.#listening.start.length);
    const begins = written(0, begun);
    const asked = (from: number, end: number) => ({ who: 'listener', ...written(from, end), counts: false }) as const;
    const lines: StoryScene['lines'][number][] = [asked(begun, turns[0]?.begin ?? tokens.length)];
    // A sentence is too long to be told beside the picture, which has it.
    const scene = (): StoryScene => ({ kind: 'story', begins, lines: [...lines], action: null });
    const scenes = [scene()];
    for (const [turn, { action, answer, end }] of turns.entries()) {
      const said = textOf(Array.from({ length: answer - action }, (_, i) => tokens[action + i]));
      const isPaid = counts(said, thingAsked(task, turn), this.#rules);
      lines.push({ who: 'agent', ...written(action, answer), counts: isPaid });
      if (end > answer) lines.push(asked(answer, end));
      scenes.push(scene());
    }
    return scenes;
  }
}

/** Text of tokens; those that say who speaks have none. */
const textOfPiece = (tokens: readonly number[]): string =>
  textOf(tokens.filter((token) => token !== SPEAKERS.listener && token !== SPEAKERS.agent));

const thingAsked = (task: Int32Array, turn: number): string => THINGS[task[turn] ?? 0]?.name ?? '';

const readingOf = (sentence: string, thing: string): TextReading => ({
  takesUp: takesUp(sentence, thing),
  saysBack: saysBack(sentence),
  repeated: repeatedShare(sentence),
});

class Stories implements WorldSlots {
  readonly #rules: Rules;
  readonly #listening: Listening;
  readonly #tasks: Int32Array;
  readonly #turn: Uint8Array;
  readonly #taken: Uint8Array;

  constructor(slots: number, rules: Rules, listening: Listening) {
    this.#rules = rules;
    this.#listening = listening;
    this.#tasks = new Int32Array(slots * TURNS);
    this.#turn = new Uint8Array(slots);
    this.#taken = new Uint8Array(slots);
  }

  reset(slot: number, task: Int32Array, emission: Emission): void {
    this.#tasks.set(task.subarray(0, TURNS), slot * TURNS);
    this.#turn[slot] = 0;
    this.#taken[slot] = 0;
    const { start, asks } = this.#listening;
    for (const token of [...start, ...asks[this.#asked(slot)]]) emission.emit(token, 'prompt');
  }

  /** Number of the thing that the slot's next sentence is asked about. */
  #asked(slot: number): number {
    return this.#tasks[slot * TURNS + this.#turn[slot]];
  }

  legalSet(): number {
    return 1;
  }

  step(slot: number, action: ArrayLike<number>, emission: Emission): void {
    if (counts(textOf(Array.from(action)), THINGS[this.#asked(slot)].name, this.#rules)) this.#taken[slot]++;
    this.#turn[slot]++;
    if (this.isDone(slot)) return;
    for (const token of this.#listening.asks[this.#asked(slot)]) emission.emit(token, 'observation');
  }

  isDone(slot: number): boolean {
    return this.#turn[slot] === TURNS;
  }

  reward(slot: number): number {
    return this.#taken[slot] / TURNS;
  }

  isSuccess(slot: number): boolean {
    return this.#taken[slot] === TURNS;
  }

  expert(slot: number): readonly number[] {
    return THINGS[this.#asked(slot)].reply;
  }

  progress(slot: number): number {
    return this.#taken[slot] / TURNS;
  }
}
