/** Brackets without a partner are found where they are, and only there. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it, test } from 'vitest';
import { strayBracket } from '../../../src/environments/own/examine/brackets';
import { openWorlds } from '../../../src/environments/own/here';
import { fileOf } from '../../../src/environments/own/world';

it.each<[string, number, number, string]>([
  ['export default {\n  create() {\n', 2, 12, '“{” is not closed'],
  ['f(\n  [1, 2\n', 2, 3, '“[” is not closed'],
  ['const a = {\n  b: f(1,\n};', 2, 7, '“(” is not closed before “}” comes'],
  ['const a = 1;\n}', 2, 1, 'Nothing is open that this “}” could close'],
  // Among several levels of one kind, that whose end stands too far left.
  ['f = {\n  g() {\n    if (a) {\n      b();\n  },\n};', 3, 12, '“{” is not closed'],
  ['a = `one ${f(2}`;', 1, 13, '“(” is not closed before “}” comes'],
  ['a = `one', 1, 5, '“`” is not closed'],
])('%j', (text, line, column, what) => {
  expect(strayBracket(text)).toEqual({ line, column, what });
});

it.each([
  'a = \'(\' + "["; // {\n/* ( */ b = /[(]\\(/.test(a) / (2 / 3);',
  'a = `(${`[${b({})}`}` + c;',
  'return /{/.test(x);',
])('has none: %j', (text) => {
  expect(strayBracket(text)).toBeNull();
});

test('no world of the lab has one; without its last line it is said instead of a syntax error, with its line', async () => {
  await openWorlds();
  for (const name of readdirSync('worlds').filter((one) => one.endsWith('.js'))) {
    const text = readFileSync(`worlds/${name}`, 'utf8');
    expect(strayBracket(text), name).toBeNull();
    const open = text.slice(0, text.lastIndexOf('};'));
    expect(() => fileOf(open), name).toThrow(/^“\{” is not closed \(line \d+\)\./);
  }
  expect(() => fileOf("export default { title: 'A', summary: 'B' };")).toThrow(/default export has no create/);
});
