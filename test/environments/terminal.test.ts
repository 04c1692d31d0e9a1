import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EnvironmentSettings, TerminalScene } from '../../src/environments/environment';
import { isHeldOut, readTask } from '../../src/environments/terminal/machine';
import { similarity } from '../../src/environments/terminal/similarity';
import { terminal } from '../../src/environments/terminal/terminal';
import { COMMANDS, WORDS } from '../../src/environments/terminal/words';
import { ROLE } from '../../src/foundation/roles';
import { checkContract, expertly, play, randomly, recklessly, stream, successRate } from '../support/episodes';
import { StringShell } from '../support/stringShell';

const LARGE = {
  directories: 3,
  files: 8,
  lines: 4,
  lineWords: 2,
  content: 16,
  actionTokens: 8,
  output: 24,
  horizon: 10,
};
const VARIANTS = {
  'the default': {},
  'a fixed machine': { machine: 'fixed' },
  'a directory': { directories: 1, files: 4, horizon: 5 },
  counting: { tasks: 'count', actionTokens: 8 },
  'counting by eye': { tasks: 'count', directories: 1, lines: 4, lineWords: 3 },
  'counting by wc, then writing': { tasks: 'count', actionTokens: 6 },
  finding: { tasks: 'find', directories: 3, files: 6, horizon: 6 },
  editing: { tasks: 'edit', lineWords: 4, actionTokens: 6, grading: 'similarity' },
  'editing among directories': { tasks: 'edit', directories: 2, lines: 2, lineWords: 2 },
  'everything, on a large disk': { ...LARGE, tasks: 'mixed' },
} as const;

const tokensOf = (line: string): number[] =>
  `${line} <enter>`
    .trim()
    .split(' ')
    .map((word) => WORDS.indexOf(word));

describe.each(Object.entries(VARIANTS))('the terminal: %s', (_, settings) => {
  const environment = terminal.create(settings);

  it('keeps to the contract of environments, whatever is typed', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => checkContract(environment, seed, 'grading' in settings ? [-1, 1] : [0, 1])),
      { numRuns: 50 },
    );
  });

  it('is mastered by the expert, in practised and in held-out tasks', () => {
    expect(successRate(environment, expertly, 300)).toBe(1);
    expect(environment.hasHeldOut).toBe(true);
    expect(successRate(environment, expertly, 100, 'held-out')).toBe(1);
  });

  it('never draws a held-out task for training', () => {
    const random = stream(2);
    for (let draw = 0; draw < 200; draw++) {
      expect(isHeldOut(readTask(environment.drawTask(random, 'train')))).toBe(false);
      expect(isHeldOut(readTask(environment.drawTask(random, 'held-out')))).toBe(true);
    }
  });
});

describe('the default terminal', () => {
  const environment = terminal.create({});

  it('has 60 to 120 words, a context of at most 160 tokens, and is solved by chance in 1 to 10% of sessions', () => {
    expect(WORDS.length).toBe(new Set(WORDS).size);
    expect(WORDS.length).toBeGreaterThanOrEqual(60);
    expect(WORDS.length).toBeLessThanOrEqual(120);
    expect(environment.context).toBeLessThanOrEqual(160);
    const episodes = 6000;
    const rate = successRate(environment, randomly(environment, stream(5)), episodes);
    expect(rate).toBeGreaterThan(0.01);
    expect(rate).toBeLessThan(0.1);
    // Four standard errors of two simulations.
    const known = environment.randomSuccess ?? 0;
    expect(Math.abs(rate - known)).toBeLessThan(4 * Math.sqrt((2 * known) / 4096));
  });
});

