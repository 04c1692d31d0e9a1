/** Evidence of random episodes on a world: words said, lengths, and floors against how much answers vary. */

import { excerpt } from '../../../foundation/errors';
import { ROLE, type Role } from '../../../foundation/roles';
import type { WorldSlots } from '../../environment';
import type { OwnWorld } from '../world';

export interface PlayedOnce {
  readonly task: Int32Array;
  readonly actions: readonly (readonly number[])[];
  readonly tokens: readonly number[];
  readonly roles: readonly number[];
  readonly success: boolean;
  /** Visible content of the episode, to compare. */
  readonly portrait: string;
}

type Verdict = readonly [ok: boolean | null, text: string];

/** Answers to one action after one history. */
interface Heard {
  readonly answer: string;
  readonly floor: number;
  state: string;
}

/** Histories that are remembered at most, and characters of them and their states. */
const [MOST, MOST_CHARACTERS] = [400_000, 2 ** 27];
/** Least number of episodes of a turn from which an entropy is estimated. */
const ENOUGH = 200;

export class Evidence {
  readonly #world: OwnWorld;
  readonly #slots: WorldSlots & { stateText(slot: number): string };
  readonly #said = new Set<number>();
  #longestPrompt = 0;
  #longestAnswer = 0;
  /** First answer to each action after each history. */
  readonly #heard = new Map<string, Heard>();
  #characters = 0;
  #contradiction: string | null = null;
  #untold: string | null = null;
  /** Answers of each turn with their counts, and the floors of the turn. */
  readonly #turns: { answers: Map<string, number>; floors: number; count: number }[] = [];

  constructor(world: OwnWorld) {
    this.#world = world;
    this.#slots = world.createWorld(1);
  }

  play(task: Int32Array, act: (world: WorldSlots) => readonly number[]): PlayedOnce {
    const world = this.#slots;
    const [tokens, roles, actions, floors]: [number[], number[], (readonly number[])[], number[]] = [[], [], [], []];
    const emit = (token: number, role: Role): boolean => {
      roles.push(ROLE[role]);
      return tokens.push(token) > 0;
    };
    world.reset(0, task, { emit });
    this.#longestPrompt = Math.max(this.#longestPrompt, tokens.length - (this.#world.model === undefined ? 1 : 0));
    for (let turn = 0; !world.isDone(0); turn++) {
      const action = act(world);
      actions.push(action);
      for (const token of action) emit(token, 'action');
      const history = tokens.join();
      const from = tokens.length;
      world.step(0, action, { emit });
      const floor = world.entropyFloor?.(0) ?? Number.NaN;
      floors.push(floor);
      this.#hear(turn, history, tokens.slice(from), floor);
    }
    for (const token of tokens) this.#said.add(token);
    const success = world.isSuccess(0);
    const portrait = JSON.stringify([tokens, roles, floors, world.reward(0), success]);
    return { task, actions, tokens, roles, success, portrait };
  }

  #hear(turn: number, history: string, answer: readonly number[], floor: number): void {
    this.#longestAnswer = Math.max(this.#longestAnswer, answer.length);
    const heard = answer.join();
    const state = this.#slots.stateText(0);
    const before = this.#heard.get(history);
    if (before === undefined) {
      if (this.#heard.size < MOST && this.#characters < MOST_CHARACTERS) {
        this.#heard.set(history, { answer: heard, floor, state });
        this.#characters += history.length + state.length;
      }
    } else if (before.answer !== heard && (before.floor === 0 || floor === 0)) {
      const words = [before.answer, heard].map((one) => `“${this.#words(one)}”`);
      this.#contradiction ??= `After the same words the world said both ${words.join(' and ')}, and its floor there is 0.`;
    } else if (before.answer === heard && before.state !== state) {
      this.#untold ??= `After the same words the state is sometimes ${excerpt(before.state, 50)} and sometimes ${excerpt(state, 50)}`;
    }
    this.#turns[turn] ??= { answers: new Map(), floors: 0, count: 0 };
    const tally = this.#turns[turn] as { answers: Map<string, number>; floors: number; count: number };
    tally.answers.set(heard, (tally.answers.get(heard) ?? 0) + 1);
    tally.floors += floor;
    tally.count++;
  }

  #words(tokens: string): string {
    const { words, description } = this.#world;
    const said = tokens === '' ? [] : tokens.split(',').map(Number);
    return excerpt(description.text?.textOf(said) ?? said.map((token) => words[token] ?? '?').join(' '), 40);
  }

  words(): Verdict {
    if (this.#world.model !== undefined) return [true, 'Everything that it says is a text.'];
    const never = this.#world.words.filter(
      (_, token) => this.#world.kinds[token] === 'words' && !this.#said.has(token),
    );
    if (never.length === 0) return [true, 'Every word that it says is declared, and every one declared is said.'];
    const some = never.slice(0, 5).join(', ');
    return [
      true,
      `Every word that it says is declared; ${never.length} declared were never said: ${excerpt(some, 80)}.`,
    ];
  }

  bounds(): Verdict {
    const { prompt, answer } = this.#world.description.longest;
    const unit = this.#world.model === undefined ? 'word' : 'token';
    const said = `The longest prompt has ${this.#longestPrompt} ${this.#longestPrompt === 1 ? unit : `${unit}s`}, the longest answer ${this.#longestAnswer}`;
    if (prompt === this.#longestPrompt && answer === this.#longestAnswer) return [true, `${said}, as announced.`];
    return [true, `${said}; room is kept for ${prompt} and ${answer}.`];
  }

  /** Verdict on the floors told: 0 only where answers never vary, and no more than answers vary. */
  floors(): Verdict {
    if (this.#contradiction !== null) return [false, this.#contradiction];
    const { told } = this.#world.description;
    if (told && this.#untold !== null) {
      return [false, `${this.#untold}: told is true only where what was said determines the state.`];
    }
    for (const [turn, { answers, floors, count }] of this.#turns.entries()) {
      const floor = floors / count;
      if (count < ENOUGH || Number.isNaN(floor)) continue;
      let nats = 0;
      for (const times of answers.values()) nats -= (times / count) * Math.log(times / count);
      // An estimate from samples is too low by about (answers − 1) / 2n, and varies by about ln(answers) / √n.
      const most = nats + (answers.size - 1) / (2 * count) + (4 * Math.log(answers.size + 1)) / Math.sqrt(count);
      if (floor > most) {
        const [floorSaid, seen] = [floor, nats].map((value) => value.toFixed(3));
        return [false, `In turn ${turn + 1} the floor is ${floorSaid} nats, and answers vary by ${seen} only.`];
      }
    }
    const [sum, count] = this.#turns.reduce(([a, b], one) => [a + one.floors, b + one.count], [0, 0]);
    if (Number.isNaN(sum))
      return [null, 'The floor of the cross-entropy is not known: told is not true, and step() tells none.'];
    return [
      true,
      `The floor of the cross-entropy is ${(sum / Math.max(1, count)).toFixed(3)} nats an answer, and plausible.`,
    ];
  }
}
