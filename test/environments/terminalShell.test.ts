/** The terminal's shell: against a model of it on strings, and its floors against what machines alike so far answer. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TerminalScene } from '../../src/environments/scene';
import { terminal } from '../../src/environments/terminal/terminal';
import { COMMANDS, WORDS } from '../../src/environments/terminal/terminalWords';
import { ROLE } from '../../src/foundation/roles';
import { play, stream } from '../support/episodes';
import { StringShell } from '../support/stringShell';
import { LARGE, typed } from '../support/terminal';

describe('the shell', () => {
  const environment = terminal.create({ ...LARGE, tasks: 'mixed', actionTokens: 10, output: 48, horizon: 16 });
  const paths = ['home', 'docs', 'logs', 'src'];
  const nouns = [
    'notes',
    'todo',
    'plan',
    'list',
    'mail',
    'data',
    'draft',
    'index',
    '/answer',
    '*',
    '..',
    'docs',
    'logs',
    'src',
  ];
  const word = fc.constantFrom(
    ...nouns,
    ...nouns,
    'home',
    '3',
    ...WORDS.slice(WORDS.indexOf('apple'), WORDS.indexOf('apple') + 16),
  );
  const command = fc
    .tuple(fc.constantFrom(...COMMANDS), fc.array(word, { maxLength: 3 }))
    .filter(([name]) => name !== 'exit')
    .map(([name, words]) => [name, ...words].join(' '));
  const pipeline = fc
    .tuple(command, fc.constantFrom('cat', 'grep oak', 'grep fox', 'wc', 'ls', 'wc todo'))
    .map((parts) => parts.join(' | '));
  const writing = fc.tuple(fc.oneof(command, pipeline), word).map((parts) => parts.join(' > '));
  const nonsense = fc
    .array(fc.oneof(word, fc.constantFrom('|', '>', ...COMMANDS)), { maxLength: 6 })
    .map((words) => words.join(' '));
  const line = fc.oneof({ weight: 5, arbitrary: command }, { weight: 2, arbitrary: pipeline }, writing, nonsense);

  it('does what an independent model on strings does', () => {
    let compared = 0;
    fc.assert(
      fc.property(fc.nat(), fc.array(line, { minLength: 16, maxLength: 16 }), (seed, lines) => {
        const task = environment.drawTask(stream(seed));
        const opening = environment.scenes?.(task, [], []).at(0) as TerminalScene;
        const model = new StringShell(filesOf(opening), paths);
        const shorter = lines.filter((text) => text.split(' ').length < 10);
        const { recorder } = play(environment, task, (_world, _slot, turn) =>
          typed(shorter[turn] ?? 'echo').filter((t) => t >= 0),
        );
        const answers = answersOf(recorder.words(), recorder.roles);
        for (const [turn, text] of shorter.entries()) {
          const expected = model.run(text);
          if (expected === undefined) break;
          const said = answers[turn] ?? '';
          if (expected === null) {
            expect(said, text).toMatch(/^malformed /);
            continue;
          }
          const whole = [expected.join(' <line> '), `${model.directory}$`].filter(Boolean).join(' ');
          const printed = whole.trim().split(/ +/);
          const cut = [...printed.slice(0, 47), '<cut>', printed.at(-1)].join(' ');
          expect(said, text).toBe(printed.length > 49 ? cut : printed.join(' '));
          compared += 1;
        }
        const scenes = environment.scenes?.(task, recorder.tokens, recorder.roles) as readonly TerminalScene[];
        if (shorter.every((text) => text !== 'exit') && shorter.length === 16) {
          const texts = (files: Map<string, string[]>) =>
            [...files].map(([path, text]) => `${path}: ${text.join('/')}`).sort();
          expect(texts(filesOf(scenes.at(-1) as TerminalScene))).toEqual(texts(model.files));
        }
      }),
      { numRuns: 150 },
    );
    expect(compared).toBeGreaterThan(1000);
  });

  /** Present files by path: `home/todo`, `docs/todo`. */
  function filesOf({ files }: TerminalScene): Map<string, string[]> {
    const there = files.filter(({ isDirectory, state }) => !isDirectory && state === 'there');
    return new Map(there.map(({ path, text }) => [path.replace(/^home\/(?=.*\/)/, ''), text.split('\n')] as const));
  }

  /** Words of the observations after each action. */
  function answersOf(words: readonly string[], roles: readonly number[]): string[] {
    const answers: string[][] = [];
    roles.forEach((role, t) => {
      if (role === ROLE.action && roles[t - 1] !== ROLE.action) answers.push([]);
      else if (role !== ROLE.action) answers.at(-1)?.push(words[t] as string);
    });
    return answers.map((said) => said.join(' '));
  }
});

describe('a floor of 0 on fresh machines', () => {
  const pool = [
    'ls',
    'ls docs',
    'cd docs',
    'cd ..',
    'cat *',
    'cat notes',
    'cat todo',
    'grep owl *',
    'wc notes',
    'wc todo',
  ];
  const more = [
    'rm todo',
    'ls | wc',
    'cat notes > todo',
    'wc notes > /answer',
    'cat /answer',
    'echo owl > notes',
    'cat index',
  ];

  it.each([0, 1])(
    'means that all machines with the same session so far answer alike (%i directories)',
    (directories) => {
      const environment = terminal.create({
        directories,
        files: 2,
        lines: 2,
        content: 3,
        horizon: 6,
        actionTokens: 6,
        holdOut: false,
      });
      const line = fc.constantFrom(...pool, ...more);
      let [certain, repeated] = [0, 0];
      fc.assert(
        fc.property(fc.array(line, { minLength: 6, maxLength: 6 }), fc.nat(), (lines, seed) => {
          const random = stream(seed);
          const answers = new Map<string, string>();
          for (let episode = 0; episode < 40; episode++) {
            const task = environment.drawTask(random);
            const { recorder, floors } = play(environment, task, (_world, _slot, turn) => typed(lines[turn] ?? 'exit'));
            const starts = recorder.roles.flatMap((role, t) =>
              role === ROLE.action && recorder.roles[t + 1] !== ROLE.action ? [t + 1] : [],
            );
            for (const [turn, start] of starts.entries()) {
              if (floors[turn] !== 0) continue;
              const before = recorder.tokens.slice(0, start).join();
              const answer = recorder.tokens
                .slice(start, starts[turn + 1])
                .filter((_, t) => recorder.roles[start + t] !== ROLE.action)
                .join();
              certain += 1;
              if (answers.has(before)) repeated += 1;
              expect(answers.get(before) ?? answer, lines.join('; ')).toBe(answer);
              answers.set(before, answer);
            }
          }
        }),
        { numRuns: 120 },
      );
      expect(certain).toBeGreaterThan(1000);
      expect(repeated).toBeGreaterThan(1000);
    },
  );
});