describe('a session', () => {
  const environment = terminal.create({ horizon: 8 });

  it('asks a task, in words, and prompts', () => {
    const task = environment.drawTask(stream(1));
    const { recorder } = play(environment, task, () => tokensOf('exit'));
    const words = recorder.words();
    expect(words[0]).toBe('<bos>');
    expect(words.slice(1, 8).join(' ')).toMatch(/^delete files with [a-z]+ in home home\$$/);
    expect(words.slice(8)).toEqual(['exit', '<enter>']);
  });

  /** Types lines one after another, then `exit`. */
  const say = (...lines: string[]) => {
    const task = environment.drawTask(stream(12));
    const played = play(environment, task, (_world, _slot, turn) => tokensOf(lines[turn] ?? 'exit'));
    const scenes = environment.scenes?.(
      task,
      played.recorder.tokens,
      played.recorder.roles,
    ) as readonly TerminalScene[];
    return { ...played, scenes, last: scenes.at(-1) as TerminalScene };
  };
  const files = say().last.files.filter(({ isDirectory }) => !isDirectory);
  const named = (path: string): string => path.split('/').at(-1) ?? '';
  const targets = files.filter(({ isTarget }) => isTarget).map(({ path }) => named(path));
  const others = files.filter(({ isTarget }) => !isTarget).map(({ path }) => named(path));

  it('rewards the disk at the end, not the way there', () => {
    expect(say(`rm ${targets.join(' ')}`).world.reward(1)).toBe(1);
    expect(say().world.reward(1)).toBe(0);
    expect(say(`rm ${targets.join(' ')}`, `rm ${others[0]}`).world.reward(1)).toBe(0);
    expect(say(`rm ${targets.join(' ')}`, `echo > ${others[0]}`).world.reward(1)).toBe(0);
    const lastly = say('', '', '', '', '', '', '', `rm ${targets.join(' ')}`);
    expect([lastly.actions.length, lastly.world.reward(1)]).toEqual([8, 1]);
  });

  it('says errors of the shell as observations, and warns of lines without form', () => {
    const error = say('cat index');
    expect(error.last.lines[1]).toEqual({ kind: 'error', prompt: null, text: 'no-such-file index' });
    expect(error.recorder.roles).not.toContain(ROLE.warning);
    for (const line of ['oak', '| ls', 'ls |', 'cat', 'grep oak', '> todo', 'ls > oak', 'exit ls']) {
      const warning = say(line);
      expect(warning.last.lines[1]?.kind, line).toBe('warning');
      expect(warning.recorder.roles.filter((role) => role === ROLE.warning)).toHaveLength(2);
    }
  });

  it('cuts off what is too long', () => {
    const small = terminal.create({ output: 6, files: 8, lines: 4, content: 3, horizon: 8 });
    const task = small.drawTask(stream(3));
    const { recorder } = play(small, task, (_world, _slot, turn) => tokensOf(turn === 0 ? 'cat *' : 'exit'));
    const words = recorder.words();
    expect(words.indexOf('<cut>') - words.indexOf('<enter>')).toBe(6);
    expect(words[words.indexOf('<cut>') + 1]).toBe('home$');
  });

  it('knows when an answer follows from what was shown: floors of 0, and unknown elsewhere', () => {
    const [first = ''] = targets;
    const { floors } = say(`cat ${first}`, `cat ${first}`, `wc ${first}`, 'ls', `rm ${first}`, `cat ${first}`, 'wc *');
    expect(floors.slice(0, 7)).toEqual([Number.NaN, 0, 0, 0, 0, 0, Number.NaN]);
    const fixed = terminal.create({ machine: 'fixed' });
    expect(play(fixed, fixed.drawTask(stream(4)), () => tokensOf('cat *')).floors.every((floor) => floor === 0)).toBe(
      true,
    );
  });

  it('makes progress by looking and by doing', () => {
    const world = environment.createWorld(2);
    const progress: number[] = [];
    play(
      environment,
      environment.drawTask(stream(12)),
      (same, slot) => {
        progress.push(same.progress?.(slot) ?? Number.NaN);
        return same.expert?.(slot) ?? [];
      },
      world,
    );
    expect(progress).toEqual([0, 0.5, 1]);
    expect(say(`rm ${others[0]}`).world.progress?.(1)).toBe(0);
  });
});

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
          tokensOf(shorter[turn] ?? 'echo').filter((t) => t >= 0),
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
            const { recorder, floors } = play(environment, task, (_world, _slot, turn) =>
              tokensOf(lines[turn] ?? 'exit'),
            );
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

describe('malformed lines', () => {
  const nonsense = (settings: EnvironmentSettings) => {
    const environment = terminal.create({ horizon: 8, ...settings });
    return play(environment, environment.drawTask(stream(1)), () => tokensOf('oak'));
  };

  it('cost a turn, or the session, or reward, or are said as any observation', () => {
    expect(nonsense({}).actions).toHaveLength(8);
    expect(nonsense({ malformed: 'end' }).actions).toHaveLength(1);
    expect(nonsense({ malformed: 'penalty', penalty: 0.05 }).world.reward(1)).toBeCloseTo(-0.4, 12);
    const hard = nonsense({ hardErrors: true }).recorder;
    expect(hard.roles).not.toContain(ROLE.warning);
    expect(hard.words()).toContain('malformed');
  });

  it('are what free decoding mostly draws, which the contract bears', () => {
    const environment = terminal.create({ decoding: 'free', malformed: 'penalty', penalty: 0.1, horizon: 8 });
    expect(environment.createWorld(1).legalSet(0)).toBe(0);
    fc.assert(
      fc.property(fc.nat(), (seed) => checkContract(environment, seed, [-0.8, 1])),
      { numRuns: 30 },
    );
    const { recorder } = play(environment, environment.drawTask(stream(3)), recklessly(environment, stream(4)));
    expect(recorder.roles).toContain(ROLE.warning);
  });
});

