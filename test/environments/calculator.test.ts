import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculator } from '../../src/environments/calculator/calculator';
import type { Environment, EnvironmentSettings } from '../../src/environments/environment';
import { drawnSet } from '../../src/environments/replay';
import type { TapeScene } from '../../src/environments/scene';
import { RandomStream } from '../../src/foundation/philox';
import { ROLE } from '../../src/foundation/roles';
import { type Chooser, checkContract, expertly, play, randomly, stream, successRate } from '../support/episodes';

const CALC = 6;
const FIRST_NUMBER = 11;
const RESULT = 5;
const DOWN = 6;

/** Task of an environment that is asked for by number. */
const task = (environment: Environment, item: number): Int32Array =>
  environment.drawTask(new RandomStream(3, 2, 0, 0, item));

/** First task for which `wanted` is true, such as one whose tool is down. */
function find(environment: Environment, wanted: (task: Int32Array) => boolean): Int32Array {
  for (let item = 0; ; item++) {
    const drawn = task(environment, item);
    if (wanted(drawn)) return drawn;
  }
}

/** Chooser that calls the tool in its first turn, and then says 0. */
const callThenGuess: Chooser = (_world, _slot, turn) => [turn === 0 ? CALC : FIRST_NUMBER];

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
    const right = play(environment, works, (_world, _slot, turn) => [turn === 0 ? CALC : answer]);
    expect(right.recorder.tokens.slice(5)).toEqual([CALC, answer, answer]);
    const { prompt, action, observation } = ROLE;
    expect(right.recorder.roles).toEqual([...new Array(5).fill(prompt), action, observation, action]);
    expect([right.world.isSuccess(1), right.world.reward(1)]).toEqual([true, 1]);

    const down = find(environment, (task) => task[DOWN] === 1);
    const never = play(environment, down, () => [CALC]);
    expect(never.recorder.words(5)).toEqual(['CALC', 'ERR', 'CALC', 'ERR']);
    expect([never.world.isSuccess(1), never.world.reward(1)]).toEqual([false, 0]);
  });

  it('writes questions and knows their answers, multiplication first', () => {
    const environment = calculator.create({ operations: 'all', operands: 3, largest: 4, heldOut: 0 });
    for (let item = 0; item < 300; item++) {
      const asked = task(environment, item);
      const words = play(environment, asked, () => [FIRST_NUMBER]).recorder.words();
      const question = words.slice(1, words.indexOf('?')).join('');
      expect(question).toMatch(/^\d+[-+*]\d+[-+*]\d+$/);
      expect(asked[RESULT]).toBe(Number(new Function(`return ${question}`)()));
      expect(asked[RESULT]).toBeGreaterThanOrEqual(0);
    }
  });

  it('fails single calls with a message when it is flaky, and may work when asked again', () => {
    const environment = calculator.create({ tool: 'flaky', turns: 6 });
    const called = Array.from({ length: 200 }, (_, item) =>
      play(environment, task(environment, item), () => [CALC])
        .recorder.words(5)
        .join(' ')
        .split('CALC ')
        .slice(1),
    );
    const answers = called.flat().map((said) => said.trim());
    const failed = answers.filter((said) => said === 'ERR busy retry').length;
    expect(answers.filter((said) => /^\d+$/.test(said)).length).toBe(answers.length - failed);
    expect(Math.abs(failed / answers.length - 0.5)).toBeLessThan(4 * Math.sqrt(0.25 / answers.length));
  });

  it('takes the call out of the legal actions once the budget is spent, and refuses it', () => {
    const environment = calculator.create({ tool: 'works', budget: 1, turns: 3 });
    const legal: number[] = [];
    const { recorder } = play(environment, task(environment, 0), (world, slot) => {
      legal.push(world.legalSet(slot));
      return [CALC];
    });
    expect(legal).toEqual([1, 2, 2]);
    expect(recorder.words(5).filter((word) => word === 'ERR')).toHaveLength(2);
    expect(calculator.create({ tool: 'none' }).createWorld(1).legalSet(0)).toBe(2);
  });

  it('reveals the result after an answer, if asked to', () => {
    const environment = calculator.create({ tool: 'none', turns: 1, reveal: true });
    const asked = task(environment, 0);
    const wrong = FIRST_NUMBER + ((asked[RESULT] as number) === 0 ? 1 : 0);
    const { recorder, world } = play(environment, asked, () => [wrong]);
    expect(recorder.tokens.slice(5)).toEqual([wrong, FIRST_NUMBER + (asked[RESULT] as number)]);
    expect(recorder.roles.at(-1)).toBe(ROLE.observation);
    expect(world.reward(1)).toBe(0);
  });

  it.each([
    ['warning', 2, 0],
    ['end', 1, 0],
    ['penalty', 2, -0.2],
  ])('answers a malformed action with a warning (%s)', (malformed, warnings, reward) => {
    const environment = calculator.create({ decoding: 'free', malformed });
    expect(drawnSet(environment.createWorld(1), 0)).toBe(0);
    const { recorder, world } = play(environment, task(environment, 0), () => [5]);
    expect(recorder.roles.filter((role) => role === ROLE.warning)).toHaveLength(warnings);
    expect(recorder.words().at(-1)).toBe('malformed');
    expect(world.reward(1)).toBeCloseTo(reward, 12);
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
  it('keeps to the contract of environments, warns of nothing legal, and always knows its floor', () => {
    let made = 0;
    fc.assert(
      fc.property(anySettings, fc.nat(1000), (settings, item) => {
        const environment = create(settings);
        if (environment === null) return;
        made++;
        checkContract(environment, item, [settings.malformed === 'penalty' ? -0.1 * settings.turns - 1e-9 : 0, 1]);
        const { recorder, floors } = play(environment, task(environment, item), randomly(environment, stream(item)));
        if (settings.decoding === 'legal') expect(recorder.roles).not.toContain(ROLE.warning);
        for (const floor of floors) expect(floor).toBeGreaterThanOrEqual(0);
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
        const { world } = play(environment, task(environment, item), (before, slot, turn) => {
          expect(before.progress?.(slot)).toBeLessThan(1);
          return expertly(before, slot, turn);
        });
        expect(world.isSuccess(1)).toBe(true);
        expect(world.progress?.(1)).toBe(1);
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
    const episodes = 20_000;
    const right = successRate(environment, randomly(environment, stream(8)), episodes);
    const expected = environment.randomSuccess ?? 0;
    expect(Math.abs(right - expected)).toBeLessThan(4 * Math.sqrt((expected * (1 - expected)) / episodes));
  });

  it('is one in twenty, and once more after a call, by default', () => {
    expect(calculator.create({}).randomSuccess).toBeCloseTo((1 + 1 / 20) / 20, 14);
  });
});

describe('the demonstrator that relies on the tool', () => {
  it('copies what it is told, and guesses when the tool is down', () => {
    const environment = calculator.create({ demonstrator: 'relies-on-tool' });
    const solved = [0, 0];
    const tried = [0, 0];
    for (let item = 0; item < 2000; item++) {
      const asked = task(environment, item);
      const down = asked[DOWN] as number;
      tried[down] = (tried[down] as number) + 1;
      const { recorder, world } = play(environment, asked, expertly);
      expect(recorder.tokens[5]).toBe(CALC);
      if (world.isSuccess(1)) solved[down] = (solved[down] as number) + 1;
    }
    expect(solved[0]).toBe(tried[0]);
    expect((solved[1] as number) / (tried[1] as number)).toBeLessThan(0.12);
  });
});

describe('the entropy floor', () => {
  const coin = (chance: number) => -chance * Math.log(chance) - (1 - chance) * Math.log(1 - chance);

  it('is a coin at the first call and nothing afterwards when the tool is down for whole episodes', () => {
    const environment = calculator.create({ turns: 3, failure: 0.3 });
    const { floors } = play(environment, task(environment, 0), () => [CALC]);
    expect(floors.map((floor) => Number(floor.toFixed(12)))).toEqual([Number(coin(0.3).toFixed(12)), 0, 0]);
  });

  it('is a coin at each call when calls fail one by one, and nothing when the tool works', () => {
    const flaky = calculator.create({ tool: 'flaky', turns: 3, failure: 0.2 });
    for (const floor of play(flaky, task(flaky, 0), () => [CALC]).floors) expect(floor).toBeCloseTo(coin(0.2), 12);
    const works = calculator.create({ tool: 'works', turns: 3 });
    expect(play(works, task(works, 0), () => [CALC]).floors).toEqual([0, 0, 0]);
  });

  it('agrees with how often calls fail', () => {
    const environment = calculator.create({ failure: 0.25 });
    let [down, sum] = [0, 0];
    const episodes = 8000;
    for (let item = 0; item < episodes; item++) {
      const { recorder, floors } = play(environment, task(environment, item), callThenGuess);
      if (recorder.words(6)[0] === 'ERR') down++;
      sum += floors[0] as number;
    }
    expect(Math.abs(coin(down / episodes) - sum / episodes)).toBeLessThan(0.03);
  });
});

describe('the tape', () => {
  it('is the conversation so far, one scene for the prompt and one for each turn', () => {
    const environment = calculator.create({});
    const asked = find(environment, (candidate) => candidate[DOWN] === 1 && (candidate[RESULT] as number) > 0);
    const { tokens, roles } = play(environment, asked, callThenGuess).recorder;
    const scenes = environment.scenes?.(asked, tokens, roles) as TapeScene[];
    expect(scenes.map(({ lines }) => lines.length)).toEqual([0, 2, 4]);
    expect(scenes[0]?.question).toMatch(/^\d [+−] \d = \?$/);
    expect(scenes.at(-1)?.lines).toEqual([
      { who: 'agent', text: 'CALC', isError: false },
      { who: 'tool', text: 'ERR', isError: true },
      { who: 'agent', text: '0', isError: false },
      { who: 'grader', text: `no, it is ${asked[RESULT]}`, isError: true },
    ]);
    expect(scenes.every(({ toolWorks }) => toolWorks === false)).toBe(true);
    expect(environment.scenes?.(new Int32Array(0), [], [])).toEqual([]);
  });
});
