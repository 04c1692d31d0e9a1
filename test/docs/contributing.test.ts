/**
 * CONTRIBUTING's kinds of addition are true: the files that mention the example of one are exactly those that it lists, and the
 * tests it names contain the lists it names.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const text = readFileSync('CONTRIBUTING.md', 'utf8');

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => /\.(ts|tsx|wgsl|json)$/.test(path));

/** Contents by path of every source. The contents include the path, because a shader is named by its path. */
const SOURCES: ReadonlyMap<string, string> = new Map(
  ['src', 'shaders']
    .flatMap(filesOf)
    .map((path) => [path, `${path.replace(/\.\w+$/, '')}\n${readFileSync(path, 'utf8')}`]),
);

const quoted = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string);

const [, additions = ''] = text.split(/^## To add something$/m);
const [kinds = ''] = additions.split(/^### Besides$/m);

/** Kinds of addition: each has a heading, a line with its example, and a list. */
const KINDS = kinds
  .split(/^### /m)
  .slice(1)
  .map((section) => {
    const [heading = ''] = section.split('\n');
    const after = (name: string): string =>
      new RegExp(`^(?:- )?${name}: (.*?)(?=^- |\\. |\\n\\n)`, 'ms').exec(section)?.[1] ?? '';
    return {
      what: heading.toLowerCase(),
      words: quoted(after('Example')),
      touch: quoted(after('Touch')),
      besides: quoted(after('Where it applies')),
      tests: quoted(after('Held by')),
    };
  });

const isIn = (path: string, listed: readonly string[]): boolean =>
  listed.some((entry) => path === entry || (entry.endsWith('/') && path.startsWith(entry)));

test('there are kinds', () => {
  expect(KINDS.length).toBeGreaterThan(10);
});

describe.each(KINDS)('To add $what', ({ what, words, touch, besides, tests }) => {
  const any = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const mention = new RegExp(`(?<![A-Za-z0-9])(?:${any})(?![A-Za-z0-9])`);
  const mentioning = [...SOURCES].filter(([, contents]) => mention.test(contents)).map(([path]) => path);
  const listed = [...touch, ...besides];

  test('all that is touched mentions the example', () => {
    expect(words.length).toBeGreaterThan(0);
    expect(touch.length).toBeGreaterThan(0);
    const advice = `These do not mention ${words}, and are named in CONTRIBUTING.md's part “${what}”: take them out of it`;
    expect(
      listed.filter((entry) => !mentioning.some((path) => isIn(path, [entry]))),
      advice,
    ).toEqual([]);
  });

  test('nobody else does', () => {
    const advice = `These mention ${words}, and are not named in CONTRIBUTING.md's part “${what}”: add each to “touch” where any of its kind needs it, else to “where it applies”`;
    expect(
      mentioning.filter((path) => !isIn(path, listed)),
      advice,
    ).toEqual([]);
  });

  test('the tests named have what they are said to go through', () => {
    expect(tests[0]).toMatch(/^test\//);
    let path = '';
    const untrue = tests.filter((word) => {
      if (!word.startsWith('test/')) return !new RegExp(`\\b${word}\\b`).test(readFileSync(path, 'utf8'));
      path = word;
      return !existsSync(path);
    });
    expect(untrue, `CONTRIBUTING.md's part “${what}” names tests or lists in them that are not there`).toEqual([]);
  });
});

test('a hyperparameter touches at most four files, a choice and a surrogate two', () => {
  const touched = Object.fromEntries(KINDS.map(({ what, touch }) => [what, touch.length]));
  expect(touched['a hyperparameter']).toBeLessThanOrEqual(4);
  expect(touched['a choice']).toBeLessThanOrEqual(2);
  expect(touched['a surrogate']).toBeLessThanOrEqual(2);
});

describe('From a link to a chart', () => {
  const [, walk = ''] = text.split(/^## .*$/m);
  const steps = walk.split(/^\d+\. /m).slice(1);

  test('every file is there', () => {
    const named = steps.flatMap((step) => quoted(step)).filter((name) => /^(src|shaders)\//.test(name));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !existsSync(name))).toEqual([]);
  });

  test('a step’s files have what it names', () => {
    // The shader writes the names of columns out of settings' keys.
    const absent = steps.flatMap((step) => {
      const names = quoted(step);
      const contents = names.map((name) => SOURCES.get(name) ?? '').join('\n');
      return names.filter((name) => /^(?!HYPER_)\w+$/.test(name) && !new RegExp(`\\b${name}\\b`).test(contents));
    });
    expect(absent).toEqual([]);
  });
});