describe('settings of the terminal', () => {
  it('that leave nothing to do are refused, with advice', () => {
    expect(() => terminal.create({ tasks: 'find' })).toThrow(/at least one directory/);
    expect(terminal.create({ tasks: 'mixed' }).drawTask(stream(1))[0]).toBeLessThan(2);
    expect(() => terminal.create({ tasks: 'edit' })).toThrow(/left of a line/);
    expect(() => terminal.create({ tasks: 'edit', lineWords: 3 })).toThrow(/left of a line/);
  });

  it('hold nothing out when asked not to', () => {
    expect(terminal.create({ holdOut: false }).hasHeldOut).toBe(false);
  });
});

describe('similarity of an answer to the right one', () => {
  it.each<[number[], number[], number]>([
    [[], [], 1],
    [[1], [], 0],
    [[3], [1, 2], 0],
    [[1, 2], [2, 1], 0.5],
    [[1, 2, 3], [2, 3], 0.8],
    [[1, 2, 3, 4], [1, 9, 3, 4], 0.75],
    [[5, 1, 5], [5, 5, 1], 0.6666666666666666],
    [[0, 1, 0, 0, 0, 2], [0, 1, 2, 0, 1, 2], 0.6666666666666666],
    [[0, 1, 2, 0, 1, 2], [0, 1, 0, 0, 0, 2], 0.5],
    [[2, 2, 1, 2, 0, 2], [2, 1, 0, 2, 2, 0], 0.5],
    [[2, 1, 0, 2, 2, 0], [2, 2, 1, 2, 0, 2], 0.6666666666666666],
    [[1, 2, 1, 1, 1, 0], [2, 0, 0, 2, 1], 0.36363636363636365],
    [[0, 0, 2, 2, 2, 0, 1, 0, 2], [0, 2, 0, 2, 0, 1, 2, 2, 1], 0.6666666666666666],
  ])('of %j and %j is what Python’s difflib gives', (a, b, expected) => {
    expect(similarity(a, b)).toBe(expected);
  });

  const settings = { tasks: 'edit', lineWords: 4, actionTokens: 8, horizon: 4, grading: 'similarity' };
  const environment = terminal.create(settings);
  const task = environment.drawTask(stream(1));
  const [, , word = '', , file = ''] = play(environment, task, () => tokensOf('exit')).recorder.words();
  const scene = environment.scenes?.(task, [], []).at(0) as TerminalScene;
  const line = scene.files.find(({ path }) => path.endsWith(file))?.text ?? '';
  const left = line.split(' ').filter((other) => other !== word);
  const paid = (first: string, more: EnvironmentSettings = {}): number => {
    const played = play(terminal.create({ ...settings, ...more }), task, (_world, _slot, turn) =>
      tokensOf(turn === 0 ? first : 'exit'),
    );
    return played.world.reward(1);
  };

  it('is the reward, less for a word too many, and −1 without an answer', () => {
    expect(scene.task).toBe(`delete ${word} of ${file} in home`);
    expect(left.length).toBeLessThan(4);
    expect(paid(`echo ${left.join(' ')} > /answer`)).toBe(1);
    expect(paid(`cat ${file} > /answer`)).toBe((2 * left.length) / (4 + left.length));
    expect(paid('echo > /answer')).toBe(0);
    expect(paid('ls')).toBe(-1);
    expect(paid('oak', { malformed: 'end' })).toBe(-1);
  });

  it('is paid only where it is chosen, and success stays exact', () => {
    expect(paid(`cat ${file} > /answer`, { grading: 'exact' })).toBe(0);
    const played = play(environment, task, (_world, _slot, turn) =>
      tokensOf(turn === 0 ? `cat ${file} > /answer` : 'exit'),
    );
    expect(played.world.isSuccess(1)).toBe(false);
  });
});
