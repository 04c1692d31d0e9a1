/** Reading: bad lines are told by number and the others kept; a hostile file does no harm. */

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { linesOf as split } from '../../src/batch/lines';
import { audited, bytesOf } from './audited';
import { cleanBatch } from './episodes';
import { linesOf, WRITERS } from './forms';
import { seeded } from './seeded';

const GOOD = '{"messages": [{"role": "user", "content": "añ"}, {"role": "assistant", "content": "b"}], "reward": 1}';
const TOKENS = '{"prompts": [1, 2], "responses": [3, 4, 5], "response_mask": [1, 0, 1], "score": 1}';
const LAB = linesOf(cleanBatch(), WRITERS['verl, tensors and texts']?.write ?? String);

async function problemsOf(text: string | Uint8Array): Promise<string[]> {
  const { problems } = (await audited(text)).reading;
  return problems.map(({ line, what }) => `${line} ${what}`);
}

test('bad lines are told by number, the others are kept', async () => {
  const text = [
    GOOD,
    '{"messages": [',
    '',
    '7',
    'null',
    '{"x": 1, "y": 2}',
    '{"messages": "hello"}',
    GOOD,
    '\u0001\u0002',
  ].join('\n');
  const { reading, trajectories } = await audited(text);
  expect(trajectories.map(({ line }) => line)).toEqual([1, 8]);
  expect(reading.problems.map(({ line, what }) => `${line} ${what.replace(/: .*/, '')}`)).toEqual([
    ...['2 is no JSON', '4 is no object', '5 is no object', '6 is of no known form; its fields are x, y'],
    ...['7 has fields of messages, but not of the right kind', '9 is no JSON'],
  ]);
});

test('JSON over many lines is told with what to do, a list on one line is read', async () => {
  expect((await problemsOf('[\n  {}\n]'))[0]).toContain('jq -c .');
  expect((await audited(`[${GOOD},${GOOD}]`)).trajectories.map(({ line, number }) => [line, number])).toEqual([
    [1, 1],
    [1, 2],
  ]);
});

test('numbers that Python writes and JSON does not have are read, in texts they stay', async () => {
  const line = '{"input": "NaN \\" Infinity", "output": "-Infinity", "score": NaN, "gts": -Infinity}';
  const { trajectories, report } = await audited(line);
  expect(trajectories[0]?.segments).toEqual([
    { role: 'prompt', text: 'NaN " Infinity' },
    { role: 'unknown', text: '-Infinity' },
  ]);
  expect(trajectories[0]?.nonFinite).toEqual([{ field: 'score', token: null, value: 'NaN' }]);
  expect(report.rules.find(({ rule }) => rule === 'non-finite')?.found).toBe(1);
});

describe('packed files', () => {
  test.each([1, 7, 64_000])('gzip in pieces of %i bytes is the same batch', async (size) => {
    const lines = LAB.split('\n').slice(0, 3).join('\n');
    const [plain, packed] = [await audited(lines), await audited(gzipSync(lines), size)];
    expect(packed.trajectories).toEqual(plain.trajectories);
    expect(packed.trajectories).toHaveLength(3);
  });

  test('one that was cut off gives what came before, and a problem', async () => {
    const packed = gzipSync(LAB);
    const { reading, trajectories } = await audited(packed.subarray(0, packed.length - 200));
    expect(trajectories.length).toBeGreaterThan(3);
    expect(trajectories.length).toBeLessThan(24);
    expect(reading.problems.at(-1)?.what).toMatch(/^cannot be unpacked: ./);
  });

  test.each([
    ['PK\u0003\u0004', /ZIP/],
    ['abc\u0000def', /holds no text/],
  ])('%j is refused with advice', async (start, words) => {
    await expect(audited(start)).rejects.toThrow(words);
  });
});

test('rows of Parquet are lines, with lists and without what pandas left out; a damaged file is a problem', async () => {
  const file = readFileSync('test/batch/trainers/trl.parquet');
  const { reading, trajectories, report } = await audited(file);
  expect(reading.problems).toEqual([]);
  expect(trajectories.map(({ length, rolesFrom }) => [length, rolesFrom])).toEqual(Array(8).fill([27, 'texts']));
  expect(trajectories.map(({ reward }) => reward)).toEqual([null, 1, 4.125, 2.125, 2.125, 3.125, 2.125, 2.25]);
  expect(report.rules.filter(({ state }) => state === 'found').map(({ rule }) => rule)).toEqual([]);
  for (const damaged of [file.subarray(0, 4000), Buffer.concat([file.subarray(0, 3000), file.subarray(3100)])]) {
    const { reading } = await audited(damaged);
    expect(reading.problems.map(({ what }) => what)).toEqual([expect.stringMatching(/^cannot be unpacked: it is dam/)]);
  }
});

