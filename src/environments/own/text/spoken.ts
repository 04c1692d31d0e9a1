/**
 * Worlds of the lab said in English, for policies that begin from a language model: `@english/terminal`. A world is said in the way
 * in which it is served (served/conversation.ts), in the words that it declares; an action is a line of text, read as that of a
 * served world. Tokens are appended and never tokenised again.
 */
import { LabError } from '../../../foundation/errors';
import type { RandomStream } from '../../../foundation/philox';
import { ROLE } from '../../../foundation/roles';
import type { ChatParts } from '../../../llama/chatTemplate';
import { MALFORMED_WORD } from '../../decoding';
import type {
  Emission,
  Environment,
  EnvironmentSettings,
  Split,
  TextWorld,
  ToolState,
  WorldSlots,
} from '../../environment';
import { actionsOf } from '../../replay';
import type { Scene } from '../../scene';
import { Conversation, instruction } from '../../served/conversation';
import { FIRST_WORD, wordsOf } from '../../served/described';
import { measuredTexts } from '../examine/measured';
import { MODEL_KEY } from '../own';
import { innerOf, sayLegal, spokenFile } from './spokenFile';
import { TextForm } from './textForm';
import { USUAL_MODEL } from './tokenizers';

/** Sign behind which the policy writes. */
const CUE = '\n>';

const made = new Map<string, SpokenWorld>();
const MOST_KEPT = 8;

export function spokenWorld(world: string, given: EnvironmentSettings): Environment {
  const key = JSON.stringify([world, Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1))]);
  const known = made.get(key);
  if (known !== undefined) return known;
  const { settings } = spokenFile(world);
  const usual = Object.fromEntries(settings.map(({ key: one, default: value }) => [one, value]));
  const strange = Object.keys(given).find((one) => one !== MODEL_KEY && usual[one] === undefined);
  if (strange !== undefined) {
    const what = `${world} has no setting ${strange}.`;
    throw new LabError('invalid-experiment', what, `There are: ${Object.keys(usual).join(', ')}.`);
  }
  const { [MODEL_KEY]: model = USUAL_MODEL, room, spare, thinking, chat, ...inner } = { ...usual, ...given };
  const { create, summary } = innerOf(world);
  const rules = {
    ...{ model: String(model), room: Number(room), spare: Number(spare) },
    ...{ thinks: thinking === true, chats: chat === true, summary },
  };
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
  readonly chats: boolean;
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
  readonly texts: TextWorld;
  readonly #inner: Environment;
  readonly #form: TextForm;
  readonly #rules: Rules;
  /** Texts around the world's words: of the prompt, and of an answer. */
  readonly #around: Pick<ChatParts, 'first' | 'next'>;

  constructor(inner: Environment, rules: Rules) {
    const { asks = rules.summary, words, maxTurns, maxActionTokens, maxObservationTokens, legalSets } = inner;
    const lengthOf = (text: string): number => bare.next(text).length;
    const bare = new TextForm(rules.model, 'line', 1);
    const isReply = rules.chats && bare.ending !== undefined;
    this.#around = rules.chats ? bare.chat : { first: ['', CUE], next: ['', CUE] };
    const { first, next } = this.#around;
    const longestWord = Math.max(...words.slice(FIRST_WORD).map((word) => lengthOf(` ${word}`)));
    const lists = legalSets.map((_, i) => sayLegal(wordsOf(inner, i + 1), maxActionTokens));
    const listed = Math.max(...lists.map(lengthOf));
    const most = maxActionTokens * longestWord + lengthOf('\n') + rules.spare;
    const promptWords = inner.context - maxTurns * (maxActionTokens + maxObservationTokens);
    const prompt =
      bare.first(`${first[0]}${instruction(inner, asks, '')}\n\n`).length +
      lengthOf(` ${first[1]}`) +
      listed +
      promptWords * longestWord;
    const complaint = lengthOf(`${MALFORMED_WORD}: This is no action now. `) + listed;
    // A prompt is fed at once, as an answer is.
    const answer = lengthOf(`\n${next[0]}`) + lengthOf(`\n${next[1]}`) + complaint + maxObservationTokens * longestWord;
    this.#inner = inner;
    this.#rules = rules;
    this.#form = new TextForm(rules.model, isReply ? [] : 'line', most, { thinks: rules.thinks });
    this.writing = this.#form;
    this.texts = measuredTexts(this.#form);
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
    const { ending } = this.#form;
    if (!this.#rules.chats) return this.#form.action(` ${said.join(' ')}\n`, 'An action');
    return ending === undefined
      ? this.#form.action(`${said.join(' ')}\n`, 'An action')
      : [...this.#form.action(said.join(' '), 'An action'), ending];
  }

  createWorld(slots: number): WorldSlots {
    const world = this.#inner.createWorld(slots);
    const talks = Array.from({ length: slots }, (_, slot) => this.#talkIn(world, slot));
    const { expert, progress, entropyFloor } = world;
    return {
      reset: (slot, task, emission) => {
        talks[slot].begin(task);
        this.#say(talks[slot], null, emission);
      },
      legalSet: () => 1,
      step: (slot, action, emission) => {
        if (world.isDone(slot)) return;
        const text = this.#form.said(Array.from(action));
        talks[slot].act(text, true);
        this.#say(talks[slot], Array.from(action), emission);
      },
      isDone: (slot) => talks[slot].isOver,
      reward: (slot) => world.reward(slot),
      isSuccess: (slot) => world.isSuccess(slot),
      ...(expert && { expert: (slot) => this.write(world.expert?.(slot) ?? []) }),
      ...(progress && { progress: (slot) => world.progress?.(slot) ?? 0 }),
      ...(entropyFloor && { entropyFloor: (slot) => world.entropyFloor?.(slot) ?? Number.NaN }),
    };
  }

  #talkIn(world: WorldSlots, slot: number): Conversation {
    return new Conversation(this.#inner, this.#rules.summary, world, slot, sayLegal);
  }

  /** Says what a world said after an action, span by span, and that it is the policy's turn; after null the prompt. */
  #say({ said, isOver }: Conversation, action: readonly number[] | null, emission: Emission): void {
    const { first, next } = this.#around;
    const [before, after] = action === null ? first : next;
    const isCut = action !== null && !this.#rules.chats && !this.#form.said(action).endsWith('\n');
    const spans = said.length > 0 || isOver ? said : [{ role: 'observation' as const, text: '' }];
    spans.forEach(({ role, text }, i) => {
      const whole = `${i === 0 ? before + (isCut ? '\n' : '') : '\n'}${text}${isOver || i < spans.length - 1 ? '' : after}`;
      const tokens =
        action !== null
          ? this.#form.next(whole)
          : this.#rules.chats
            ? this.#form.marked(whole)
            : this.#form.first(whole);
      // The template writes the end that the policy drew already.
      const isDrawn = i === 0 && action !== null && tokens[0] === this.#form.ending && action.at(-1) === tokens[0];
      for (const token of isDrawn ? tokens.slice(1) : tokens) emission.emit(token, role);
    });
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
