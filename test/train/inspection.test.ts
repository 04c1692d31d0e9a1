/**
 * The inspector's numbers of single tokens are those of the loss: log-probs are scored again from the snapshot by the
 * float64 reference, advantages and weights are computed by hand from the rewards. Inspection changes no number.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Arm, Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { ROLE } from '../../src/foundation/roles';
import type { Inspection } from '../../src/train/looks/shown';
import type { Trainer } from '../../src/train/population/trainer';
import { Scoring } from '../support/scoring';
import { SessionPage } from '../support/sessionPage';
import { cpuTrainer } from '../support/trained';

const tiny = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
const [mask, world] = tiny.arms as [Arm, Arm];
/** The first arm takes several inner steps with narrow bounds, so some tokens are clipped; the second takes one. */
const experiment: Experiment = {
  ...tiny,
  seeds: 2,
  batch: { groups: 4, groupSize: 4 },
  arms: [
    { ...mask, innerEpochs: 4, clipLow: 0.02, clipHigh: 0.02, learningRate: 0.01, klCoefficient: 0.1 },
    { ...world, innerEpochs: 1, learningRate: 0.01 },
  ],
};
const { groups, groupSize } = experiment.batch;
const SEED = 1;
const UPDATES = 4;

async function trained(updates: number, inspect: boolean) {
  const trainer = await cpuTrainer({ ...experiment, diagnosticsEvery: 1 });
  const metrics: Float64Array[] = [];
  for (let update = 0; update < updates; update++) {
    metrics.push(await (await trainer.runUpdate()).metrics);
    if (inspect) await trainer.inspect({ seed: update % 2, group: update % groups, trajectory: 1 });
  }
  return { trainer, metrics };
}

/** Scores of a trajectory under a member's parameters, by the reference with its own table of rows. */
async function scoreAgain({ trainer }: { trainer: Trainer }, inspection: Inspection, member: number) {
  const { configuration, layout } = trainer;
  const { tensors } = await trainer.snapshot();
  const parameters = tensors.parameters.slice(member * layout.size, (member + 1) * layout.size);
  const { logProb, entropy, qkv } = await new Scoring(trainer, inspection.arm, [inspection]).score(parameters);
  const { heads, width } = configuration;
  const R = inspection.tokens.length;
  const attention = qkv.map((x) => Array.from({ length: heads }, (_, h) => softmaxRows(x, R, width, heads, h)));
  return { logProb, entropy, attention };
}

/** Softmax of each query over the keys up to it, in float64 by the definition. x: [rows, 3·width]. */
function softmaxRows(x: ArrayLike<number>, rows: number, width: number, heads: number, h: number): number[][] {
  const D = width / heads;
  const at = (row: number, part: number, d: number) => x[row * 3 * width + part * width + h * D + d] as number;
  return Array.from({ length: rows }, (_, q) => {
    const powers = Array.from({ length: rows }, (_, k) => {
      let score = 0;
      for (let d = 0; d < D; d++) score += at(q, 0, d) * at(k, 1, d);
      return k > q ? 0 : Math.exp(score / Math.sqrt(D));
    });
    const sum = powers.reduce((a, b) => a + b, 0);
    return powers.map((power) => power / sum);
  });
}

const positions = ({ roles }: Inspection, role: number): number[] =>
  Array.from(roles.keys()).filter((t) => t > 0 && roles[t] === role);

