/** Tasks of a member: they come from the same candidates in every arm, chosen by the arm's rule. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculator } from '../../src/environments/calculator/calculator';
import { gridworld } from '../../src/environments/gridworld/gridworld';
import { type Arm, defaultArm } from '../../src/experiment/experiment';
import { effectiveArms } from '../../src/experiment/timeline';
import { Curriculum, turnCapAt } from '../../src/rl/play/curriculum';
import { TaskMemory } from '../../src/rl/play/taskMemory';
import { Trajectories } from '../../src/rl/play/trajectories';
import { type Member, membersOf } from '../../src/rl/population';

const plain = defaultArm('plain', 'Plain');
const GROUPS = 16;
const environment = gridworld.create({ size: 4, horizon: 8, minimumDistance: 1 });

const curriculumOf = (arms: readonly Arm[], seeds = [0]): { curriculum: Curriculum; members: Member[] } => {
  const members = membersOf(arms, seeds);
  return { curriculum: new Curriculum(environment, members, GROUPS, 7), members };
};

/** Batch of one episode a task; `succeeds` decides which succeed. */
function outcome(tasks: Int32Array[][], succeeds: (task: Int32Array, member: number) => boolean): Trajectories {
  const trajectories = new Trajectories(tasks.length, GROUPS, environment.context, environment.maxTurns);
  tasks.forEach((own, member) => {
    own.forEach((task, group) => {
      (trajectories.tasks[member] as Int32Array[])[group] = task;
      trajectories.successes[member * GROUPS + group] = succeeds(task, member) ? 1 : 0;
    });
  });
  return trajectories;
}

const everything = (tasks: Int32Array[][]) => tasks.map((own) => own.map(() => true));
const names = (tasks: readonly Int32Array[] | undefined) => (tasks ?? []).map((task) => task.join());

describe('the candidates of an update', () => {
  it('are the same in every arm of a seed, and others for another seed or update', () => {
    const { curriculum } = curriculumOf([plain, { ...plain, id: 'other' }], [0, 1]);
    const [first, otherSeed, again] = curriculum.choose([plain, plain], 3);
    expect(names(again)).toEqual(names(first));
    expect(names(otherSeed)).not.toEqual(names(first));
    const later = curriculum.choose([plain, plain], 4)[0];
    expect(names(later)).not.toEqual(names(first));
  });

  it('go on where the choice ended', () => {
    const { curriculum } = curriculumOf([plain]);
    const chosen = curriculum.choose([plain], 0)[0] as Int32Array[];
    const more = curriculum.more(0, 5);
    const many = new Curriculum(environment, membersOf([plain], [0]), GROUPS + 5, 7).choose([plain], 0)[0];
    expect([...names(chosen), ...names(more)]).toEqual(names(many));
  });
});

describe('tasks near one half', () => {
  const arm: Arm = { ...plain, taskChoice: 'near-half', candidates: 4 };

  it('are preferred to those always or never solved, out of the same candidates', () => {
    const { curriculum } = curriculumOf([arm]);
    const parity = (task: Int32Array) => ((task[0] as number) + (task[1] as number)) % 3;
    // Kind 0 always succeeds, kind 1 never, kind 2 in every other update.
    for (let update = 0; update < 60; update++) {
      const tasks = curriculum.choose([arm], update);
      const succeeds = (task: Int32Array) => parity(task) === 0 || (parity(task) === 2 && update % 2 === 0);
      curriculum.note(outcome(tasks, succeeds), everything(tasks));
    }
    const chosen = curriculum.choose([arm], 60)[0] as Int32Array[];
    const drawn = curriculumOf([plain]).curriculum.choose([plain], 60)[0] as Int32Array[];
    const pool = new Curriculum(environment, membersOf([plain], [0]), GROUPS * 4, 7).choose([plain], 60)[0];
    const undecided = (tasks: readonly Int32Array[]) => tasks.filter((task) => parity(task) === 2).length;
    expect(undecided(chosen)).toBeGreaterThan(2 * undecided(drawn));
    expect(undecided(chosen)).toBeGreaterThanOrEqual(10);
    for (const name of names(chosen)) expect(names(pool)).toContain(name);
  });

  it('are the first candidates as long as nothing is known', () => {
    const { curriculum } = curriculumOf([arm]);
    const drawn = curriculumOf([plain]).curriculum;
    expect(names(curriculum.choose([arm], 0)[0])).toEqual(names(drawn.choose([plain], 0)[0]));
  });
});

