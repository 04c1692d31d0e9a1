/** Columns that are there and say nothing: each is told, and no rule takes it for a clean bill. */
import { describe, expect, test } from 'vitest';
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

test.each([null, '1'])('verifiers: masks of %j are no masks', async (value) => {
  const all = await changed((line) => {
    const turns = line.trajectory as { tokens: { completion_mask: unknown[] } }[];
    for (const { tokens } of turns) tokens.completion_mask = tokens.completion_mask.map(() => value);
    return line;
  }, 'verifiers, with tokens');
  expect(all.reading.problems[0]?.what).toMatch(/^has masks with values that are no numbers/);
  expect(stateOf(all, 'untrained-action')).toBe('unseen');
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

describe('a rule that has too little to look at is no clean bill', () => {
  test('groups of one', async () => {
    const all = await changed((line, index) => ({ ...line, uid: String(index) }));
    expect(stateOf(all, 'silent-group')).toBe('unseen');
    const some = await changed((line, index) => ({ ...line, uid: String(Math.max(4, index)) }));
    expect(some.report.rules.find(({ rule }) => rule === 'silent-group')).toMatchObject({
      ...{ state: 'clean', looked: 5, note: '1 group of two or more' },
      lacks: [{ what: 'a second trajectory of its prompt', trajectories: 19 }],
    });
  });

  test('fewer than 20 episodes', async () => {
    const write = WRITERS['verl, tensors and texts']?.write ?? String;
    const all = await audited(linesOf(cleanBatch().slice(0, 19), write));
    const { state, lacks, note } = all.report.rules.find(({ rule }) => rule === 'dominated') ?? {};
    expect([state, lacks]).toEqual(['unseen', [{ what: '20 episodes with a gradient', trajectories: 19 }]]);
    expect(note).toMatch(/^half of/);
  });
});

test.each(['rollout_is_weights', 'importance_sampling_ratio'])(
  '%s counts in the table by role as in the audit',
  async (name) => {
    const all = await changed((line, index) => ({ ...line, [name]: [index === 0 ? 3 : 1] }));
    const plain = await changed((line) => line);
    const gradientOf = ({ summary }: Audited): number =>
      summary.rows().reduce((sum, { gradient }) => sum + gradient, 0);
    const first = plain.trajectories[0]?.columns.weight?.filter((value) => value === 1).length ?? 0;
    expect(gradientOf(all)).toBe(gradientOf(plain) + 2 * first);
  },
);

test('an episode that ends within what a tool said was cut off', async () => {
  const batch = cleanBatch();
  const one = batch[5];
  if (one === undefined) throw new Error('There is no episode 5.');
  const end = one.roles.indexOf('observation') + 3;
  for (const list of [one.texts, one.roles, one.weights, one.old, one.rollout, one.advantages]) list.length = end;
  const all = await audited(linesOf(batch, WRITERS['verl, tensors and texts']?.write ?? String));
  expect(all.report.rules.find(({ rule }) => rule === 'truncated')?.places).toMatchObject([{ line: 6 }]);
});

test('what rejection sampling may have left out is said so', async () => {
  const all = await changed((line, index) => ({
    ...line,
    rollout_is_weights: 1,
    response_mask: listIn(line, 'response_mask').map((one, at) => (index === 3 && at === 2 ? 0 : one)),
  }));
  const { places } = all.report.rules.find(({ rule }) => rule === 'untrained-action') ?? {};
  expect(places?.map(({ line, what }) => [line, what])).toEqual([
    [4, expect.stringMatching(/^a sampled token is not trained, or rejection sampling left it out: “word/)],
  ]);
});

test('a reward function that does not apply is no number that is none', async () => {
  const lines = [1, 0].map((one) =>
    JSON.stringify({ step: 1, prompt: 'p', completion: `c${one}`, maths: 'NaN', code: one, advantage: one - 0.5 }),
  );
  const all = await audited(lines.join('\n').replaceAll('"NaN"', 'NaN'));
  expect(all.trajectories.map(({ reward }) => reward)).toEqual([1, 0]);
  expect(stateOf(all, 'non-finite')).toBe('clean');
});
