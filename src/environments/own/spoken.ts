/**
 * Worlds of the lab said in English, for policies that begin from a language model: `@english/terminal`. A world is said as it is
 * served (served/conversation.ts), out of the words that it declares; an action is a line of text, read as that of a served world.
 * Tokens are appended and never tokenised again.
 */
import type { RandomStream } from '../../foundation/philox';
import { ROLE } from '../../foundation/roles';
import { MALFORMED_WORD } from '../decoding';
import type { Emission, Environment, EnvironmentSettings, Scene, Split, ToolState, World } from '../environment';
import { environments } from '../registry';
import { actionsOf } from '../replay';
import { Conversation, instruction, legalSentence } from '../served/conversation';
import { FIRST_WORD, wordsOf } from '../served/described';
import type { FileDescription } from './described';
import { MODEL_KEY } from './own';
import { refuse } from './reading';
import { TextForm } from './textForm';
import { USUAL_MODEL } from './tokenizers';

const MARK = '@english/';

/** Sign behind which the policy writes. */
const CUE = '\n>';
const [ROOM, SPARE, THINKING] = ['room', 'spare', 'thinking'] as const;

const OWN_SETTINGS: FileDescription['settings'] = [
  {
    key: ROOM,
    label: 'Longest episode',
    help: 'Tokens of the language model that an episode may have; one that fills them ends there.',
    type: 'integer',
    default: 512,
    min: 64,
    max: 8192,
  },
  {
    key: SPARE,
    label: 'Room to be wordy',
    help: 'Tokens that an action may have beside its own words: of a sentence around it, or of thoughts.',
    type: 'integer',
    default: 8,
    min: 0,
    max: 1024,
  },
  {
    key: THINKING,
    label: 'Thoughts',
    help: 'True: a line break inside <think>…</think> does not end an action. Thoughts are trained as its words are, and are not read as the action.',
    type: 'boolean',
    default: false,
  },
];

/** Ids of the worlds that can be said. */
const SAYABLE = Object.values(environments).filter(({ id, model }) => id !== 'mixture' && model === undefined);

export const isSpoken = (world: string): boolean => world.startsWith(MARK);

function innerOf(world: string): (typeof SAYABLE)[number] {
  const found = SAYABLE.find(({ id }) => MARK + id === world);
  return (
    found ?? refuse(`There is no ${world.slice(0, 40)}: there is ${SAYABLE.map(({ id }) => MARK + id).join(', ')}`)
  );
}

/** Title, summary and settings; a text can always be malformed, so that decoding is no matter. */
export function spokenFile(world: string): FileDescription {
  const { title, summary, settings, instanceKey = null } = innerOf(world);
  const kept = settings.filter(({ key }) => key !== 'decoding').map(({ isRelevant: _, ...setting }) => setting);
  return {
    title: `${title}, in English`,
    summary,
    isText: true,
    settings: [...kept, ...OWN_SETTINGS],
    instanceKey,
    strange: [],
  };
}

const made = new Map<string, SpokenWorld>();
const MOST_KEPT = 8;

export function spokenWorld(world: string, given: EnvironmentSettings): Environment {
  const key = JSON.stringify([world, Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1))]);
  const known = made.get(key);
  if (known !== undefined) return known;
  const { settings } = spokenFile(world);
  const usual = Object.fromEntries(settings.map(({ key: one, default: value }) => [one, value]));
  const strange = Object.keys(given).find((one) => one !== MODEL_KEY && usual[one] === undefined);
  if (strange !== undefined) refuse(`${world} has no setting ${strange}: there are ${Object.keys(usual).join(', ')}`);
  const { [MODEL_KEY]: model = USUAL_MODEL, room, spare, thinking, ...inner } = { ...usual, ...given };
  const { create, summary } = innerOf(world);
  const rules = { model: String(model), room: Number(room), spare: Number(spare), thinks: thinking === true, summary };
  const [oldest] = made.keys();
  if (made.size >= MOST_KEPT && oldest !== undefined) made.delete(oldest);
  const fresh = new SpokenWorld(create({ ...inner, decoding: 'free' }), rules);
  made.set(key, fresh);
  return fresh;
}

