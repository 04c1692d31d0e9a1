/** Settings of the calculator: their declarations, and their values, with defaults for those left out. */
import { type Decoding, decodingSettings, readDecoding, readerOf } from '../decoding';
import type { EnvironmentSetting, EnvironmentSettings } from '../environment';

export const OPERATIONS = ['add-subtract', 'add', 'multiply', 'all'] as const;
export const TOOLS = ['down', 'works', 'flaky', 'none'] as const;
export const DEMONSTRATORS = ['computes', 'relies-on-tool'] as const;

export interface CalculatorSettings {
  readonly operations: (typeof OPERATIONS)[number];
  readonly largest: number;
  readonly operands: number;
  readonly turns: number;
  readonly tool: (typeof TOOLS)[number];
  /** Probability that the tool is down for an episode, or that one call fails. */
  readonly failure: number;
  readonly budget: number;
  readonly reveal: boolean;
  readonly demonstrator: (typeof DEMONSTRATORS)[number];
  readonly heldOut: number;
  readonly decoding: Decoding;
}

export const calculatorSettings: readonly EnvironmentSetting[] = [
  {
    key: 'operations',
    label: 'Operations',
    help: 'Which signs occur; results below zero are never asked for.',
    type: 'choice',
    default: 'add-subtract',
    choices: OPERATIONS,
    names: { 'add-subtract': 'add and subtract' },
  },
  {
    key: 'largest',
    label: 'Largest operand',
    help: 'Operands go from 0 to this number; every number is a token of its own.',
    type: 'integer',
    default: 9,
    min: 1,
    max: 20,
  },
  { key: 'operands', label: 'Operands', help: 'Numbers in a question.', type: 'integer', default: 2, min: 2, max: 3 },
  {
    key: 'turns',
    label: 'Turns',
    help: 'Calls and answer together; an episode ends with the answer or after so many.',
    type: 'integer',
    default: 2,
    min: 1,
    max: 6,
  },
  {
    key: 'tool',
    label: 'Tool',
    help: 'Down: out of order for whole episodes, unannounced. Works: always answers. Flaky: single calls fail, with a message. None: no tool.',
    type: 'choice',
    default: 'down',
    choices: TOOLS,
  },
  {
    key: 'failure',
    label: 'Failures',
    help: 'Share of episodes in which the tool is down, or of calls that fail.',
    type: 'number',
    default: 0.5,
    min: 0,
    max: 1,
    isRelevant: ({ tool }) => tool === 'down' || tool === 'flaky',
  },
  {
    key: 'budget',
    label: 'Calls allowed',
    help: 'Calls of the tool in one episode; after that only an answer is legal.',
    type: 'integer',
    default: 6,
    min: 1,
    max: 6,
    isRelevant: ({ tool }) => tool !== 'none',
  },
  {
    key: 'reveal',
    label: 'Result revealed',
    help: 'The right result is told after the answer, like a failing test that prints what was expected.',
    type: 'boolean',
    default: false,
  },
  {
    key: 'demonstrator',
    label: 'Demonstrator without the tool',
    help: 'What demonstrations do when the tool fails: compute the result, or guess, as an agent that only knows the tool.',
    type: 'choice',
    default: 'computes',
    choices: DEMONSTRATORS,
    names: { 'relies-on-tool': 'relies on the tool' },
  },
  {
    key: 'heldOut',
    label: 'Held-out share',
    help: 'Share of the questions never used for training.',
    type: 'number',
    default: 0.2,
    min: 0,
    max: 0.5,
  },
  ...decodingSettings,
];

export function readCalculatorSettings(given: EnvironmentSettings): CalculatorSettings {
  const value = readerOf(calculatorSettings, given);
  const oneOf = <T extends string>(key: string, choices: readonly [T, ...T[]]): T =>
    choices.find((candidate) => candidate === value(key)) ?? choices[0];
  return {
    operations: oneOf('operations', OPERATIONS),
    largest: Number(value('largest')),
    operands: Number(value('operands')),
    turns: Number(value('turns')),
    tool: oneOf('tool', TOOLS),
    failure: Number(value('failure')),
    budget: Number(value('budget')),
    reveal: value('reveal') === true,
    demonstrator: oneOf('demonstrator', DEMONSTRATORS),
    heldOut: Number(value('heldOut')),
    decoding: readDecoding(given),
  };
}
