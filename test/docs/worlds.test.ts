/** docs/worlds.md: its world is a world, its fields are those that the lab knows, its limits those of the sandbox. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { checkWorld } from '../../src/environments/own/examine/check';
import { FIELDS } from '../../src/environments/own/examine/place';
import { openWorlds } from '../../src/environments/own/here';
import { LONGEST_WORLD } from '../../src/environments/own/own';

const page = readFileSync('docs/worlds.md', 'utf8');

beforeAll(openWorlds);

test('the world that it shows is well made', () => {
  const text = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const looking = checkWorld(text, {}, 200);
  let step = looking.next();
  while (!step.done) step = looking.next();
  expect(step.value.checks.filter(({ ok }) => ok === false)).toEqual([]);
  expect(step.value.expertSuccess).toBeGreaterThan(0.8);
});

test('it has a row for every field that a file may have', () => {
  const rows = [...page.matchAll(/^\| (`[^|]*`) *\|/gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)/g)]);
  expect(rows.map(([, name]) => name).sort()).toEqual([...FIELDS].sort());
});

test('it says how long a world may be', () => {
  expect(page).toContain(`${LONGEST_WORLD.toLocaleString('en')} characters`);
});