describe('inspected tokens', () => {
  let run: Awaited<ReturnType<typeof trained>>;
  /** Inspections, [arm][group · groupSize + trajectory]. */
  let all: Inspection[][];
  beforeAll(async () => {
    run = await trained(UPDATES, false);
    const byTrajectory: Inspection[][] = [];
    for (let i = 0; i < groups * groupSize; i++) {
      const choice = { seed: SEED, group: Math.floor(i / groupSize), trajectory: i % groupSize };
      byTrajectory.push((await run.trainer.inspect(choice)) as Inspection[]);
    }
    all = [0, 1].map((arm) => byTrajectory.map((ofArms) => ofArms[arm] as Inspection));
  });

  test('are of the trajectory asked for, in every arm of the seed', () => {
    all.flat().forEach((one, i) => {
      const slot = i % (groups * groupSize);
      expect(one).toMatchObject({
        update: UPDATES - 1,
        seed: SEED,
        group: Math.floor(slot / groupSize),
        trajectory: slot % groupSize,
      });
      for (const values of Object.values(one.numbers)) expect(values).toHaveLength(one.tokens.length);
    });
    expect(all.map(([first]) => first?.arm.id)).toEqual([mask.id, world.id]);
  });

  test('are scored with the policy after the last inner step, as the reference scores its snapshot', async () => {
    for (const [arm, ofArm] of all.entries()) {
      const one = ofArm[5] as Inspection;
      const again = await scoreAgain(run, one, arm * experiment.seeds + SEED);
      const scored = [...positions(one, ROLE.action), ...positions(one, ROLE.observation)];
      expect(scored.length).toBeGreaterThan(4);
      for (const t of scored) {
        expect(Math.abs((one.numbers.logProb[t] as number) - (again.logProb[t] as number))).toBeLessThan(1e-4);
        expect(Math.abs((one.numbers.entropy[t] as number) - (again.entropy[t] as number))).toBeLessThan(1e-4);
      }
      // The update moved it, even if a single inner step leaves every ratio of the loss at 1.
      expect(
        Math.max(...scored.map((t) => Math.abs(one.numbers.logProb[t]! - one.numbers.oldLogProb[t]!))),
      ).toBeGreaterThan(1e-3);
    }
  });

  test('attend as the reference’s queries and keys say: each a distribution over the tokens up to itself', async () => {
    for (const [arm, ofArm] of all.entries()) {
      const one = ofArm[5] as Inspection;
      const { attention: expected } = await scoreAgain(run, one, arm * experiment.seeds + SEED);
      const T = one.tokens.length;
      const { layers, heads, probabilities } = one.attention;
      expect([layers, heads]).toEqual([experiment.policy.layers, experiment.policy.heads]);
      expect(probabilities).toHaveLength(layers * heads * T * T);
      const rows = Array.from({ length: layers * heads * T }, (_, row) => probabilities.slice(row * T, (row + 1) * T));
      let farthest = 0;
      rows.forEach((shares, row) => {
        const q = row % T;
        expect(shares.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 5);
        expect(shares.slice(q + 1).every((share) => share === 0)).toBe(true);
        const head = Math.floor(row / T);
        const truth = expected[Math.floor(head / heads)]?.[head % heads]?.[q] as number[];
        shares.forEach((share, t) => {
          farthest = Math.max(farthest, Math.abs(share - (truth[t] as number)));
        });
      });
      expect(farthest).toBeLessThan(1e-5);
      // Attention is not even: some token gets more than an even share.
      expect(Math.max(...rows.map((shares, row) => Math.max(...shares) * ((row % T) + 1)))).toBeGreaterThan(1.05);
    }
  });

  test('have the ratio exp(new − old), clipped where the arm’s bounds and the advantage say so', () => {
    let clipped = 0;
    for (const one of all.flat()) {
      const { arm, numbers } = one;
      for (const t of positions(one, ROLE.action)) {
        const ratio = Math.exp((numbers.logProb[t] as number) - (numbers.oldLogProb[t] as number));
        expect(numbers.ratio[t]).toBeCloseTo(ratio, 5);
        const A = numbers.advantage[t] as number;
        const bounded = Math.min(Math.max(ratio, 1 - arm.clipLow), 1 + arm.clipHigh);
        const acts = bounded * A < ratio * A;
        expect(numbers.clipped[t]).toBe(acts ? 1 : 0);
        expect([numbers.clippedHigh[t], numbers.clippedLow[t]]).toEqual([acts && A > 0 ? 1 : 0, acts && A < 0 ? 1 : 0]);
        expect(numbers.policyLoss[t]).toBeCloseTo(
          -(numbers.policyWeight[t] as number) * Math.min(ratio * A, bounded * A),
          6,
        );
        clipped += acts ? 1 : 0;
      }
    }
    expect(clipped).toBeGreaterThan(0);
  });

  test('carry GRPO’s advantages and the token means of the losses, worked out by hand', () => {
    for (const ofArm of all) {
      const actions = ofArm.reduce((sum, one) => sum + positions(one, ROLE.action).length, 0);
      const observations = ofArm.reduce((sum, one) => sum + positions(one, ROLE.observation).length, 0);
      for (const one of ofArm) {
        const { arm, numbers, rewards, trajectory } = one;
        const mean = rewards.reduce((a, b) => a + b, 0) / groupSize;
        const deviation = Math.sqrt(rewards.reduce((a, b) => a + (b - mean) ** 2, 0) / (groupSize - 1));
        const advantage = ((rewards[trajectory] as number) - mean) / (deviation + 1e-4);
        for (const t of positions(one, ROLE.action)) {
          expect(numbers.advantage[t]).toBeCloseTo(advantage, 4);
          expect(numbers.policyWeight[t]).toBeCloseTo(1 / actions, 6);
          expect(numbers.crossEntropyWeight[t]).toBe(0);
        }
        for (const t of positions(one, ROLE.observation)) {
          expect(numbers.policyWeight[t]).toBe(0);
          expect(numbers.crossEntropyWeight[t]).toBeCloseTo(arm.ce.observation / observations, 6);
          const loss = -(numbers.crossEntropyWeight[t] as number) * (numbers.logProb[t] as number);
          expect(numbers.crossEntropyLoss[t]).toBeCloseTo(loss, 6);
        }
      }
    }
    expect(experiment.arms[1]?.ce.observation).toBeGreaterThan(0);
  });

  test('say which groups have nothing to compare: there no action token has an advantage', () => {
    const equal = all.flat().filter(({ isEqual }) => isEqual);
    const unequal = all.flat().filter(({ isEqual }) => !isEqual);
    expect(Math.min(equal.length, unequal.length)).toBeGreaterThan(0);
    for (const one of all.flat()) expect(one.isEqual).toBe(new Set(one.rewards).size === 1);
    for (const one of equal) {
      for (const t of positions(one, ROLE.action)) expect(one.numbers.advantage[t]).toBe(0);
    }
  });

  test('leave what is not scored unknown', () => {
    const [one] = all[0] as [Inspection];
    for (const t of [0, ...positions(one, ROLE.prompt)]) expect(one.numbers.oldLogProb[t]).toBeNaN();
  });
});

