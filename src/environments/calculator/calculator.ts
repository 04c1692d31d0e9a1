/**
 * Arithmetic with a tool that may fail. The prompt asks `7 + 5 ?`. The agent says CALC and is told the result or ERR; or it
 * says a number, which ends the episode with reward 1 if right, else 0. A policy that learns to predict the tool learns
 * arithmetic, and can still answer when the tool is down.
 */
import { LabError } from '../../foundation/errors';
import type { RandomStream } from '../../foundation/philox';
import { MALFORMED_WORD } from '../decoding';
import type { Environment, EnvironmentDefinition, Split, ToolState, WorldSlots } from '../environment';
import { actionsOf } from '../replay';
import type { Scene, TapeScene } from '../scene';
import { listWords, MARKS, type WordKinds } from '../wordKinds';
import { type ArithmeticQuestion, allQuestions, answerTo, isHeldOut, OPERATORS, writeQuestion } from './questions';
import { type CalculatorSettings, calculatorSettings, readCalculatorSettings } from './settings';
import { CALC, CalculatorSlots, ERR, FIRST_NUMBER, lieFor, MALFORMED, TASK } from './slots';

export const calculator: EnvironmentDefinition = {
  id: 'calculator',
  title: 'Calculator',
  summary: 'Answer a sum, with a tool that knows the result but may be out of order.',
  settings: calculatorSettings,
  create: (settings) => new Calculator(readCalculatorSettings(settings)),
};

/** Largest number of tokens that name numbers, to keep the vocabulary small. */
const MOST_NUMBERS = 201;

const USED_OPERATORS = { 'add-subtract': [0, 1], add: [0], multiply: [2], all: [0, 1, 2] } as const;

const BEFORE_NUMBERS: WordKinds = [
  MARKS,
  ['signs', [...OPERATORS, '?']],
  ['calls of the tool', ['CALC']],
  ['errors of the tool', ['ERR', 'busy', 'retry']],
  ['complaints', [MALFORMED_WORD]],
];

class Calculator implements Environment {
  readonly words: readonly string[];
  readonly kinds: readonly string[];
  readonly context: number;
  readonly maxTurns: number;
  readonly maxActionTokens = 1;
  readonly stopToken = -1;
  readonly maxObservationTokens: number;
  readonly legalSets: readonly (readonly number[])[];
  readonly toolWords: readonly number[];
  readonly hasHeldOut: boolean;
  readonly asks: string;
  readonly randomSuccess: number;
  readonly #settings: CalculatorSettings;
  readonly #state: ToolState;
  readonly #questions: Readonly<Record<Split, readonly ArithmeticQuestion[]>>;
  /** Count of numbers that can be answered: 0 to the largest result. */
  readonly #numbers: number;

