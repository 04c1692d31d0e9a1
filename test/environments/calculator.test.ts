import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculator } from '../../src/environments/calculator';
import type { Environment, EnvironmentSettings, TapeScene } from '../../src/environments/environment';
import { drawAction } from '../../src/environments/replay';
import { RandomStream } from '../../src/foundation/philox';
import { ROLE, type Role } from '../../src/foundation/roles';

const CALC = 6;
const FIRST_NUMBER = 11;
const RESULT = 5;
const DOWN = 6;

function play(
  environment: Environment,
  task: Int32Array,
  choose: (turn: number) => readonly number[],
  world = environment.createWorld(1),
) {
  const tokens: number[] = [];
  const roles: Role[] = [];
  const floors: number[] = [];
  let refused = false;
  const write = (token: number, role: Role): boolean => {
    refused ||= tokens.length >= environment.context;
    tokens.push(token);
    roles.push(role);
    return !refused;
  };
  world.reset(0, task, { emit: write });
  for (let turn = 0; !world.isDone(0); turn++) {
    const action = choose(turn);
    for (const token of action) write(token, 'action');
    world.step(0, action, { emit: write });
    floors.push(world.entropyFloor?.(0) ?? Number.NaN);
  }
  const words = tokens.map((token) => environment.words[token] as string);
  return { tokens, roles, words, floors, refused, reward: world.reward(0), success: world.isSuccess(0) };
}

/** First task for which `wanted` is true, such as one whose tool is down. */
function find(environment: Environment, wanted: (task: Int32Array) => boolean): Int32Array {
  for (let item = 0; ; item++) {
    const task = environment.drawTask(new RandomStream(3, 2, 0, 0, item));
    if (wanted(task)) return task;
  }
}

const anySettings = fc.record({
  operations: fc.constantFrom('add-subtract', 'add', 'multiply', 'all'),
  largest: fc.integer({ min: 2, max: 12 }),
  operands: fc.constantFrom(2, 3),
  turns: fc.integer({ min: 1, max: 5 }),
  tool: fc.constantFrom('down', 'works', 'flaky', 'none'),
  failure: fc.constantFrom(0, 0.3, 1),
  budget: fc.integer({ min: 1, max: 3 }),
  reveal: fc.boolean(),
  demonstrator: fc.constantFrom('computes', 'relies-on-tool'),
  heldOut: fc.constantFrom(0, 0.3),
  decoding: fc.constantFrom('legal', 'free'),
  malformed: fc.constantFrom('warning', 'end', 'penalty'),
});

function create(settings: EnvironmentSettings): Environment | null {
  try {
    return calculator.create(settings);
  } catch {
    return null;
  }
}