test('the critic’s values are those that credit is estimated from, and unknown where no critic is trained', async () => {
  const plain = { advantageBaseline: 'none', advantageScale: 'none' } as const;
  const critic: Arm = { ...mask, ...plain, advantageCredit: 'gae', valueCoefficient: 0.5, learningRate: 0.05 };
  const trainer = await cpuTrainer({ ...experiment, arms: [critic, world], seeds: 1 });
  // The value head begins at 0 and moves in the first update; the second reads it.
  for (let update = 0; update < 2; update++) await trainer.runUpdate();
  const [one, other] = (await trainer.inspect({ seed: 0, group: 0, trajectory: 0 })) as [Inspection, Inspection];
  const actions = positions(one, ROLE.action);
  // With γ = λ = 1 an advantage is the reward of the episode less the value.
  for (const t of actions) {
    expect(one.numbers.oldValue[t]).toBeCloseTo((one.rewards[0] as number) - (one.numbers.advantage[t] as number), 5);
  }
  expect(actions.some((t) => Math.abs(one.numbers.oldValue[t] as number) > 1e-3)).toBe(true);
  expect(other.numbers.oldValue.every(Number.isNaN)).toBe(true);
});

test('the group’s tree is of the rollouts that were inspected', async () => {
  const { trainer } = await trained(1, false);
  const each = await Promise.all(
    Array.from({ length: groupSize }, (_, trajectory) => trainer.inspect({ seed: SEED, group: 2, trajectory })),
  );
  const tree = each[0]?.[0]?.tree ?? [];
  expect(tree[0]?.rollouts).toEqual([0, 1, 2, 3]);
  for (const [trajectory, inspections] of each.entries()) {
    const path = tree.filter(({ rollouts }) => rollouts.includes(trajectory));
    expect(path.flatMap(({ tokens }) => tokens)).toEqual([...(inspections?.[0]?.tokens ?? [])]);
    expect(path.at(-1)?.ends).toContain(trajectory);
  }
});

test('a training that is looked at after every update goes on to the same numbers', async () => {
  const plain = await trained(3, false);
  const watched = await trained(3, true);
  expect(watched.metrics).toEqual(plain.metrics);
  expect((await watched.trainer.snapshot()).tensors).toEqual((await plain.trainer.snapshot()).tensors);
});

test('a session answers between updates and when it rests, and keeps a question that comes too early', async () => {
  const page = new SessionPage('reference', { ...tiny, arms: [mask], seeds: 1, updates: 3 });
  const choice = { seed: 0, group: 1, trajectory: 2 };
  await page.session.prepare(false);
  page.session.inspect(choice);
  expect(page.phase).toBe('ready');
  page.session.step();
  await page.until(({ phase }) => phase === 'paused');
  expect(page.of('inspected').map(({ inspections }) => inspections[0]?.update)).toEqual([0]);
  page.session.inspect(choice);
  page.session.inspect({ ...choice, group: 0 });
  await page.until((now) => now.of('inspected').some((event) => event.choice.group === 0));
  expect(page.of('inspected').at(-1)?.inspections[0]).toMatchObject({ update: 0, group: 0, trajectory: 2 });
  expect(page.phase).toBe('paused');
});
