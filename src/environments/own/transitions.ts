/**
 * Transitions of a world in the sandbox, remembered: the sandbox is asked once what an action does in a state, for
 * every outcome of the dice. A finite world costs the sandbox nothing after its states were seen, and changes no number by it: the
 * dice are counters (dice.ts), which are drawn here as in the sandbox.
 */
import { excerpt, LabError } from '../../foundation/errors';
import { Dice } from '../dice';
import { readAnswer, type StepAnswer, type StepOutcome } from './answers';
import type { Description } from './description';
import { WorldError, type WorldException } from './examine/failure';
import { withPlace } from './examine/place';
import { inText, OWN_LIMITS, readObject, refuse } from './reading';
import { chanceOf, type Roll, rolled } from './rolls';
import type { Guest } from './sandbox';
import { promptTokens } from './text/said';

/** A state of the world: the text that only the world can read, and the lab's knowledge of it. */
export interface State {
  readonly text: string;
  /** Index of the state's legal set, from 0. */
  readonly set: number;
  /** Progress, 0 to 1, once it was asked for. */
  progress: number | null;
  /** Outcomes of its actions so far, by the action's tokens. */
  readonly after: Map<string, Fork | StateOutcome>;
  /** Floors of the state's actions, nats. */
  readonly floors: Map<string, number>;
  /** Steps that were asked ahead but cannot be remembered, by action, seed and turn. */
  readonly ahead: Map<string, StateOutcome | WorldException>;
}

export interface StateOutcome extends StepOutcome {
  readonly next: State;
}

interface Fork {
  readonly roll: Roll;
  readonly after: Map<number, Fork | StateOutcome>;
}

interface Answer extends Pick<StepAnswer, 'rolls'> {
  readonly outcome: StateOutcome;
}

/** Task, the state it begins in, and the prompt. */
export interface Beginning {
  readonly state: State;
  readonly prompt: readonly number[];
}

export interface StateStep {
  readonly state: State;
  readonly action: readonly number[];
  readonly seed: number;
  readonly turn: number;
}

/** Most states remembered; at the bound all is forgotten and asked again. */
const MOST_STATES = 200_000;
const MOST_CHARACTERS = 2 ** 26;
/** Characters that an outcome, or a roll of the dice before it, counts for beside its parts. */
const A_NODE = 64;
const MOST_BEGINNINGS = 4096;
/** Largest number of ways of the dice that a floor is computed over. */
const MOST_WAYS = 1024;

export class Transitions {
  readonly #guest: Guest;
  readonly #world: Description;
  readonly #states = new Map<string, State>();
  #characters = 0;
  readonly #beginnings = new Map<string, Beginning>();
  readonly #dice = new Dice();
  #wanted: StateStep[] = [];
  /** Lines that the sandbox has answered. */
  asked = 0;

  constructor(guest: Guest, world: Description) {
    this.#guest = guest;
    this.#world = world;
  }

