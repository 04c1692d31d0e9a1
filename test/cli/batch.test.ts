/** `lab batch`: files of other trainers told, audited, and refused where they cannot be read. */
import { expect, test } from 'vitest';
import { cleanBatch, type Episode, FAULTS } from '../batch/episodes';
import { linesOf, WRITERS } from '../batch/forms';
import { expectRefused, LAB_TIMEOUT, lab, labFiles, labResult } from '../support/lab';

const { at, file } = labFiles();
/** Without the ids that the engine sampled, so that one rule cannot look. */
const write = (one: Episode, index: number): unknown => {
  const whole = WRITERS['verl, tensors and texts']?.write(one, index) ?? {};
  const { sampled_ids: _, ...line } = whole as Record<string, unknown>;
  return line;
};
const faulty = (...faults: string[]): string => {
  const batch = cleanBatch();
  for (const fault of faults) FAULTS[fault]?.(batch);
  return linesOf(batch, write);
};

test('tells what was found, the weights by role, and the findings with their places', { timeout: LAB_TIMEOUT }, () => {
  const path = file('leak.jsonl', `${faulty('leak')}{"broken\n`);
  const { stdout, status } = lab('batch', path);
  expect(status).toBe(0);
  expect(stdout).toContain('a verl batch by token: 24 trajectories\n');
  expect(stdout).toMatch(/missing {2}current log-probs/);
  expect(stdout).toContain('leak.jsonl:25 is no JSON');
  expect(stdout).toMatch(/^observation +120 .* 5 +5 +0 /m);
  expect(stdout).toMatch(/^FOUND leak +5 tokens \(.*in 1 trajectory, .* of \|∂loss\/∂logp\|/m);
  expect(stdout).toMatch(/leak\.jsonl:4 trajectory 4, token \d+: a token of the observation is trained: “word/);
  expect(stdout).toMatch(/^ok {4}shift$/m);
  expect(stdout).toMatch(/^– {5}retokenised +cannot be seen, it needs/m);
  const { rules, problemCount } = labResult<{ rules: { rule: string; state: string }[]; problemCount: number }>(
    'batch',
    path,
  );
  expect(problemCount).toBe(1);
  expect(rules.filter(({ state }) => state === 'found').map(({ rule }) => rule)).toEqual(['leak']);
});

test('several files are one batch, and Markdown has it all as tables', { timeout: LAB_TIMEOUT }, () => {
  const [first, second] = [file('1.jsonl', faulty('template')), file('2.jsonl', faulty())];
  const { stdout } = lab('batch', first, second, '--markdown');
  expect(stdout).toContain('48 trajectories');
  expect(stdout).toContain('| template | found | 3 tokens');
  expect(stdout).toContain('the chat template is trained: “\\<\\|im\\_start\\|\\>”');
});

test('--fail-on is 1 for a finding and for a rule that cannot look', { timeout: LAB_TIMEOUT }, () => {
  const path = file('shift.jsonl', faulty('shift'));
  expect(lab('batch', path, '--fail-on', 'leak,mismatch').status).toBe(0);
  expect(lab('batch', path, '--fail-on', 'leak,shift')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('--fail-on: shift\n'),
  });
  expect(lab('batch', path, '--fail-on', 'retokenised').status).toBe(1);
});

test('refuses what is no batch, with advice', { timeout: LAB_TIMEOUT }, async () => {
  await expectRefused(['batch'], /No file was named/);
  await expectRefused(['batch', at('none.jsonl')], /none\.jsonl cannot be read/);
  await expectRefused(['batch', '.'], /is a folder/);
  await expectRefused(['batch', file('a.jsonl', '{}'), '--tokenizer', file('b.json', '[')], /tokenizer is no JSON/);
  const path = file('empty.jsonl', '\n');
  await expectRefused(['batch', path, '--fail-on', 'leaks'], /no rule “leaks”.*Rules are leak,/);
  await expectRefused(['batch', path, '--json', '--markdown'], /Choose one/);
  expect(lab('batch', path)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('it is empty') });
  const foreign = file('log.parquet', 'PAR1\u0000');
  expect(lab('batch', foreign)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/log\.parquet cannot be unpacked: it is damaged/),
  });
});

test('--what-if tells objectives and formulas side by side, and names what it does not know', {
  timeout: LAB_TIMEOUT,
}, async () => {
  const path = file('leak.jsonl', faulty('leak'));
  const formula = file('mine.loss', 'loss = -advantage * exp(logp - old_logp)');
  const { stdout } = lab('batch', path, '--what-if', `dapo,ppo,${formula}`);
  expect(stdout).toMatch(/^what if +policy loss .* cosine +λ as actions$/m);
  expect(stdout).toMatch(/^as used +–.* 1\.000 +–$/m);
  expect(stdout).toMatch(/^dapo .* 0\.9\d\d /m);
  expect(stdout).toMatch(/^mine\.loss /m);
  expect(stdout).toContain('Not ppo: it needs the values of a critic.');
  expect(lab('batch', path, '--what-if', 'dapo', '--markdown').stdout).toContain('## What if');
  await expectRefused(['batch', path, '--what-if', 'grpoo'], /There is no objective “grpoo”/);
});
