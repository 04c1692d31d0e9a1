/**
 * A world of texts out of prompts with a checker, one JSON object a line: {"prompt": "…", "check": {"contains": ["dog"]}}. What comes
 * of them is the text of a world in one file, so that all that holds of those holds of it: links, checks, play by hand.
 */
import { excerpt, LabError } from '../../../foundation/errors';
import { isJson, type Json } from '../../../foundation/json';
import { LONGEST_WORLD } from '../limits';
import CHECKER from '../template/prompts.js?raw';

/** Kinds of checks, each with its arguments; `within` goes with a number. */
const CHECKS = {
  exact: 'a text or a list of texts',
  contains: 'a text or a list of texts',
  number: 'a number',
  formula: 'an expression in one line',
} as const;
const KINDS = Object.keys(CHECKS) as (keyof typeof CHECKS)[];

/** Settings that a first line without a prompt may have. */
const HEAD = ['title', 'summary', 'maxTokens', 'stop', 'heldOut', 'chat', 'thinking'];

/** Prompts below which none is held out: a split of few leaves a side empty. */
const ENOUGH = 20;

/** Text of the world. `name`: name of the file, for messages. Throws LabError with the line. */
export function worldOfPrompts(text: string, name: string): string {
  const refuse = (line: number, what: string): never => {
    const advice = `Write {"prompt": "…", "check": {"contains": "dog"}}, or exact, number or formula as a check.`;
    throw new LabError('invalid-world', `${excerpt(name, 60)}, line ${line}: ${what}`, advice);
  };
  const lines = text
    .replace(/^\ufeff/, '')
    .split('\n')
    .flatMap((line, at) => {
      return line.trim() === '' ? [] : [{ at: at + 1, told: readLine(line, (what) => refuse(at + 1, what)) }];
    });
  const [first] = lines;
  const head = first !== undefined && !('prompt' in first.told) && !('check' in first.told) ? first : null;
  const strange = Object.keys(head?.told ?? {}).find((key) => !HEAD.includes(key));
  if (head !== null && strange !== undefined)
    refuse(head.at, `“${excerpt(strange, 30)}” is none of ${HEAD.join(', ')}.`);
  const formulas: string[] = [];
  const tasks = lines.slice(head === null ? 0 : 1).map(({ at, told }) => {
    const { formula, ...task } = readTask(told, (what) => refuse(at, what));
    if (formula === undefined) return { at, task: JSON.stringify(task) };
    formulas.push(`  (text, words, number) => (${formula}), // line ${at}`);
    return { at, task: JSON.stringify({ ...task, formula: formulas.length - 1 }) };
  });
  if (tasks.length === 0) refuse(head?.at ?? 1, 'no line has a prompt.');
  const settings = {
    title: excerpt(name.replace(/\.\w+$/, ''), 50),
    summary: 'Answer what is asked.',
    maxTokens: 32,
    // A reply ends where the model ends it.
    ...(head?.told.chat ? {} : { stop: 'line' }),
    heldOut: tasks.length >= ENOUGH ? 0.2 : 0,
    ...head?.told,
  };
  const worldOf = (some: typeof tasks): string =>
    [
      `// ${some.length} prompts with a checker, out of ${excerpt(name, 60).replaceAll(/\s/g, ' ')}.`,
      `const TASKS = [\n${some.map(({ task }) => `  ${task},\n`).join('')}];`,
      '/** Formulas of the answer: its text, its words in lower case and its last number. */',
      `const FORMULAS = [\n${formulas.map((one) => `${one}\n`).join('')}];`,
      `const HEAD = ${JSON.stringify(settings)};`,
      CHECKER,
    ].join('\n');
  const world = worldOf(tasks);
  if (world.length <= LONGEST_WORLD) return world;
  let fitting = tasks.length - 1;
  while (fitting > 0 && worldOf(tasks.slice(0, fitting)).length > LONGEST_WORLD) fitting--;
  const room = `${fitting} of the ${tasks.length} prompts fit into the ${LONGEST_WORLD.toLocaleString('en')} characters of a world`;
  throw new LabError(
    'invalid-world',
    `${excerpt(name, 60)}: ${room}.`,
    'Leave the others to a second file, or shorten them.',
  );
}

function readLine(line: string, refuse: (what: string) => never): Json {
  let told: unknown;
  try {
    told = JSON.parse(line);
  } catch {
    refuse('it is no JSON.');
  }
  return isJson(told) ? told : refuse('it holds no object.');
}

function readTask({ prompt, check, ...more }: Json, refuse: (what: string) => never): Json {
  const [strange] = Object.keys(more);
  if (strange !== undefined) refuse(`“${excerpt(strange, 30)}” is neither prompt nor check.`);
  if (typeof prompt !== 'string' || prompt.trim() === '') refuse('prompt must be a text.');
  if (!isJson(check)) return refuse('check must be an object.');
  const { within, ...kinds } = check;
  const [kind, another] = Object.keys(kinds);
  const known = KINDS.find((one) => one === kind);
  if (known === undefined || another !== undefined) return refuse(`check must have one of ${KINDS.join(', ')}.`);
  const value = kinds[known];
  const isText = (one: unknown): boolean => typeof one === 'string' && one.trim() !== '';
  const isTexts = Array.isArray(value) ? value.length > 0 && value.every(isText) : isText(value);
  const isNumber = (one: unknown): boolean => typeof one === 'number' && Number.isFinite(one);
  if (known === 'formula') {
    if (
      typeof value !== 'string' ||
      !/^[^\n\r\u2028\u2029]*\S[^\n\r\u2028\u2029]*$/u.test(value) ||
      /\/\/|\/\*/.test(value)
    ) {
      refuse(`formula must be ${CHECKS.formula}, without a comment.`);
    }
    if (within !== undefined) refuse('within must be a number from 0 on, beside number.');
    return { prompt, formula: value };
  }
  if (known === 'number' ? !isNumber(value) : !isTexts) refuse(`${known} must be ${CHECKS[known]}.`);
  if (within !== undefined && (known !== 'number' || !isNumber(within) || Number(within) < 0)) {
    refuse('within must be a number from 0 on, beside number.');
  }
  return { prompt, [known]: known === 'number' ? value : [value].flat(), ...(within !== undefined && { within }) };
}
