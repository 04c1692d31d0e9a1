import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EnvironmentSettings } from '../../src/environments/environment';
import { drawnSet } from '../../src/environments/replay';
import type { TerminalScene } from '../../src/environments/scene';
import { isHeldOut, readTask } from '../../src/environments/terminal/machine';
import { terminal } from '../../src/environments/terminal/terminal';
import { WORDS } from '../../src/environments/terminal/terminalWords';
import { ROLE } from '../../src/foundation/roles';
import { checkContract, expertly, play, randomly, recklessly, stream, successRate } from '../support/episodes';
import { LARGE, typed } from '../support/terminal';

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
    const { recorder } = play(environment, task, () => typed('exit'));
    const words = recorder.words();
    expect(words[0]).toBe('<bos>');
    expect(words.slice(1, 8).join(' ')).toMatch(/^delete files with [a-z]+ in home home\$$/);
    expect(words.slice(8)).toEqual(['exit', '<enter>']);
  });

  /** Types lines one after another, then `exit`. */
  const say = (...lines: string[]) => {
    const task = environment.drawTask(stream(12));
    const played = play(environment, task, (_world, _slot, turn) => typed(lines[turn] ?? 'exit'));
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
    const { recorder } = play(small, task, (_world, _slot, turn) => typed(turn === 0 ? 'cat *' : 'exit'));
    const words = recorder.words();
    expect(words.indexOf('<cut>') - words.indexOf('<enter>')).toBe(6);
    expect(words[words.indexOf('<cut>') + 1]).toBe('home$');
  });

  it('knows when an answer follows from what was shown: floors of 0, and unknown elsewhere', () => {
    const [first = ''] = targets;
    const { floors } = say(`cat ${first}`, `cat ${first}`, `wc ${first}`, 'ls', `rm ${first}`, `cat ${first}`, 'wc *');
    expect(floors.slice(0, 7)).toEqual([Number.NaN, 0, 0, 0, 0, 0, Number.NaN]);
    const fixed = terminal.create({ machine: 'fixed' });
    expect(play(fixed, fixed.drawTask(stream(4)), () => typed('cat *')).floors.every((floor) => floor === 0)).toBe(
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

describe('malformed lines', () => {
  const nonsense = (settings: EnvironmentSettings) => {
    const environment = terminal.create({ horizon: 8, ...settings });
    return play(environment, environment.drawTask(stream(1)), () => typed('oak'));
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
    expect(drawnSet(environment.createWorld(1), 0)).toBe(0);
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
