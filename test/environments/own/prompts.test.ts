/** Prompts with a checker: what is wrong with a line is said, and what comes of right ones is a world that pays as the checks say. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { checkWorld } from '../../../src/environments/own/examine/check';
import { openWorlds } from '../../../src/environments/own/here';
import { worldOfPrompts } from '../../../src/environments/own/text/prompts';
import { ownWorld } from '../../../src/environments/own/world';
import { SILENT } from '../../../src/environments/replay';
import { TextShelf, WORLDS } from '../../../src/store/desk/textShelf';
import { stream } from '../../support/episodes';

beforeAll(openWorlds);

function refusalOf(text: string): string {
  try {
    worldOfPrompts(text, 'q.jsonl');
    return '';
  } catch (cause) {
    return (cause as Error).message;
  }
}

const lineOf = (check: object, prompt = 'Mum said'): string => JSON.stringify({ prompt, check });

function failed(text: string): string[] {
  const checking = checkWorld(text, {}, 20);
  let step = checking.next();
  while (!step.done) step = checking.next();
  return step.value.checks.filter(({ ok }) => ok === false).map((one) => one.text);
}

describe('an answer', () => {
  const paid = (check: object, answer: string): number => {
    const world = ownWorld(worldOfPrompts(lineOf(check), 'one.jsonl'), {});
    const slots = world.createWorld(1);
    slots.reset(0, world.drawTask(stream(1)), SILENT);
    slots.step(0, world.description.text?.next(answer) ?? [], SILENT);
    expect(slots.isDone(0)).toBe(true);
    expect(slots.isSuccess(0)).toBe(slots.reward(0) === 1);
    return slots.reward(0);
  };

  test.each([
    [{ contains: 'dog' }, ' The Dog!', 1],
    [{ contains: 'dog' }, ' The hotdog', 0],
    [{ contains: ['dog', 'a red hat'] }, ' a dog', 0.5],
    [{ contains: ['dog', 'a red hat'] }, ' a dog in a red hat.', 1],
    [{ exact: 'hello' }, ' hello\n', 1],
    [{ exact: ['hello', 'hi'] }, ' hi', 1],
    [{ exact: 'hello' }, ' hello you', 0],
    [{ exact: 'hello' }, ' Hello', 0],
    [{ number: 5 }, ' It is 4, no, 5.', 1],
    [{ number: 1200.5 }, ' 1,200.5', 1],
    [{ number: -3 }, ' -3', 1],
    [{ number: 5 }, ' five', 0],
    [{ number: 5, within: 0.5 }, ' 5.4', 1],
    [{ number: 5, within: 0.5 }, ' 5.6', 0],
    [{ contains: '!!!' }, ' Wow!!!', 1],
    [{ contains: '!!!' }, ' Wow', 0],
    [{ contains: 'c++' }, ' In C++.', 1],
    [{ contains: 'c++' }, ' In C.', 0],
    [{ number: 5 }, ' from 1-5', 1],
    [{ number: 0.5 }, ' .5', 1],
    [{ number: 1000 }, ' 1e3', 1],
    [{ number: -5 }, ' −5', 1],
    [{ number: 12 }, ' 1, 2', 0],
    [{ formula: "words.length === 2 && words.includes('dog')" }, ' The dog!', 1],
    [{ formula: "words.length === 2 && words.includes('dog')" }, ' The big dog!', 0],
    [{ formula: 'Math.min(text.length, 10) / 20' }, ' Hello', 0.25],
    [{ formula: 'number / 2' }, ' 7', 1],
  ])('checked by %j: %j is paid %d', (check, answer, reward) => {
    expect(paid(check, answer)).toBe(reward);
  });
});

describe('a line that is wrong is named', () => {
  const good = lineOf({ exact: 'a' });
  test.each([
    ['', /line 1: no line has a prompt/],
    ['{"title":"x"}', /line 1: no line has a prompt/],
    [`${good}\n\n{"prompt"`, /q\.jsonl, line 3: it is no JSON/],
    [`${good}\n[1]`, /line 2: it holds no object/],
    [`${good}\n{"title":"x"}`, /line 2: “title” is neither prompt nor check/],
    ['{"prompt":"a"}', /line 1: check must be an object/],
    ['{"check":{"exact":"a"}}', /line 1: prompt must be a text/],
    ['{"prompt":" ","check":{"exact":"a"}}', /line 1: prompt must be a text/],
    [lineOf({}), /line 1: check must have one of exact, contains, number, formula/],
    [lineOf({ regex: 'a' }), /line 1: check must have one of exact, contains, number/],
    [lineOf({ exact: 'a', number: 1 }), /line 1: check must have one of/],
    [lineOf({ exact: [] }), /line 1: exact must be a text or a list of texts/],
    [lineOf({ contains: 7 }), /line 1: contains must be a text/],
    [lineOf({ number: '7' }), /line 1: number must be a number/],
    [lineOf({ number: 7, within: -1 }), /line 1: within must be a number from 0 on/],
    [lineOf({ exact: 'a', within: 1 }), /line 1: within must be/],
    [lineOf({ formula: 'words // all' }), /line 1: formula must be an expression in one line/],
    [lineOf({ formula: 'words\n' }), /line 1: formula must be an expression in one line/],
    [`{"size":3}\n${good}`, /line 1: “size” is none of title, summary/],
  ])('%j', (text, said) => {
    expect(() => worldOfPrompts(text, 'q.jsonl')).toThrow(said);
  });
});

describe('what comes of them', () => {
  it('is well made, as the example of the docs, with some tasks held out where there are many', () => {
    const [, example = ''] = /```json\n(\{ "title"[\s\S]*?)```/.exec(readFileSync('docs/worlds.md', 'utf8')) ?? [];
    expect(failed(worldOfPrompts(example, 'example.jsonl'))).toEqual([]);
    const many = Array.from({ length: 40 }, (_, at) => lineOf({ number: at }, `Number ${at} is`)).join('\n');
    const text = worldOfPrompts(many, 'many.jsonl');
    expect(failed(text)).toEqual([]);
    expect(ownWorld(text, {})).toMatchObject({ hasHeldOut: true, asks: 'Answer what is asked.' });
  });

  it('says how many prompts a world has room for, and reads files behind a mark of the byte order', () => {
    const text = (count: number): string => Array.from({ length: count }, () => lineOf({ number: 5 })).join('\n');
    expect(ownWorld(worldOfPrompts(`\ufeff${text(2)}`, 'q.jsonl'), {}).words.length).toBeGreaterThan(2);
    const [, fitting] = /q\.jsonl: (\d+) of the 2000 prompts fit/.exec(refusalOf(text(2000))) ?? [];
    expect(worldOfPrompts(text(Number(fitting)), 'q.jsonl').length).toBeGreaterThan(24_500);
    expect(refusalOf(text(Number(fitting) + 1))).toMatch(/prompts fit/);
  });

  it('has an expert who is always right, but of formulas', () => {
    const right = (check: object): number | undefined => {
      const world = ownWorld(worldOfPrompts(lineOf(check), 'one.jsonl'), {});
      const slots = world.createWorld(1);
      slots.reset(0, world.drawTask(stream(1)), SILENT);
      if (slots.expert === undefined) return undefined;
      slots.step(0, slots.expert(0), SILENT);
      return slots.reward(0);
    };
    for (const check of [{ number: 1e21 }, { contains: ['!!!', '-5'] }, { exact: 'a' }]) expect(right(check)).toBe(1);
    expect(right({ formula: 'true' })).toBeUndefined();
    expect(failed(worldOfPrompts(lineOf({ formula: 'words.length +' }), 'q.jsonl')).join()).toMatch(
      /[Uu]nexpected|SyntaxError/,
    );
  });

  it('says what its first line says, and what is wrong there', () => {
    const made = (head: object): string =>
      worldOfPrompts(`${JSON.stringify(head)}\n${lineOf({ exact: 'a' })}`, 'q.jsonl');
    expect(ownWorld(made({ maxTokens: 7, stop: ['.'] }), {}).maxActionTokens).toBe(7);
    expect(failed(made({ stop: 'page' })).join()).toMatch(/stop must be 'sentence', 'line' or/);
    expect(failed(made({ title: '' })).join()).toMatch(/The title is missing/);
  });

  it('is opened from a file where worlds are', async () => {
    const shelf = new TextShelf(WORLDS, () => Promise.reject(new Error('nothing is kept')));
    const read = await shelf.read(new File([`${lineOf({ exact: 'a' })}\n`], 'My questions.jsonl'));
    expect(read?.name).toBe('my-questions');
    expect(failed(read?.text ?? '')).toEqual([]);
    expect(await shelf.read(new File(['{"prompt":1}'], 'q.jsonl'))).toBeNull();
    expect(shelf.store.getState().problem).toMatch(/q\.jsonl, line 1: check must be an object|prompt must be a text/);
  });
});
