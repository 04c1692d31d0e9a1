/** Distillation: what a teacher reads, its gradient against finite differences, every backend, and what it leaves as it was. */
import { describe, expect, test } from 'vitest';
import { scheduledArm } from '../../src/experiment/arm/schedule';
import type { Arm } from '../../src/experiment/experiment';
import { ROLE } from '../../src/foundation/roles';
import type { TeacherName } from '../../src/hyperparameters/distillation';
import { Distillation } from '../../src/rl/learn/distillation/distillation';
import { type ArmDistillation, layTeaching } from '../../src/rl/learn/distillation/teaching';
import { Trajectories } from '../../src/rl/play/trajectories';
import type { Backend } from '../../src/tensor/backend';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { availableBackends } from '../support/backends';
import { expectOthersUnchanged, tinyMask, trainTiny } from '../support/tinyTraining';
import { AddedBench, expectGradientOfMean, expectThoseOfReference, WEIGHT } from './addedBench';

describe('a teacher', () => {
  const CONTEXT = 10;
  /** Two groups of three: in the first two episodes succeeded, of five and four tokens; in the second none. */
  function batch(): Trajectories {
    const trajectories = new Trajectories(2, 6, CONTEXT, 3);
    for (let i = 0; i < 12; i++) {
      for (const token of [1, 7]) trajectories.appendSaid(i, token, 'prompt');
      trajectories.appendDrawn(i, 3, 1, -1);
      trajectories.appendSaid(i, 8, 'observation');
      if (i % 3 === 0) for (const token of [4, 5]) trajectories.appendDrawn(i, token, 1, -1);
      if (i % 3 === 1) trajectories.appendDrawn(i, 6, 1, -1);
      trajectories.successes[i] = i % 6 === 1 || i % 6 === 2 ? 1 : 0;
    }
    return trajectories;
  }
  const lay = (teacher: TeacherName, weights: readonly number[], trajectories = batch()) => {
    const [student, read] = [new Trajectories(2, 6, CONTEXT, 3), new Trajectories(2, 6, CONTEXT, 3)];
    const teaching = layTeaching(student, read, trajectories, { weights, teacher, groupSize: 3 });
    const words = (of: Trajectories) =>
      Array.from({ length: 12 }, (_, i) =>
        of.tokens.subarray(i * CONTEXT, i * CONTEXT + (of.lengths[i] as number)).join(' '),
      );
    return { ...teaching, student, read, policy: words(student), teacher: words(read) };
  };
  const EPISODES = ['1 7 3 8 4 5', '1 7 3 8 6', '1 7 3 8', '1 7 3 8 4 5', '1 7 3 8 6', '1 7 3 8'];
  const NONE = ['', '', '', '', '', ''];

  test('that is the reference reads the episodes as they are', () => {
    const { policy, teacher, offsets, counts } = lay('reference', [0.5, 0]);
    expect(policy).toEqual([...EPISODES, ...NONE]);
    expect(teacher).toEqual(policy);
    expect([...offsets]).toEqual(new Array(12).fill(0));
    expect([...counts]).toEqual([12, 0]);
  });

  test('that is the policy reads them after the shortest other success of the group, as far as they fit', () => {
    const { policy, teacher, offsets, counts } = lay('success', [0, 0.5]);
    expect(policy).toEqual([...NONE, ...EPISODES.slice(0, 3), '', '', '']);
    // The second reads the third's, and the third the second's: none reads its own.
    expect(teacher.slice(6, 9)).toEqual(['0 3 8 0 1 7 3 8 4 5', '0 3 8 0 1 7 3 8 6', '0 3 8 6 0 1 7 3 8']);
    expect([...offsets.slice(6, 9)]).toEqual([4, 4, 5]);
    expect([...counts]).toEqual([0, 6]);
  });

  test('leaves out what does not fit, and what an older policy drew', () => {
    const trajectories = batch();
    for (const token of [9, 9]) trajectories.appendDrawn(6, token, 1, -1);
    trajectories.replayed.set(8, { task: Int32Array.of(0), update: 0, advantage: 1, turns: [] });
    const { policy, teacher } = lay('success', [0, 1], trajectories);
    expect(policy.slice(6, 9)).toEqual(['1 7 3 8 4', '', '']);
    expect(teacher[6]).toBe('0 3 8 6 0 1 7 3 8 4');
  });

  test('has the weight shared among the tokens that the policy drew, in the same places', () => {
    const { weight, student, read, offsets } = lay('success', [0.5, 2]);
    expect(weight.subarray(0, 60).reduce((a, b) => a + b)).toBeCloseTo(0.5, 6);
    expect(weight.subarray(60).reduce((a, b) => a + b)).toBeCloseTo(2, 6);
    weight.forEach((one, at) => {
      const [i, t] = [Math.floor(at / CONTEXT), at % CONTEXT];
      const isDrawn = t < (student.lengths[i] as number) && student.roles[at] === ROLE.action;
      expect(one > 0).toBe(isDrawn);
      if (!isDrawn) return;
      const there = at + (offsets[i] as number);
      expect(read.tokens[there]).toBe(student.tokens[at]);
      expect([read.roles[there], read.legalSets[there]]).toEqual([ROLE.action, 1]);
    });
  });
});