describe('failed tasks', () => {
  const arm: Arm = { ...plain, taskChoice: 'failed-again', failedShare: 0.5 };

  it('come back, as many as asked for, beside the first candidates; solved ones do not', () => {
    const { curriculum } = curriculumOf([arm]);
    const first = curriculum.choose([arm], 0);
    const fails = new Set(names(first[0]).slice(0, 12));
    curriculum.note(
      outcome(first, (task) => !fails.has(task.join())),
      everything(first),
    );
    const second = names(curriculum.choose([arm], 1)[0]);
    expect(second.slice(0, 8).every((name) => fails.has(name))).toBe(true);
    expect(new Set(second.slice(0, 8)).size).toBe(8);
    const drawn = curriculumOf([plain]).curriculum.choose([plain], 1)[0];
    expect(second.slice(8)).toEqual(names(drawn).slice(0, 8));
  });

  it('are remembered through a snapshot', () => {
    const { curriculum } = curriculumOf([arm]);
    const first = curriculum.choose([arm], 0);
    curriculum.note(
      outcome(first, (task) => (task[0] as number) % 2 === 0),
      everything(first),
    );
    const saved = structuredClone(curriculum.save());
    const restored = curriculumOf([arm]).curriculum;
    restored.restore(saved);
    expect(names(restored.choose([arm], 1)[0])).toEqual(names(curriculum.choose([arm], 1)[0]));
    expect(restored.save()).toEqual(saved);
    expect(saved[0]?.length).toBeGreaterThan(4);
  });
});

describe('difficulty', () => {
  it('is bounded at first and rises in a straight line', () => {
    const arm: Arm = { ...plain, difficultyStart: 0.25, difficultyUpdates: 10 };
    const { curriculum } = curriculumOf([arm]);
    const hardest = (update: number) =>
      Math.max(...(curriculum.choose([arm], update)[0] ?? []).map((task) => environment.difficulty?.(task) ?? 0));
    expect(hardest(0)).toBe(0.25);
    expect(hardest(5)).toBeGreaterThan(0.25);
    expect(hardest(5)).toBeLessThanOrEqual(0.625);
    const drawn = curriculumOf([plain]).curriculum.choose([plain], 10)[0];
    expect(names(curriculum.choose([arm], 10)[0])).toEqual(names(drawn));
  });

  it('takes the easiest there are where none is easy enough', () => {
    const arm: Arm = { ...plain, difficultyStart: 0, difficultyUpdates: 1000 };
    const { curriculum } = curriculumOf([arm]);
    const tasks = curriculum.choose([arm], 0)[0] ?? [];
    expect(tasks.length).toBe(GROUPS);
    expect(new Set(tasks.map((task) => environment.difficulty?.(task)))).toEqual(new Set([1 / 8]));
  });

  it('of a question is its largest operand, of a way its shortest length', () => {
    const questions = calculator.create({});
    expect(questions.difficulty?.(Int32Array.of(2, 0, 9, -1, -1, 11, 0, 0))).toBe(1);
    expect(questions.difficulty?.(Int32Array.of(3, 0, 0, -1, -1, 3, 0, 0))).toBeCloseTo(1 / 3);
    // Corner to corner of a 4×4 grid, eight turns.
    expect(environment.difficulty?.(Int32Array.of(0, 15))).toBe(6 / 8);
  });
});

it('turns grow from stage to stage', () => {
  const arm: Arm = { ...plain, turnCap: 3, turnCapStep: 2, turnCapUpdates: 10 };
  expect([0, 9, 10, 25].map((update) => turnCapAt(arm, update))).toEqual([3, 3, 5, 7]);
  expect(turnCapAt(plain, 5)).toBe(Number.POSITIVE_INFINITY);
  // AgentGym-RL in BabyAI.
  const stages = { ...plain, turnCap: 6, turnCapStep: 7, turnCapUpdates: 100 };
  expect([0, 99, 100, 200].map((update) => turnCapAt(stages, update))).toEqual([6, 6, 13, 20]);
  // And uneven stages, as it has them for WebArena.
  const timeline = [80, 160].map((update, i) => ({
    update,
    arm: '*',
    setting: 'turnCap',
    value: [12, 15][i] as number,
  }));
  const uneven = { arms: [{ ...plain, turnCap: 8, turnCapStep: 0 }], timeline };
  const capAt = (update: number) => turnCapAt(effectiveArms(uneven, update)[0] as Arm, update);
  expect([0, 79, 80, 160].map(capAt)).toEqual([8, 8, 12, 15]);
});

describe('what is remembered of tasks', () => {
  it('is the newest 512, and comes back from a snapshot as it was', () => {
    const plays = fc.array(fc.tuple(fc.nat(900), fc.constantFrom(0, 0.25, 0.5, 1)), { maxLength: 1500, size: 'max' });
    fc.assert(
      fc.property(plays, (played) => {
        const memory = new TaskMemory();
        for (const [task, rate] of played) memory.note(Int32Array.of(task, 1), rate);
        const last = [...new Set(played.map(([task]) => task).reverse())].slice(0, 512);
        for (const task of last) expect(memory.rateOf(Int32Array.of(task, 1))).not.toBeNull();
        expect(memory.save().length).toBe(last.length);
        const copy = new TaskMemory();
        copy.restore(memory.save());
        expect(copy.save()).toEqual(memory.save());
        expect(copy.meanRate).toBe(memory.meanRate);
      }),
      { numRuns: 30 },
    );
  });
});