  begin(seed: number, isHeldOut: boolean): Beginning {
    const key = `${seed},${isHeldOut}`;
    const known = this.#beginnings.get(key);
    if (known !== undefined) return known;
    if (this.#beginnings.size >= MOST_BEGINNINGS) this.#beginnings.clear();
    const beginning = withPlace(this.#guest.text, () => this.#begin(seed, isHeldOut));
    this.#beginnings.set(key, beginning);
    return beginning;
  }

  #begin(seed: number, isHeldOut: boolean): Beginning {
    this.asked++;
    const told = readObject(this.#guest.value('begin', `[${seed},${isHeldOut}]`), 'A beginning');
    const prompt = promptTokens(told.say, this.#world);
    const { longest, text } = this.#world;
    if (prompt.length > longest.prompt) {
      const unit = text === null ? 'words' : 'tokens';
      refuse(`start() says ${prompt.length} ${unit}, and longest.prompt is ${longest.prompt}`);
    }
    return { state: this.#stateIn(told), prompt };
  }

  /** Announces a step: those announced that are not known are asked for together, when one of them is needed. */
  want(step: StateStep): void {
    if (this.#known(step) === undefined) this.#wanted.push(step);
  }

  step(step: StateStep): StateOutcome {
    return this.#known(step) ?? withPlace(this.#guest.text, () => this.#ask(step));
  }

  #ask(step: StateStep): StateOutcome {
    const key = aheadKey(step);
    if (!step.state.ahead.has(key)) {
      this.#askFor([...this.#wanted, step]);
      this.#wanted = [];
    }
    const now = this.#known(step) ?? step.state.ahead.get(key);
    step.state.ahead.delete(key);
    if (now === undefined) throw new LabError('internal', 'A step was not answered.', 'Please report this.');
    if ('kind' in now) throw new WorldError(now, 'step');
    return now;
  }

  /** Entropy of what a step says, given the state and the action, nats: over the dice alone. NaN where it is not known. */
  floorOf({ state, action }: StateStep, outcome: StateOutcome): number {
    if (!Number.isNaN(outcome.floor) || !this.#world.told) return outcome.floor;
    const key = action.join();
    const known = state.floors.get(key);
    if (known !== undefined) return known;
    const root = state.after.get(key);
    const isChance = root !== undefined && 'roll' in root;
    const nats = isChance
      ? withPlace(this.#guest.text, () => this.#entropyOf(state, action))
      : root === undefined
        ? Number.NaN
        : 0;
    state.floors.set(key, nats);
    return nats;
  }

  /** Progress of a state, 0 to 1. */
  progressOf(state: State): number {
    if (state.progress === null) {
      const told = this.tell('progress', state);
      if (typeof told !== 'number') {
        return withPlace(this.#guest.text, () => refuse('progress() returns something that is no number'));
      }
      state.progress = Math.min(1, Math.max(0, told));
    }
    return state.progress;
  }

  /** Words of a function of the state (expert, think, answer), or anything else that it tells, as JSON. */
  tell(command: 'expert' | 'think' | 'answer' | 'draw' | 'probe' | 'progress', { text }: State): unknown {
    this.asked++;
    return withPlace(this.#guest.text, () => {
      try {
        return JSON.parse(this.#guest.value(command, text)) as unknown;
      } catch (cause) {
        if (cause instanceof LabError) throw cause;
        return refuse(`${command}() returns something that cannot be read`);
      }
    });
  }

  #known({ state, action, seed, turn }: StateStep): StateOutcome | undefined {
    let node = state.after.get(action.join());
    if (node === undefined || !('roll' in node)) return node;
    this.#dice.seek(seed, turn);
    while (node !== undefined && 'roll' in node) node = node.after.get(rolled(this.#dice, node.roll));
    return node;
  }

  #askFor(steps: readonly StateStep[]): void {
    const unique = new Map(steps.map((step) => [`${aheadKey(step)} ${step.state.text}`, step]));
    const list = [...unique.values()];
    const answers = this.#guest.ask(
      'step',
      list.map((step) => this.#line(step, null)),
    );
    this.asked += list.length;
    list.forEach((step, at) => {
      const answer = answers[at] as string | WorldException;
      if (typeof answer !== 'string') step.state.ahead.set(aheadKey(step), answer);
      else this.#remember(step, this.#read(answer));
    });
  }

  #line({ state, action, seed, turn }: StateStep, forced: readonly number[] | null): string {
    const { words, stopToken, sets, text } = this.#world;
    const isLong = (sets[state.set]?.most ?? 1) > 1;
    const said = action.filter((token) => token !== stopToken).map((token) => words[token] ?? '');
    const told = JSON.stringify(text?.reply(action) ?? (isLong ? said : (said[0] ?? '')));
    return `[${state.text},${told},${seed >>> 0},${turn},${JSON.stringify(forced)}]`;
  }

  #remember(step: StateStep, { rolls, outcome }: Answer): void {
    if (rolls === null) {
      step.state.ahead.set(aheadKey(step), outcome);
      return;
    }
    let after: Map<number | string, Fork | StateOutcome> = step.state.after;
    let at: number | string = step.action.join();
    for (const [roll, side] of rolls) {
      let fork = after.get(at);
      if (fork === undefined || !('roll' in fork)) {
        fork = { roll, after: new Map() };
        after.set(at, fork);
        this.#characters += A_NODE + (typeof roll === 'number' ? 0 : roll.length);
      }
      after = fork.after as Map<number | string, Fork | StateOutcome>;
      at = side;
    }
    after.set(at, outcome);
    this.#characters += A_NODE + step.action.length + outcome.say.length + outcome.warn.length;
  }

  #read(answer: string): Answer {
    const { rolls, line, ...outcome } = readAnswer(answer, this.#world);
    return { rolls, outcome: { next: this.#stateIn(line), ...outcome } };
  }

  #stateIn({ text, legal }: Readonly<Record<string, unknown>>): State {
    if (typeof text !== 'string') return refuse('A state could not be read');
    if (text.length > OWN_LIMITS.state) {
      const most = OWN_LIMITS.state.toLocaleString('en');
      refuse(`A state has ${text.length.toLocaleString('en')} characters as JSON, and may have ${most}`);
    }
    if (this.#states.size >= MOST_STATES || this.#characters > MOST_CHARACTERS) this.#forget();
    const known = this.#states.get(text);
    if (known !== undefined) return known;
    const set = legal === null || legal === undefined ? 0 : this.#world.sets.findIndex(({ name }) => name === legal);
    if (set < 0) refuse(`legal() names “${excerpt(inText(legal), 30)}”, and actions has no such set`);
    const state: State = {
      text,
      set,
      progress: null,
      after: new Map(),
      floors: new Map(),
      ahead: new Map(),
    };
    this.#characters += text.length;
    this.#states.set(text, state);
    return state;
  }

  #forget(): void {
    this.#states.clear();
    this.#beginnings.clear();
    this.#characters = 0;
  }

  /** Entropy over all ways that the dice can fall; every way is remembered. */
  #entropyOf(state: State, action: readonly number[]): number {
    const chances = new Map<string, number>();
    let paths: number[][] = [[]];
    let ways = 0;
    while (paths.length > 0) {
      const step = { state, action, seed: 0, turn: 0 };
      const answers = this.#guest.ask(
        'step',
        paths.map((path) => this.#line(step, path)),
      );
      this.asked += paths.length;
      const further: number[][] = [];
      for (const [at, path] of paths.entries()) {
        const answer = answers[at] as string | WorldException;
        if (typeof answer !== 'string') throw new WorldError(answer, 'step');
        const { rolls, outcome } = this.#read(answer);
        ways++;
        if (rolls === null || ways > MOST_WAYS) return Number.NaN;
        this.#remember(step, { rolls, outcome });
        const said = `${outcome.say.join()};${outcome.warn.join()}`;
        const chance = rolls.reduce((product, [roll, side]) => product * chanceOf(roll, side), 1);
        chances.set(said, (chances.get(said) ?? 0) + chance);
        const sides = rolls.map(([, side]) => side);
        for (let i = path.length; i < rolls.length; i++) {
          const [roll, first] = rolls[i] as readonly [Roll, number];
          const count = typeof roll === 'number' ? roll : roll.length;
          if (count > MOST_WAYS) return Number.NaN;
          for (let side = 0; side < count; side++) {
            if (side === first || !(chanceOf(roll, side) > 0)) continue;
            // Each of them is a way, or has some: before millions of them are kept.
            if (ways + further.length >= MOST_WAYS) return Number.NaN;
            further.push([...sides.slice(0, i), side]);
          }
        }
      }
      paths = further;
    }
    return [...chances.values()].reduce((nats, p) => (p > 0 ? nats - p * Math.log(p) : nats), 0) + 0;
  }
}

const aheadKey = ({ action, seed, turn }: StateStep): string => `${action.join()} ${seed} ${turn}`;