describe('the calculator', () => {
  it('asks the 155 questions of one-digit sums, offers 20 actions and fits into 9 tokens', () => {
    const environment = calculator.create({ heldOut: 0 });
    expect([environment.context, environment.maxTurns]).toEqual([9, 2]);
    expect(environment.legalSets[0]).toHaveLength(20);
    expect(environment.legalSets[1]).toHaveLength(19);
    const random = new RandomStream(1, 2, 0, 0, 0);
    const questions = new Set(Array.from({ length: 6000 }, () => environment.drawTask(random).slice(0, 5).join()));
    expect(questions.size).toBe(155);
  });

  it('says the result when the tool works, and ERR when it is down', () => {
    const environment = calculator.create({});
    const works = find(environment, (task) => task[DOWN] === 0);
    const answer = FIRST_NUMBER + (works[RESULT] as number);
    const right = play(environment, works, (turn) => [turn === 0 ? CALC : answer]);
    expect(right.tokens.slice(5)).toEqual([CALC, answer, answer]);
    expect(right.roles).toEqual(['prompt', 'prompt', 'prompt', 'prompt', 'prompt', 'action', 'observation', 'action']);
    expect([right.success, right.reward]).toEqual([true, 1]);

    const down = find(environment, (task) => task[DOWN] === 1);
    const never = play(environment, down, () => [CALC]);
    expect(never.words.slice(5)).toEqual(['CALC', 'ERR', 'CALC', 'ERR']);
    expect([never.success, never.reward]).toEqual([false, 0]);
  });

  it('writes questions and knows their answers, multiplication first', () => {
    const environment = calculator.create({ operations: 'all', operands: 3, largest: 4, heldOut: 0 });
    for (let item = 0; item < 300; item++) {
      const task = environment.drawTask(new RandomStream(2, 2, 0, 0, item));
      const { words } = play(environment, task, () => [FIRST_NUMBER]);
      const question = words.slice(1, words.indexOf('?')).join('');
      expect(question).toMatch(/^\d+[-+*]\d+[-+*]\d+$/);
      expect(task[RESULT]).toBe(Number(new Function(`return ${question}`)()));
      expect(task[RESULT]).toBeGreaterThanOrEqual(0);
    }
  });

  it('fails single calls with a message when it is flaky, and may work when asked again', () => {
    const environment = calculator.create({ tool: 'flaky', turns: 6 });
    const called = Array.from({ length: 200 }, (_, item) => {
      const task = environment.drawTask(new RandomStream(4, 2, 0, 0, item));
      return play(environment, task, () => [CALC])
        .words.slice(5)
        .join(' ')
        .split('CALC ')
        .slice(1);
    });
    const answers = called.flat().map((said) => said.trim());
    const failed = answers.filter((said) => said === 'ERR busy retry').length;
    expect(answers.filter((said) => /^\d+$/.test(said)).length).toBe(answers.length - failed);
    expect(Math.abs(failed / answers.length - 0.5)).toBeLessThan(4 * Math.sqrt(0.25 / answers.length));
  });

  it('takes the call out of the legal actions once the budget is spent, and refuses it', () => {
    const environment = calculator.create({ tool: 'works', budget: 1, turns: 3 });
    const world = environment.createWorld(1);
    const legal: number[] = [];
    const { words } = play(
      environment,
      find(environment, () => true),
      () => {
        legal.push(world.legalSet(0));
        return [CALC];
      },
      world,
    );
    expect(legal).toEqual([1, 2, 2]);
    expect(words.slice(5).filter((word) => word === 'ERR')).toHaveLength(2);
    expect(calculator.create({ tool: 'none' }).createWorld(1).legalSet(0)).toBe(2);
  });

  it('reveals the result after an answer, if asked to', () => {
    const environment = calculator.create({ tool: 'none', turns: 1, reveal: true });
    const task = find(environment, () => true);
    const wrong = FIRST_NUMBER + ((task[RESULT] as number) === 0 ? 1 : 0);
    const { tokens, roles, reward } = play(environment, task, () => [wrong]);
    expect(tokens.slice(5)).toEqual([wrong, FIRST_NUMBER + (task[RESULT] as number)]);
    expect(roles.at(-1)).toBe('observation');
    expect(reward).toBe(0);
  });

  it.each([
    ['warning', 2, 0],
    ['end', 1, 0],
    ['penalty', 2, -0.2],
  ])('answers a malformed action with a warning (%s)', (malformed, warnings, reward) => {
    const environment = calculator.create({ decoding: 'free', malformed });
    expect(environment.createWorld(1).legalSet(0)).toBe(0);
    const { roles, words, ...episode } = play(
      environment,
      find(environment, () => true),
      () => [5],
    );
    expect(roles.filter((role) => role === 'warning')).toHaveLength(warnings);
    expect(words.at(-1)).toBe('malformed');
    expect(episode.reward).toBeCloseTo(reward, 12);
  });

  it('keeps held-out questions out of training', () => {
    const environment = calculator.create({});
    expect(environment.hasHeldOut).toBe(true);
    const questions = (split: 'train' | 'held-out') => {
      const random = new RandomStream(1, 2, 0, 0, 0);
      return new Set(Array.from({ length: 6000 }, () => environment.drawTask(random, split).slice(0, 5).join()));
    };
    const [train, heldOut] = [questions('train'), questions('held-out')];
    expect(train.size + heldOut.size).toBe(155);
    expect(heldOut.size).toBeGreaterThan(15);
    for (const question of heldOut) expect(train.has(question)).toBe(false);
  });

  it('refuses results that would need too many words', () => {
    expect(() => calculator.create({ operations: 'multiply', largest: 20 })).toThrow(/room for 200/);
  });
});