test.each([
  ['values', /more than 10000000 values/],
  ['texts', /more than 536870912 letters in its rows/],
])(
  'a small Parquet file of very many %s ends with a word',
  async (name, words) => {
    const { reading } = await audited(readFileSync(`test/batch/trainers/${name}.parquet`));
    expect(reading.problems.at(-1)?.what).toMatch(words);
  },
  60_000,
);

test('a mark of the byte order, line ends of two letters and a cut letter change nothing', async () => {
  const { trajectories, reading } = await audited(`\ufeff${GOOD}\r\n${GOOD}`, 1);
  expect(reading.problems).toEqual([]);
  expect(trajectories.map(({ segments }) => segments?.[0]?.text)).toEqual(['añ', 'añ']);
});

test('a line that is too long is passed over in bounded memory', async () => {
  const lines: unknown[] = [];
  for await (const line of split(bytesOf(`ab\n${'x'.repeat(5000)}\ncd\n${'y'.repeat(11)}`, 100), 10)) lines.push(line);
  expect(lines).toEqual([
    { number: 1, text: 'ab' },
    { number: 2, text: null },
    { number: 3, text: 'cd' },
    { number: 4, text: null },
  ]);
});

test('arrays that fit no tokens are left out and told', async () => {
  const text = [
    TOKENS.replace('}', ', "advantages": [1, 2, 3, 4, 5, 6, 7]}'),
    TOKENS.replace('}', ', "tokens": ["a"]}'),
  ].join('\n');
  expect(await problemsOf(text)).toEqual([
    '1 advantages has 7 values, for 2 tokens of prompt and 3 of response; it is left out',
    '2 tokens has 1 texts, for 5 tokens; they are left out',
  ]);
});

test('keys of prototypes name nothing and change nothing', async () => {
  const text = [
    '{"__proto__": {"messages": [{"role": "user", "content": "a"}]}, "constructor": 1}',
    TOKENS.replace(
      '"score": 1',
      '"__proto__": {"score": 5, "polluted": 1}, "roles": ["constructor", "__proto__", "action", "x", 3]',
    ),
    '{"completion": "a", "prompt": "b", "__proto__": 3, "hasOwnProperty": 4, "advantage": 0}',
  ].join('\n');
  const { trajectories, reading } = await audited(text);
  expect(reading.problems.map(({ line, what }) => [line, what.slice(0, 40)])).toEqual([
    [1, 'is of no known form; its fields are __pr'],
    [2, 'roles has names that are not known, as c'],
  ]);
  expect(trajectories.map(({ reward }) => reward)).toEqual([null, 7]);
  expect(trajectories[0]?.rolesFrom).toBe('trained');
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('nesting of any depth is read or told', async () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const { reading, trajectories } = await audited([deep, GOOD.replace('1}', `${deep}}`), GOOD].join('\n'), 64_000);
  expect(trajectories.at(-1)).toMatchObject({ line: 3, reward: 1 });
  expect(reading.problems.every(({ what }) => what.length < 400)).toBe(true);
});

test('values of any kind in any field are read or told, and never thrown at', async () => {
  const random = seeded(3);
  const junk = [
    null,
    true,
    -1,
    1e308,
    2 ** 53,
    '',
    'NaN',
    [],
    {},
    [[1]],
    [{}],
    ['a', null],
    { length: 9 },
    ['Infinity'],
    '__proto__',
  ];
  const pick = <T>(of: readonly T[]): T | undefined => of[Math.floor(random() * of.length)];
  const lines: string[] = [];
  for (const { write } of Object.values(WRITERS)) {
    for (const [index, one] of cleanBatch().slice(0, 4).entries()) {
      const record = write(one, index) as Record<string, unknown>;
      const names = Object.keys(record);
      for (const name of names)
        lines.push(JSON.stringify({ ...record, [name]: pick(junk), [pick(names) ?? name]: pick(junk) }));
    }
  }
  const { reading, report, trajectories } = await audited(lines.join('\n'), 64_000);
  expect(lines.length).toBeGreaterThan(300);
  expect(trajectories.length).toBeGreaterThan(100);
  expect(reading.problemCount).toBeGreaterThan(50);
  for (const { tokenShare, gradientShare } of report.rules) {
    for (const share of [tokenShare, gradientShare]) expect(share === null || (share >= 0 && share <= 1)).toBe(true);
  }
});