interface Rules {
  readonly model: string;
  readonly room: number;
  readonly spare: number;
  readonly thinks: boolean;
  readonly summary: string;
}

class SpokenWorld implements Environment {
  readonly words: readonly string[];
  readonly kinds: readonly string[];
  readonly model: string;
  readonly context: number;
  readonly maxTurns: number;
  readonly maxActionTokens: number;
  readonly stopToken = -1;
  readonly stopTokens: readonly number[];
  readonly actionLength?: NonNullable<Environment['actionLength']>;
  readonly maxObservationTokens: number;
  readonly legalSets: readonly (readonly number[])[];
  readonly randomSuccess = null;
  readonly hasHeldOut: boolean;
  readonly asks: string;
  readonly outcomeWords?: string;
  readonly milestoneWords?: string;
  readonly withTool?: NonNullable<Environment['withTool']>;
  readonly answer?: NonNullable<Environment['answer']>;
  readonly difficulty?: NonNullable<Environment['difficulty']>;
  readonly writing: TextForm;
  readonly #inner: Environment;
  readonly #form: TextForm;
  readonly #rules: Rules;

  constructor(inner: Environment, rules: Rules) {
    const { asks = rules.summary, words, maxTurns, maxActionTokens, maxObservationTokens, legalSets } = inner;
    const lengthOf = (text: string): number => bare.next(text).length;
    const bare = new TextForm(rules.model, 'line', 1);
    const longestWord = Math.max(...words.slice(FIRST_WORD).map((word) => lengthOf(` ${word}`)));
    const lists = legalSets.map((_, i) => sayLegal(wordsOf(inner, i + 1), maxActionTokens));
    const listed = Math.max(...lists.map(lengthOf));
    const most = maxActionTokens * longestWord + lengthOf('\n') + rules.spare;
    const promptWords = inner.context - maxTurns * (maxActionTokens + maxObservationTokens);
    const prompt =
      bare.first(instruction(inner, asks, '')).length + listed + lengthOf(`\n\n${CUE}`) + promptWords * longestWord;
    const complaint = lengthOf(`${MALFORMED_WORD}: This is no action now. `) + listed;
    // A prompt is fed at once, as an answer is.
    const answer = lengthOf(`\n${CUE}`) + complaint + maxObservationTokens * longestWord;
    this.#inner = inner;
    this.#rules = rules;
    this.#form = new TextForm(rules.model, 'line', most, rules.thinks);
    this.writing = this.#form;
    this.words = this.#form.words;
    this.kinds = this.#form.kinds;
    this.model = rules.model;
    this.asks = asks;
    this.maxTurns = maxTurns;
    this.maxActionTokens = most;
    this.maxObservationTokens = Math.max(answer, prompt);
    this.context = Math.min(rules.room, prompt + maxTurns * (most + answer));
    this.stopTokens = this.#form.stops;
    if (this.#form.actionLength !== null) this.actionLength = this.#form.actionLength;
    this.legalSets = [this.#form.legal];
    this.hasHeldOut = inner.hasHeldOut === true;
    const { outcomeWords, milestoneWords, withTool, answer: answers, difficulty } = inner;
    if (outcomeWords !== undefined) this.outcomeWords = outcomeWords;
    if (milestoneWords !== undefined) this.milestoneWords = milestoneWords;
    if (difficulty !== undefined) this.difficulty = (task) => difficulty.call(inner, task);
    if (withTool !== undefined) {
      this.withTool = (state: ToolState) => {
        const other = withTool.call(inner, state);
        return other && new SpokenWorld(other, rules);
      };
    }
    if (answers !== undefined) {
      this.answer = (task) => {
        const tokens = answers.call(inner, task);
        return tokens && this.write(tokens);
      };
    }
  }

  drawTask(random: RandomStream, split?: Split, seed?: number): Int32Array {
    return this.#inner.drawTask(random, split, seed);
  }

  /** An action of the world's words as a line of text. */
  write(tokens: readonly number[]): readonly number[] {
    const { words, stopToken } = this.#inner;
    const said = tokens.filter((token) => token !== stopToken).map((token) => words[token]);
    return this.#form.action(` ${said.join(' ')}\n`, 'An action');
  }

  createWorld(slots: number): World {
    const world = this.#inner.createWorld(slots);
    const talks = Array.from({ length: slots }, (_, slot) => this.#talkIn(world, slot));
    const { expert, progress, entropyFloor } = world;
    return {
      reset: (slot, task, emission) => {
        talks[slot].begin(task);
        this.#say(talks[slot], '', emission);
      },
      legalSet: () => 1,
      step: (slot, action, emission) => {
        if (world.isDone(slot)) return;
        const text = this.#form.said(Array.from(action));
        talks[slot].act(text, true);
        this.#say(talks[slot], text.endsWith('\n') ? '' : '\n', emission);
      },
      isDone: (slot) => talks[slot].isOver,
      reward: (slot) => world.reward(slot),
      isSuccess: (slot) => world.isSuccess(slot),
      ...(expert && { expert: (slot) => this.write(world.expert?.(slot) ?? []) }),
      ...(progress && { progress: (slot) => world.progress?.(slot) ?? 0 }),
      ...(entropyFloor && { entropyFloor: (slot) => world.entropyFloor?.(slot) ?? Number.NaN }),
    };
  }

  #talkIn(world: World, slot: number): Conversation {
    return new Conversation(this.#inner, this.#rules.summary, world, slot, sayLegal);
  }

  /** Says what a world said, span by span, and that it is the policy's turn. */
  #say({ said, isOver }: Conversation, before: string, emission: Emission): void {
    said.forEach(({ role, text }, i) => {
      const cue = isOver || i < said.length - 1 ? '' : CUE;
      const isPrompt = role === 'prompt';
      const whole = `${i === 0 ? before : '\n'}${text}${cue}`;
      for (const token of isPrompt ? this.#form.first(whole) : this.#form.next(whole)) emission.emit(token, role);
    });
    if (said.length > 0 || isOver) return;
    for (const token of this.#form.next(before + CUE)) emission.emit(token, 'observation');
  }

  /** Scenes of the world itself, which is played again by what the texts say. */
  scenes(task: Int32Array, tokens: ArrayLike<number>, roles: ArrayLike<number>): readonly Scene[] {
    const world = this.#inner.createWorld(1);
    const heard: number[] = [];
    const heardRoles: number[] = [];
    const { reset, step } = world;
    const hearing = (emission: Emission): Emission => ({
      emit(token, role) {
        heard.push(token);
        heardRoles.push(ROLE[role]);
        return emission.emit(token, role);
      },
    });
    world.reset = (slot, of, emission) => reset.call(world, slot, of, hearing(emission));
    world.step = (slot, action, emission) => {
      for (const token of Array.from(action)) {
        heard.push(token);
        heardRoles.push(ROLE.action);
      }
      step.call(world, slot, action, hearing(emission));
    };
    const talk = this.#talkIn(world, 0);
    talk.begin(task);
    for (const action of actionsOf(tokens, roles)) {
      if (talk.isOver) break;
      talk.act(this.#form.said(action), true);
    }
    return this.#inner.scenes?.(task, heard, heardRoles) ?? [];
  }
}

/** As legalSentence, with runs of numbered words, such as `0 1 2 3`, by their ends. */
const sayLegal = (words: readonly string[], most: number): string => legalSentence(runsIn(words), most);

/** Words of a run that is said by its ends. */
const A_RUN = 4;

function runsIn(words: readonly string[]): string[] {
  const numberOf = (word = ''): [before: string, number: number] => {
    const [, before = '', digits = ''] = /^(.*?)(\d+)$/.exec(word) ?? [];
    return [before, digits === '' ? Number.NaN : Number(digits)];
  };
  const said: string[] = [];
  for (let from = 0; from < words.length; ) {
    const [before, first] = numberOf(words[from]);
    let to = from + 1;
    while (to < words.length) {
      const [other, number] = numberOf(words[to]);
      if (other !== before || number !== first + to - from) break;
      to++;
    }
    said.push(...(to - from < A_RUN ? words.slice(from, to) : [`${words[from]} to ${words[to - 1]}`]));
    from = to;
  }
  return said;
}