  /** `state`: of the tool; `lying` and `believed` are those of one that lies. */
  constructor(settings: CalculatorSettings, state: ToolState = 'up') {
    const { operations, largest, operands, tool, turns, heldOut } = settings;
    const questions = allQuestions(USED_OPERATORS[operations], largest, operands);
    this.#settings = settings;
    this.#state = state;
    this.#numbers = 1 + Math.max(...new Set(questions.map(answerTo)));
    const words = Math.max(this.#numbers, largest + 1);
    if (words > MOST_NUMBERS) {
      throw new LabError(
        'invalid-experiment',
        `Results up to ${this.#numbers - 1} would need as many words; there is room for ${MOST_NUMBERS - 1}.`,
        'Choose a smaller largest operand, fewer operands, or no multiplication.',
      );
    }
    this.#questions = {
      train: questions.filter((question) => !isHeldOut(question, heldOut)),
      'held-out': heldOut === 0 ? questions : questions.filter((question) => isHeldOut(question, heldOut)),
    };
    if (this.#questions.train.length === 0 || this.#questions['held-out'].length === 0) {
      throw new LabError(
        'invalid-experiment',
        `With so few questions (${questions.length}) a held-out share of ${heldOut} leaves one side empty.`,
        'Choose a larger operand, or a held-out share of 0.',
      );
    }
    const numbers = Array.from({ length: words }, (_, number) => String(number));
    ({ words: this.words, kinds: this.kinds } = listWords([...BEFORE_NUMBERS, ['numbers', numbers]]));
    this.maxTurns = turns;
    this.maxObservationTokens = tool === 'flaky' ? 3 : 1;
    this.context = 1 + 2 * operands + turns * (1 + this.maxObservationTokens);
    const answers = Array.from({ length: this.#numbers }, (_, number) => FIRST_NUMBER + number);
    this.toolWords = tool === 'none' ? [] : [CALC];
    this.legalSets = [[CALC, ...answers], answers];
    const call = ' CALC asks a tool, which tells the result, or ERR where it is out of order.';
    this.asks = `Answer the question with its number, which ends the episode.${tool === 'none' ? '' : call}`;
    this.hasHeldOut = heldOut > 0;
    this.randomSuccess = this.#chance(0, tool === 'none' ? 0 : settings.budget);
  }

  /** Probability that the uniformly random policy succeeds from a turn on, with some calls left. Exact. */
  #chance(turn: number, calls: number): number {
    const { turns, decoding } = this.#settings;
    if (turn === turns) return 0;
    const callable = calls > 0 || decoding.free ? 1 : 0;
    const words = decoding.free ? this.words.length : this.#numbers + callable;
    const afterCall = callable * this.#chance(turn + 1, Math.max(0, calls - 1));
    const malformed = decoding.malformed === 'end' ? 0 : words - this.#numbers - callable;
    return (1 + afterCall + (malformed > 0 ? malformed * this.#chance(turn + 1, calls) : 0)) / words;
  }

  /** Draws a task (see TASK). The question is drawn first, so it does not depend on the settings of the tool. */
  drawTask(random: RandomStream, split: Split = 'train'): Int32Array {
    const questions = this.#questions[split];
    const question = questions[random.below(questions.length)];
    const task = new Int32Array(TASK.length);
    task.set(question);
    const result = answerTo(question);
    task[TASK.result] = this.#state === 'believed' ? lieFor(result, this.#numbers) : result;
    task[TASK.down] = random.unit() < this.#settings.failure && this.#settings.tool === 'down' ? 1 : 0;
    task[TASK.dice] = this.#settings.tool === 'flaky' ? random.bits() : 0;
    return task;
  }

  /** Largest operand of the question, as a share of the setting. */
  difficulty(task: Int32Array): number {
    const [a = 0, , b = 0, , c = 0] = task;
    return Math.max(a, b, c) / this.#settings.largest;
  }

  answer(task: Int32Array): readonly number[] {
    return [FIRST_NUMBER + task[TASK.result]];
  }

  withTool(state: ToolState): Environment | null {
    if (this.#settings.tool === 'none') return null;
    if (state === 'down') return new Calculator({ ...this.#settings, tool: 'down', failure: 1 });
    return new Calculator({ ...this.#settings, tool: 'works' }, state);
  }

  createWorld(slots: number): WorldSlots {
    return new CalculatorSlots(slots, this.#settings, this.#numbers, this.#state === 'lying');
  }

  scenes(task: Int32Array, tokens: ArrayLike<number>, roles: ArrayLike<number>): readonly Scene[] {
    if (task.length < TASK.length) return [];
    const world = new CalculatorSlots(1, this.#settings, this.#numbers);
    const question = `${writeQuestion(Array.from(task.subarray(0, 5)) as unknown as ArithmeticQuestion)} = ?`;
    const lines: TapeScene['lines'][number][] = [];
    const said: number[] = [];
    const emission = { emit: (token: number) => said.push(token) > 0 };
    const { tool } = this.#settings;
    const toolWorks = tool === 'none' ? null : task[TASK.down] === 0;
    const scene = (action: string | null): TapeScene => ({
      kind: 'tape',
      question,
      lines: [...lines],
      toolWorks,
      action,
    });
    const word = (token: number): string => this.words[token] ?? '?';
    world.reset(0, task, emission);
    const scenes = [scene(null)];
    for (const action of actionsOf(tokens, roles)) {
      if (world.isDone(0)) break;
      said.length = 0;
      world.step(0, action, emission);
      const spoken = word(action[0] ?? 0);
      lines.push({ who: 'agent', text: spoken, isError: false });
      const text = said.map(word).join(' ');
      const verdict = world.verdict(0);
      if (said[0] === MALFORMED) lines.push({ who: 'grader', text: 'malformed', isError: true });
      else if (said.length > 0 && action[0] === CALC) lines.push({ who: 'tool', text, isError: said[0] === ERR });
      if (verdict !== null) {
        const told = verdict === 'wrong' ? `no, it is ${task[TASK.result]}` : verdict;
        lines.push({ who: 'grader', text: told, isError: verdict !== 'right' });
      }
      scenes.push(scene(spoken));
    }
    return scenes;
  }
}
