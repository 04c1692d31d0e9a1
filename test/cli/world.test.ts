/** Users' worlds on the command line: looked at, trained in, resumed, and refused with the mistake's line. */
import { expect, test } from 'vitest';
import { expectRefusal, LAB_TIMEOUT, lab, labFiles, labResult } from '../support/lab';
import { MISTAKE, numberedWalk, walkText } from '../support/ownWorlds';

const { at, file } = labFiles();

test('lab world says what a world is and what fails, with the exit code', { timeout: LAB_TIMEOUT }, () => {
  const path = file('walk.js', walkText());
  const report = labResult<Report>('world', path, '--episodes', '50');
  expect(report).toMatchObject({ file: path, title: 'Walk', expertSuccess: 1, words: 10 });
  expect(report.checks.every(({ ok }) => ok !== false)).toBe(true);
  expect(report.speed.cold).toBeGreaterThan(0);
  expect(report.speed.warm).toBeGreaterThan(report.speed.cold);
  const bad = lab('world', file('bad.js', walkText({ step: '() => missing' })), '--set', 'length=4');
  expect(bad.status).toBe(1);
  expect(bad.stdout).toMatch(/FAIL {2}.*bad\.js:11:\d+: step\(\): ReferenceError: missing is not defined/);
  expectRefusal(lab('world', at('nowhere.js')), /nowhere\.js cannot be read/);
});

interface Report {
  readonly title: string;
  readonly checks: readonly { readonly ok: boolean | null }[];
  readonly speed: { readonly cold: number; readonly warm: number };
}

interface Result {
  readonly arms: readonly { readonly seeds: readonly { readonly curve: Record<string, (number | null)[]> }[] }[];
}

test('a run in a world is the same on any number of threads, and when it is resumed', { timeout: LAB_TIMEOUT }, () => {
  const path = file('slippery.js', walkText());
  const out = at('run');
  const settings = ['--world', path, '--set', 'environment.slip=0.25', '--backend', 'cpu', '--seeds', '0'];
  const run = (...more: string[]): Result['arms'] =>
    labResult<Result>('run', 'gridworld-tiny', ...settings, '--updates', '4', ...more).arms;
  const one = run('--workers', '1');
  expect(run('--workers', '2')).toEqual(one);
  const floor = one[0]?.seeds[0]?.curve.observationFloor ?? [];
  for (const nats of floor) expect(nats).toBeCloseTo(-0.25 * Math.log(0.25) - 0.75 * Math.log(0.75), 5);
  labResult('run', 'gridworld-tiny', ...settings, '--updates', '2', '--out', out);
  expect(labResult<Result>('run', '--resume', out, '--updates', '4').arms).toEqual(one);
});

test('a world that is wrong is refused before anything is trained', { timeout: LAB_TIMEOUT }, () => {
  const run = (text: string, ...more: string[]) => lab('run', 'gridworld-tiny', '--world', file('w.js', text), ...more);
  expectRefusal(run('export default {\n  title: 3 };'), /w\.js: .*default export has no create\(settings\)/);
  expectRefusal(
    run(walkText(), '--set', 'environment.length=99'),
    /--set environment\.length=99: .*length cannot be 99/,
  );
  // An error that only an episode shows ends the run, with what was saved.
  const late = run(walkText({ step: '() => missing' }), '--updates', '2', '--backend', 'cpu');
  expect(late.status).toBe(1);
  expect(late.stderr).toMatch(/missing is not defined \(line 11\)/);
});

test('a run that its world ended goes on in the mended file, to the same numbers', { timeout: LAB_TIMEOUT }, () => {
  const out = at('mended');
  const begin = (text: string) => ['gridworld-tiny', '--world', file('n.js', text), '--backend', 'cpu', '--seeds', '0'];
  const whole = labResult<Result>('run', ...begin(numberedWalk()), '--updates', '14');
  const broken = lab('run', ...begin(numberedWalk(MISTAKE)), '--updates', '14', '--out', out);
  expect(broken.status).toBe(1);
  expect(broken.stderr).toMatch(/line 12\).*To continue from update \d+: .*--resume .*mended --world FILE/s);
  expectRefusal(
    lab(
      'run',
      '--resume',
      out,
      '--world',
      file('other.js', walkText({ words: "['z', 'c0', 'c1', 'c2', 'c3', 'c4']" })),
    ),
    /other words/,
  );
  const mended = labResult<Result>('run', '--resume', out, '--world', file('n.js', numberedWalk()));
  expect(mended.arms).toEqual(whole.arms);
});

test('prompts with a checker are a world, and what is wrong with a line is said', { timeout: LAB_TIMEOUT }, () => {
  const task = JSON.stringify({ prompt: 'The animal that barks is the', check: { contains: 'dog' } });
  const checked = lab('world', file('animals.jsonl', task), '--episodes', '5');
  expect(checked).toMatchObject({ status: 0, stdout: expect.stringContaining('animals: Answer what is asked.') });
  expectRefusal(
    lab('world', file('wrong.jsonl', `${task}\n{"prompt":1}`)),
    /wrong\.jsonl, line 2: prompt must be a text/,
  );
  expectRefusal(
    lab('run', 'gridworld-tiny', '--world', at('animals.jsonl')),
    /read and written as text: let the policies begin from stories260K/,
  );
});
