/** Many episodes of a user's world at once, one a slot: the state is a text, all else is the lab's. */

import { excerpt } from '../../foundation/errors';
import type { Decoding } from '../decoding';
import { MALFORMED_WORD } from '../decoding';
import type { Emission, WorldSlots } from '../environment';
import { type Description, longestOf } from './description';
import { refuse } from './reading';
import { wordTokens } from './text/said';
import type { State, StateOutcome, StateStep, Transitions } from './transitions';

const BOS = 1;

interface Episode {
  state: State;
  seed: number;
  turn: number;
  reward: number;
  done: boolean;
  success: boolean;
  /** The last step with its outcome; null before the first and after a malformed action. */
  last: { readonly step: StateStep; readonly outcome: StateOutcome } | null;
}

export class OwnSlots implements WorldSlots {
  readonly #transitions: Transitions;
  readonly #world: Description;
  readonly #decoding: Decoding;
  readonly #episodes: (Episode | undefined)[];
  readonly #malformed: number;
  readonly #legal: readonly ReadonlySet<number>[];
  readonly expert?: NonNullable<WorldSlots['expert']>;
  readonly thinks?: NonNullable<WorldSlots['thinks']>;
  readonly progress?: NonNullable<WorldSlots['progress']>;

  constructor(slots: number, transitions: Transitions, world: Description, decoding: Decoding) {
    this.#transitions = transitions;
    this.#world = world;
    this.#decoding = decoding;
    this.#episodes = new Array<Episode | undefined>(slots).fill(undefined);
    this.#malformed = world.tokens.get(MALFORMED_WORD) ?? 0;
    this.#legal = world.sets.map(({ tokens }) => new Set(tokens));
    if (world.has.has('expert')) this.expert = (slot) => this.#expert(slot);
    if (world.thoughts !== null && world.has.has('think')) this.thinks = (slot) => this.#thoughts(slot);
    if (world.has.has('progress')) this.progress = (slot) => transitions.progressOf(this.#of(slot).state);
  }

  #of(slot: number): Episode {
    return this.#episodes[slot] ?? refuse('An episode was asked for before it began');
  }

  /** A task is [seed, 1 if held out]. */
  reset(slot: number, task: Int32Array, emission: Emission): void {
    const { state, prompt } = this.#transitions.begin(task[0] >>> 0, task[1] === 1);
    this.#episodes[slot] = { state, seed: task[0] >>> 0, turn: 0, reward: 0, done: false, success: false, last: null };
    // The tokenizer puts it before a text.
    if (this.#world.text === null) emission.emit(BOS, 'prompt');
    for (const token of prompt) emission.emit(token, 'prompt');
  }

  legalSet(slot: number): number {
    return this.#of(slot).state.set + 1;
  }

  isFree(): boolean {
    return this.#decoding.free;
  }

  maxActionTokens(slot: number): number {
    return longestOf(this.#world.sets[this.#of(slot).state.set], this.#world.stopToken);
  }

  /** Announces the slot's next action, so that all of a batch can be asked for at once. */
  expect(slot: number, action: ArrayLike<number>): void {
    const episode = this.#of(slot);
    const step = this.#stepOf(episode, action);
    if (!episode.done && step !== null) this.#transitions.want(step);
  }

  /** The step of an action; null where the action is malformed. */
  #stepOf({ state, seed, turn }: Episode, action: ArrayLike<number>): StateStep | null {
    const words = Array.from(action);
    if (this.#world.text !== null) return { state, action: words, seed, turn: turn + 1 };
    const legal = this.#legal[state.set];
    const { most } = this.#world.sets[state.set];
    if (most > 1) {
      if (words.at(-1) === this.#world.stopToken) words.pop();
    } else words.length = Math.min(words.length, 1);
    const isLegal = words.length <= most && (most > 1 || words.length === 1) && words.every((one) => legal.has(one));
    return isLegal ? { state, action: words, seed, turn: turn + 1 } : null;
  }

  step(slot: number, action: ArrayLike<number>, emission: Emission): void {
    const episode = this.#of(slot);
    if (episode.done) return;
    const step = this.#stepOf(episode, action);
    episode.turn += 1;
    if (step === null) this.#malform(episode, emission);
    else {
      const outcome = this.#transitions.step(step);
      episode.last = { step, outcome };
      episode.state = outcome.next;
      episode.reward += outcome.reward;
      episode.success ||= outcome.success;
      episode.done = outcome.done;
      const { text } = this.#world;
      const [first] = [...outcome.warn, ...outcome.say];
      // A template writes the end of a reply, which the policy may have drawn.
      let isDrawn = text?.chats === true && first === text.ending && step.action.at(-1) === first;
      const emit = (token: number, role: 'warning' | 'observation'): void => {
        if (!isDrawn) emission.emit(token, role);
        isDrawn = false;
      };
      for (const token of outcome.warn) emit(token, 'warning');
      for (const token of outcome.say) emit(token, 'observation');
    }
    if (episode.turn >= this.#world.maxTurns) episode.done = true;
  }

  #malform(episode: Episode, emission: Emission): void {
    episode.last = null;
    episode.reward -= this.#decoding.penalty;
    if (this.#decoding.malformed === 'end') episode.done = true;
    emission.emit(this.#malformed, 'warning');
  }

  isDone(slot: number): boolean {
    return this.#of(slot).done;
  }

  reward(slot: number): number {
    return this.#of(slot).reward;
  }

  isSuccess(slot: number): boolean {
    return this.#of(slot).success;
  }

  /** NaN where neither the world tells it nor the dice decide it alone. */
  entropyFloor(slot: number): number {
    const { last } = this.#of(slot);
    return last === null ? 0 : this.#transitions.floorOf(last.step, last.outcome);
  }

  /** Text of a slot's state. */
  stateText(slot: number): string {
    return this.#of(slot).state.text;
  }

  /** State of a slot. */
  state(slot: number): State {
    return this.#of(slot).state;
  }

  /** The expert's thoughts, closed. */
  #thoughts(slot: number): readonly number[] {
    const { tokens, most, end } = this.#world.thoughts ?? refuse('A world without thoughts was asked for some');
    const words = wordTokens(this.#transitions.tell('think', this.#of(slot).state), this.#world, 'think()');
    const closed = words.at(-1) === end ? words : [...words, end];
    if (
      closed.length > most ||
      closed.some((token) => !tokens.includes(token)) ||
      closed.indexOf(end) < closed.length - 1
    ) {
      refuse(
        'think() says what is no thought: at most thoughts.most of thoughts.words, thoughts.end among them and last',
      );
    }
    return closed;
  }

  #expert(slot: number): readonly number[] {
    const { state } = this.#of(slot);
    const told = this.#transitions.tell('expert', state);
    const { text } = this.#world;
    if (text !== null) {
      return typeof told === 'string' ? text.action(told, 'expert()') : refuse('expert() says what is no text');
    }
    const { most, name } = this.#world.sets[state.set];
    const words = wordTokens(Array.isArray(told) || most > 1 ? told : [told], this.#world, 'expert()');
    const legal = this.#legal[state.set];
    const isOne = most > 1 || words.length === 1;
    if (!isOne || words.length > most || words.some((token) => !legal.has(token))) {
      refuse(`expert() does what is no action${name === '' ? '' : ` of the set ${excerpt(name, 40)}`}`);
    }
    return most > 1 ? [...words, this.#world.stopToken] : words;
  }
}