/** Members taught so; the first says by whom and by what distance. */
const benchOf = (backend: Backend, taught: readonly [ArmDistillation, ...ArmDistillation[]]): AddedBench =>
  new AddedBench(backend, taught.length, { trajectories: 16, microbatches: 2, chunks: 1 }, (on, options) => {
    const loss = new Distillation(on, taught[0].teacher, taught[0].divergence, options);
    return { first: loss.first, lay: (trajectories) => loss.lay(trajectories, taught), read: () => loss.read() };
  });

test.each<ArmDistillation>([
  { weight: WEIGHT, teacher: 'reference', divergence: 'reverse' },
  { weight: WEIGHT, teacher: 'success', divergence: 'forward' },
  { weight: WEIGHT, teacher: 'success', divergence: 'jensen-shannon' },
])(
  'the gradient is that of δ times the mean divergence, by finite differences: $teacher, $divergence',
  async (taught) => {
    const bench = benchOf(new ReferenceBackend(), [taught]);
    expect((await bench.at()).means[0]).toBeGreaterThan(0.01);
    await expectGradientOfMean(bench);
  },
);

test.each(availableBackends)('distance and gradient are those of the reference on $name', async ({ create }) => {
  const own: ArmDistillation = { weight: WEIGHT, teacher: 'success', divergence: 'jensen-shannon' };
  // The third has another teacher, and the last none.
  const taught = [own, { ...own, weight: 1.5 }, { ...own, teacher: 'reference' }, { ...own, weight: 0 }] as const;
  const expected = await benchOf(new ReferenceBackend(), taught).at();
  await expectThoseOfReference(benchOf(await create(), taught), expected);
});

describe('in a training', () => {
  const sdpo: Arm = { ...tinyMask, id: 'sdpo', distillation: 0.5, distillationTeacher: 'success' };
  const held: Arm = { ...tinyMask, id: 'held', distillation: 0.5 };

  test('no bit of an arm without it differs, with a critic, minibatches and inner epochs too', async () => {
    await expectOthersUnchanged([sdpo, held], 'distillation');
  });

  test('the policy is its own reference at first, and is held to it after', async () => {
    const [free, bound] = [
      await trainTiny([{ ...held, distillation: 1e-6 }], 20),
      await trainTiny([{ ...held, distillation: 5 }], 20),
    ];
    expect(free.of('distillation', 0)[0]).toBeLessThan(1e-12);
    expect(bound.of('distillation', 0)[0]).toBeLessThan(1e-12);
    const last = (curve: readonly number[]) => curve.at(-1) as number;
    expect(last(free.of('distillation', 0))).toBeGreaterThan(3 * last(bound.of('distillation', 0)));
    expect(last(bound.of('distillation', 0))).toBeGreaterThan(0);
  });

  test('a critic has its gradient once, not twice', async () => {
    const critic: Arm = { ...tinyMask, advantageCredit: 'gae', valueCoefficient: 0.5, maxGradNorm: 1000 };
    const slight: Arm = { ...critic, id: 'slight', distillation: 1e-7, distillationTeacher: 'success' };
    const { of } = await trainTiny([critic, slight], 1);
    expect(of('gradNorm', 1)[0]).toBeCloseTo(of('gradNorm', 0)[0] as number, 5);
  });

  test('updates of the world model or of the critic alone have none', () => {
    const turns: Arm = { ...sdpo, ce: { ...sdpo.ce, observation: 0.1 }, worldModelEvery: 2 };
    expect([0, 1].map((update) => scheduledArm(turns, update).distillation)).toEqual([0.5, 0]);
    const warming: Arm = { ...sdpo, valueCoefficient: 0.5, criticWarmUp: 1 };
    expect([0, 1].map((update) => scheduledArm(warming, update).distillation)).toEqual([0, 0.5]);
  });
});
