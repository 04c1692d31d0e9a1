/** Columns that are there and say nothing: each is told, and no rule takes it for a clean bill. */
import { expect, test } from 'vitest';
import { type Audited, audited } from './audited';
import { cleanBatch } from './episodes';
import { linesOf, WRITERS } from './forms';

type Line = Record<string, unknown>;

/** The clean batch as verl's tensors with texts, each line changed. */
async function changed(
  change: (line: Line, index: number) => Line,
  form = 'verl, tensors and texts',
): Promise<Audited> {
  const write = WRITERS[form]?.write ?? String;
  return audited(
    linesOf(cleanBatch(), (one, index) => change(write(one, index) as Line, index)),
    64_000,
  );
}

const stateOf = ({ report }: Audited, rule: string): string | undefined =>
  report.rules.find((one) => one.rule === rule)?.state;
const listIn = (line: Line, name: string): unknown[] => line[name] as unknown[];

test.each([
  ['verl, tensors and texts', 'response_mask', null, /has no number among|no numbers/],
  ['verl, tensors and texts', 'response_mask', '1', /^response_mask has values that are no numbers/],
  ['verl, tensors and texts', 'loss_mask', '1', /^loss_mask is no number/],
  ['TRL, tensors and texts', 'tool_mask', '1', /^tool_mask has values that are no numbers/],
  ['OpenEnv, masks and a trainer’s numbers', 'loss_mask', null, /^loss_mask has values that are no numbers/],
])('%s: a mask %s of %j is no mask', async (form, name, value, words) => {
  const all = await changed((line) => {
    const list = line[name];
    return { ...line, [name]: Array.isArray(list) ? list.map(() => value) : value };
  }, form);
  expect(all.reading.problems[0]?.what).toMatch(words);
  expect(all.trajectories[0]?.columns.weight).toBeUndefined();
  for (const rule of ['leak', 'untrained-action', 'untrained-stop', 'truncated', 'dominated']) {
    expect(stateOf(all, rule)).toBe('unseen');
  }
});

test('weights below 0 are told', async () => {
  const all = await changed((line) => ({
    ...line,
    response_mask: listIn(line, 'response_mask').map((one) => -Number(one)),
  }));
  expect(all.reading.problems[0]?.what).toMatch(/^has 1\d weights below 0/);
});

test.each([
  [['gpt', 'function'], /^roles has names that are not known, as gpt, function;/],
  [['assistant'], /^roles has 3 names, for \d+ tokens/],
])('roles %j are told, and the texts say them', async (names, words) => {
  const all = await changed((line) => {
    const length = names.length === 1 ? 3 : listIn(line, 'tokens').length;
    return { ...line, roles: Array.from({ length }, (_, at) => names[at % names.length]) };
  });
  expect(all.reading.problems[0]?.what).toMatch(words);
  expect(all.trajectories[0]?.rolesFrom).toBe('texts');
});

test('a token without a text keeps the texts of the others', async () => {
  const all = await changed((line) => ({
    ...line,
    tokens: listIn(line, 'tokens').map((text, at) => (at === 3 ? null : text)),
  }));
  expect(all.trajectories[0]?.texts?.[3]).toBe('');
  expect(all.trajectories[0]?.rolesFrom).toBe('texts');
  expect((await changed((line) => ({ ...line, tokens: [{}] }))).reading.problems[0]?.what).toMatch(
    /^tokens is no list/,
  );
});

test('numbers that single precision does not have are told, and no share is none', async () => {
  const all = await changed((line) => ({
    ...line,
    advantages: listIn(line, 'advantages').map((one) => Number(one) * 1e308),
  }));
  expect(stateOf(all, 'non-finite')).toBe('found');
  expect(all.summary.rows().every(({ gradient }) => Number.isFinite(gradient))).toBe(true);
});

test('long names of groups are compared whole', async () => {
  const all = await changed((line, index) => {
    const isSilent = index < 4;
    const none = (list: unknown[]): unknown[] => (isSilent ? list.map(() => 0) : list);
    return {
      ...line,
      uid: `${'You are a helpful assistant. '.repeat(10)}${String(line.uid)}`,
      advantages: none(listIn(line, 'advantages')),
      token_level_scores: none(listIn(line, 'token_level_scores')),
    };
  });
  expect(stateOf(all, 'silent-group')).toBe('found');
  expect(new Set(all.trajectories.map(({ group }) => group)).size).toBe(6);
});
