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
  Scene,
  Split,
  StoryScene,
  World,
} from '../environment';
import { actionsOf } from '../replay';
import { ASKS, type Ask, BOS, ENDS, PIECES, START, textOf } from './pieces';

export const listener: EnvironmentDefinition = {
  id: 'listener',
  title: 'Listener',
  summary: 'Tell a story in English, and take up what the listener asks about.',
  settings: [
    {
      key: 'repetition',
      label: 'Repetition',
      help: 'Whether a sentence still counts that says a word three times, or says the listener’s own words back.',
      type: 'choice',
      default: 'allowed',
      choices: ['allowed', 'refused'],
    },
  ],
  model: 'stories260k',
  create: (settings) => new Listener(readSettings(settings)),
};

interface Rules {
  readonly refusesRepetition: boolean;
}

/** Sentences of an episode, and so questions. */
const TURNS = 3;
/** Longest sentence, in tokens. */
const LONGEST = 24;
/** Things that are asked about in training; the others are held out. */
const TRAINED = 9;
const LONGEST_ASK = Math.max(...ASKS.map(({ tokens }) => tokens.length));
/** Times that a word may be said in a sentence where repetition is refused. */
const MOST_TIMES = 2;

function readSettings({ repetition = 'allowed' }: EnvironmentSettings): Rules {
  if (repetition !== 'allowed' && repetition !== 'refused') {
    const what = `Repetition cannot be “${String(repetition)}”.`;
    throw new LabError('invalid-experiment', what, 'Choose allowed or refused.');
  }
  return { refusesRepetition: repetition === 'refused' };
}

/** True for a sentence that holds the thing as a whole word, and keeps the rules. */
export function takesUp(sentence: string, thing: string, { refusesRepetition }: Rules): boolean {
  const words: readonly string[] = sentence.toLowerCase().match(/[a-z]+/g) ?? [];
  if (!words.includes(thing)) return false;
  const times = (word: string): number => words.filter((one) => one === word).length;
  return !refusesRepetition || !(words.some((word) => times(word) > MOST_TIMES) || /\btell me about\b/i.test(sentence));
}

class Listener implements Environment {
  readonly words = PIECES;
  readonly kinds = PIECES.map((_, token) => (token <= BOS ? 'marks' : 'pieces of text'));
  /** The prompt, and turns of the longest sentence and question; after the last sentence nothing is asked. */
  readonly context = START.length + LONGEST_ASK + TURNS * (LONGEST + LONGEST_ASK);
  readonly maxTurns = TURNS;
  readonly maxActionTokens = LONGEST;
  readonly stopToken = -1;
  readonly stopTokens = ENDS;
  readonly maxObservationTokens = LONGEST_ASK;
  /** All pieces but the two that only a text's beginning has. */
  readonly legalSets: readonly (readonly number[])[] = [PIECES.flatMap((_, token) => (token > BOS ? [token] : []))];
  readonly hasHeldOut = true;
  readonly randomSuccess = null;
  readonly outcomeWords = 'share of sentences that take up what was asked';
  readonly #rules: Rules;

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  /** Three different things, by number. */
  drawTask(random: RandomStream, split: Split = 'train'): Int32Array {
    const [first, count] = split === 'train' ? [0, TRAINED] : [TRAINED, ASKS.length - TRAINED];
    const left = Array.from({ length: count }, (_, i) => first + i);
    return Int32Array.from({ length: TURNS }, () => left.splice(random.below(left.length), 1)[0] ?? first);
  }

  createWorld(slots: number): World {
    return new Stories(slots, this.#rules);
  }

  scenes(task: Int32Array, tokens: ArrayLike<number>, roles: ArrayLike<number>): readonly Scene[] {
    const lines: StoryScene['lines'][number][] = [];
    // A sentence is too long to be told beside the picture, which has it.
    const scene = (): StoryScene => ({
      kind: 'story',
      begins: textOf(START).trim(),
      lines: [...lines],
      action: null,
    });
    const ask = (turn: number): void => {
      const asked = ASKS[task[turn] ?? 0];
      if (turn < TURNS && asked !== undefined) {
        lines.push({ who: 'listener', text: textOf(asked.tokens).trim(), counts: false });
      }
    };
    ask(0);
    const scenes = [scene()];
    actionsOf(tokens, roles).forEach((action, turn) => {
      const text = textOf(Array.from(action)).trim();
      const { thing = '' } = ASKS[task[turn] ?? 0] ?? {};
      lines.push({ who: 'agent', text, counts: takesUp(text, thing, this.#rules) });
      ask(turn + 1);
      scenes.push(scene());
    });
    return scenes;
  }
}

class Stories implements World {
  readonly #rules: Rules;
  readonly #tasks: Int32Array;
  readonly #turn: Uint8Array;
  readonly #taken: Uint8Array;

  constructor(slots: number, rules: Rules) {
    this.#rules = rules;
    this.#tasks = new Int32Array(slots * TURNS);
    this.#turn = new Uint8Array(slots);
    this.#taken = new Uint8Array(slots);
  }

  reset(slot: number, task: Int32Array, emission: Emission): void {
    this.#tasks.set(task.subarray(0, TURNS), slot * TURNS);
    this.#turn[slot] = 0;
    this.#taken[slot] = 0;
    for (const token of [...START, ...this.#asked(slot).tokens]) emission.emit(token, 'prompt');
  }

  #asked(slot: number): Ask {
    return ASKS[this.#tasks[slot * TURNS + this.#turn[slot]]];
  }

  legalSet(): number {
    return 1;
  }

  step(slot: number, action: ArrayLike<number>, emission: Emission): void {
    if (takesUp(textOf(Array.from(action)), this.#asked(slot).thing, this.#rules)) this.#taken[slot]++;
    this.#turn[slot]++;
    if (this.isDone(slot)) return;
    for (const token of this.#asked(slot).tokens) emission.emit(token, 'observation');
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
    return this.#asked(slot).reply;
  }

  progress(slot: number): number {
    return this.#taken[slot] / TURNS;
  }
}
