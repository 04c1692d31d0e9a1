/** The editor of worlds: its language, the contract that it explains, where mistakes are marked, and the keys that play. */
import { readFileSync } from 'node:fs';
import { indentRange, syntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { describe, expect, it, test } from 'vitest';
import { FIELDS } from '../../src/environments/own/examine/place';
import { namesAt } from '../../src/ui/places/build/world/contract';
import { worldLanguage } from '../../src/ui/places/build/world/javascript';
import { actionOfKey, keyOf } from '../../src/ui/places/build/world/keys';
import { marksOf, rangeAt } from '../../src/ui/places/build/world/marks';

const names = (text: string): string[] => namesAt(text, text.length).map(({ name }) => name);

describe('the contract', () => {
  it('has every field that a file may have', () => {
    expect(names('')).toEqual(expect.arrayContaining(FIELDS));
  });

  it('has the functions of random after its point, as the sandbox has them, and nothing after another', () => {
    const dice = readFileSync('src/environments/own/guest/dice.js', 'utf8');
    const [, given = ''] = /return \{\n( {6}below[\s\S]*?)\n {4}\};\n {2}\}/.exec(dice) ?? [];
    const functions = [...given.matchAll(/^ {6}(\w+)[:,]/gm)].map(([, name]) => name);
    expect(functions).toHaveLength(6);
    expect(names('random.').sort()).toEqual(functions.sort());
    expect(names('state.')).toEqual([]);
  });

  it('knows the settings of the text', () => {
    const text = readFileSync('worlds/frozen-lake.js', 'utf8');
    expect(namesAt(text, 0).find(({ name }) => name === 'slip')).toMatchObject({ kind: 'own' });
  });
});

describe('the language', () => {
  const kinds = (text: string): string[] => {
    const state = EditorState.create({ doc: text, extensions: [worldLanguage] });
    const found: string[] = [];
    syntaxTree(state).iterate({
      enter: ({ name, from, to }) => {
        if (name !== 'Document') found.push(`${name} ${text.slice(from, to)}`);
      },
    });
    return found;
  };

  it('tells strings, numbers, templates, regular expressions and comments apart', () => {
    const found = kinds(
      'const a = `x$' + "{f(1)}y`; // no 'text'\nb = c / 2 / d; e = /[/]'/.test('x'); /* 3\n4 */ return 5",
    );
    expect(found).toEqual(
      expect.arrayContaining(["comment // no 'text'", "string 'x'", 'number 2', 'number 5', 'keyword return']),
    );
    expect(found).toContain("regexp /[/]'/");
    expect(kinds('{ a: c ? d : e }').filter((one) => one.startsWith('property'))).toEqual(['propertyName a']);
    expect(found.filter((one) => one.startsWith('number'))).toEqual(['number 1', 'number 2', 'number 5']);
  });

  it('a bracket more is a step to the right, and a template’s lines stay where they are', () => {
    const text = 'export default {\na: [\n1,\n],\ncreate() {\nreturn {\nb: `x\n y`,\n};\n},\n};\n';
    const state = EditorState.create({ doc: text, extensions: [worldLanguage] });
    expect(state.update({ changes: indentRange(state, 0, text.length) }).state.doc.toString()).toBe(
      'export default {\n  a: [\n    1,\n  ],\n  create() {\n    return {\n      b: `x\n y`,\n    };\n  },\n};\n',
    );
  });
});

test('a mistake is marked from its column to the end of the name; without one, its line; after the end, there', () => {
  const text = 'one\n  two(three)\n';
  const marked = (line: number, column: number): string => {
    const { from, to } = rangeAt(text, line, column);
    return text.slice(from, to);
  };
  expect([marked(2, 7), marked(2, 3), marked(2, 6), marked(2, 0), marked(9, 1)]).toEqual([
    'three',
    'two',
    '(',
    'two(three)',
    '\n',
  ]);
  const mistake = { text: 'wrong (line 2).', line: 2, column: 3 };
  const check = { id: 'file', ok: false, ...mistake } as const;
  const report = {
    title: '',
    summary: '',
    isText: false,
    settings: [],
    words: 0,
    context: 0,
    randomSuccess: null,
    expertSuccess: null,
  };
  expect(marksOf(text, mistake, { ...report, checks: [check] })).toEqual([{ from: 6, to: 9, message: mistake.text }]);
  expect(marksOf(text, { ...mistake, line: 0 }, null)).toEqual([]);
  // A word that was said has the line, and is underlined there.
  const said = 'step() says “three”, which is not in words (line 2); did you mean “tree”?';
  expect(marksOf(text, { text: said, line: 2, column: 1 }, null)).toEqual([{ from: 10, to: 15, message: said }]);
  // The column of what was thrown is the line's first.
  for (const words of ['two(): ReferenceError: three is not defined.', "two(): TypeError: no property 'three'."]) {
    expect(marksOf(text, { text: words, line: 2, column: 1 }, null)).toEqual([{ from: 10, to: 15, message: words }]);
  }
});

test('keys: arrows for moves, a word’s own letter, digits for the others', () => {
  const moves = ['up', 'down', 'left', 'right'];
  expect(actionOfKey('ArrowLeft', moves)).toBe('left');
  expect(actionOfKey('1', moves)).toBe('up');
  expect(actionOfKey('1', ['7', '1'])).toBe('1');
  expect(actionOfKey('x', moves)).toBeUndefined();
  expect(moves.map((word, index) => keyOf(word, index, moves))).toEqual(['↑', '↓', '←', '→']);
  expect(keyOf('hit', 0, ['hit', 'stand'])).toBe('1');
  expect(keyOf('7', 0, ['7', '1'])).toBe('7');
});