describe('any calculator', () => {
  it('replays to the same tokens, keeps to its roles, its context and its legal sets, and bounds its reward', () => {
    let made = 0;
    fc.assert(
      fc.property(anySettings, fc.nat(1000), (settings, item) => {
        const environment = create(settings);
        if (environment === null) return;
        made++;
        const task = environment.drawTask(new RandomStream(5, 2, 0, 0, item));
        const once = (slots: number) => {
          const world = environment.createWorld(slots);
          const random = new RandomStream(6, 4, 0, 0, item);
          return play(environment, task, () => drawAction(environment, world, 0, random), world);
        };
        const first = once(1);
        expect(once(3)).toEqual(first);
        expect(first.refused).toBe(false);
        expect(first.roles.lastIndexOf('prompt')).toBeLessThan(first.roles.indexOf('action'));
        if (settings.decoding === 'legal') expect(first.roles).not.toContain('warning');
        expect(first.reward).toBeLessThanOrEqual(1);
        expect(first.reward).toBeGreaterThanOrEqual(
          settings.malformed === 'penalty' ? -0.1 * settings.turns - 1e-9 : 0,
        );
        for (const floor of first.floors) expect(floor).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 200, seed: 21 },
    );
    expect(made).toBeGreaterThan(100);
  });

  it('is answered by the demonstrator that computes, whatever the tool does', () => {
    fc.assert(
      fc.property(anySettings, fc.nat(1000), (settings, item) => {
        const environment = create({ ...settings, demonstrator: 'computes' });
        if (environment === null) return;
        const world = environment.createWorld(1);
        const task = environment.drawTask(new RandomStream(7, 2, 0, 0, item));
        const choose = () => {
          expect(world.progress?.(0)).toBeLessThan(1);
          return world.expert?.(0) ?? [];
        };
        expect(play(environment, task, choose, world).success).toBe(true);
        expect(world.progress?.(0)).toBe(1);
      }),
      { numRuns: 150, seed: 22 },
    );
  });

  it.each<EnvironmentSettings>([
    {},
    { tool: 'none', turns: 1 },
    { tool: 'flaky', turns: 4, budget: 2 },
    { decoding: 'free', turns: 3 },
    { decoding: 'free', malformed: 'end', turns: 3 },
  ])('knows how often a random policy answers rightly: %o', (settings) => {
    const environment = calculator.create({ largest: 3, ...settings });
    const world = environment.createWorld(1);
    const random = new RandomStream(8, 4, 0, 0, 0);
    const episodes = 20_000;
    let right = 0;
    for (let item = 0; item < episodes; item++) {
      const choose = () => drawAction(environment, world, 0, random);
      if (play(environment, environment.drawTask(random), choose, world).success) right++;
    }
    const expected = environment.randomSuccess ?? 0;
    expect(Math.abs(right / episodes - expected)).toBeLessThan(4 * Math.sqrt((expected * (1 - expected)) / episodes));
  });

  it('is one in twenty, and once more after a call, by default', () => {
    expect(calculator.create({}).randomSuccess).toBeCloseTo((1 + 1 / 20) / 20, 14);
  });
});

describe('the demonstrator that relies on the tool', () => {
  it('copies what it is told, and guesses when the tool is down', () => {
    const environment = calculator.create({ demonstrator: 'relies-on-tool' });
    const world = environment.createWorld(1);
    const solved = [0, 0];
    const tried = [0, 0];
    for (let item = 0; item < 2000; item++) {
      const task = environment.drawTask(new RandomStream(9, 2, 0, 0, item));
      const down = task[DOWN] as number;
      tried[down] = (tried[down] as number) + 1;
      const episode = play(environment, task, () => world.expert?.(0) ?? [], world);
      expect(episode.tokens[5]).toBe(CALC);
      if (episode.success) solved[down] = (solved[down] as number) + 1;
    }
    expect(solved[0]).toBe(tried[0]);
    expect((solved[1] as number) / (tried[1] as number)).toBeLessThan(0.12);
  });
});

describe('the entropy floor', () => {
  const coin = (chance: number) => -chance * Math.log(chance) - (1 - chance) * Math.log(1 - chance);

  it('is a coin at the first call and nothing afterwards when the tool is down for whole episodes', () => {
    const environment = calculator.create({ turns: 3, failure: 0.3 });
    const { floors } = play(
      environment,
      find(environment, () => true),
      () => [CALC],
    );
    expect(floors.map((floor) => Number(floor.toFixed(12)))).toEqual([Number(coin(0.3).toFixed(12)), 0, 0]);
  });

  it('is a coin at each call when calls fail one by one, and nothing when the tool works', () => {
    const flaky = calculator.create({ tool: 'flaky', turns: 3, failure: 0.2 });
    for (const floor of play(
      flaky,
      find(flaky, () => true),
      () => [CALC],
    ).floors)
      expect(floor).toBeCloseTo(coin(0.2), 12);
    const works = calculator.create({ tool: 'works', turns: 3 });
    expect(
      play(
        works,
        find(works, () => true),
        () => [CALC],
      ).floors,
    ).toEqual([0, 0, 0]);
  });

  it('agrees with how often calls fail', () => {
    const environment = calculator.create({ failure: 0.25 });
    let [down, sum] = [0, 0];
    const episodes = 8000;
    for (let item = 0; item < episodes; item++) {
      const task = environment.drawTask(new RandomStream(10, 2, 0, 0, item));
      const { words, floors } = play(environment, task, (turn) => [turn === 0 ? CALC : FIRST_NUMBER]);
      if (words[6] === 'ERR') down++;
      sum += floors[0] as number;
    }
    expect(Math.abs(coin(down / episodes) - sum / episodes)).toBeLessThan(0.03);
  });
});

describe('the tape', () => {
  it('is the conversation so far, one scene for the prompt and one for each turn', () => {
    const environment = calculator.create({});
    const task = find(environment, (candidate) => candidate[DOWN] === 1 && (candidate[RESULT] as number) > 0);
    const { tokens, roles } = play(environment, task, (turn) => [turn === 0 ? CALC : FIRST_NUMBER]);
    const scenes = environment.scenes?.(
      task,
      tokens,
      roles.map((role) => ROLE[role]),
    ) as TapeScene[];
    expect(scenes.map(({ lines }) => lines.length)).toEqual([0, 2, 4]);
    expect(scenes[0]?.question).toMatch(/^\d [+−] \d = \?$/);
    expect(scenes.at(-1)?.lines).toEqual([
      { who: 'agent', text: 'CALC', isError: false },
      { who: 'tool', text: 'ERR', isError: true },
      { who: 'agent', text: '0', isError: false },
      { who: 'grader', text: `no, it is ${task[RESULT]}`, isError: true },
    ]);
    expect(scenes.every(({ toolWorks }) => toolWorks === false)).toBe(true);
    expect(environment.scenes?.(new Int32Array(0), [], [])).toEqual([]);
  });
});
