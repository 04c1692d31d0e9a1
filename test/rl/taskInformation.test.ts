/** Mutual information of task and behaviour: against enumeration, by hand, and in a training whose numbers it leaves alone. */
import { describe, expect, test } from 'vitest';
import type { Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { isDrawn, ROLE } from '../../src/foundation/roles';
import { METRIC, METRICS, type MetricName } from '../../src/rl/measure/metrics';
import { informationOf, TaskInformation } from '../../src/rl/measure/taskInformation';
import { Trajectories } from '../../src/rl/play/trajectories';
import { cpuTrainer, metricsOf } from '../support/trained';

const MEASURED = ['taskInformation', 'taskRetrieval', 'behaviourEntropy'] as const satisfies readonly MetricName[];

/** p(z | x): two tasks, three behaviours. */
const CHANNEL = [
  [1 / 2, 1 / 4, 1 / 4],
  [1 / 4, 1 / 4, 1 / 2],
];
/** Every behaviour of each task, as often in four episodes as the channel says: task, then behaviour. */
const EPISODES = [
  [0, 0],
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 0],
  [1, 1],
  [1, 2],
  [1, 2],
] as const;

describe('information of scores', () => {
  const scores = EPISODES.map(([, z]) => CHANNEL.map((row) => Math.log(row[z] as number)));
  const own = EPISODES.map(([x]) => x);

  test('is what enumeration gives: I(X; Z), H(Z | X)', () => {
    const found = informationOf(scores, own, ['a', 'b']);
    const marginal = [3 / 8, 1 / 4, 3 / 8];
    const entropy = (p: readonly number[]): number => -p.reduce((sum, q) => sum + q * Math.log(q), 0);
    expect(found.entropy).toBeCloseTo(1.5 * Math.LN2, 14);
    expect(found.information).toBeCloseTo(entropy(marginal) - 1.5 * Math.LN2, 14);
    // Behaviour 0 is right for two of three, 2 likewise, and behaviour 1, a tie, for half of two.
    expect(found.retrieval).toBeCloseTo(5 / 8, 14);
  });

  test('is 0 where every task is answered by one template, however much it varies', () => {
    const template = EPISODES.map(([, z]) => [0, 1].map(() => Math.log(CHANNEL[0]?.[z] as number)));
    const found = informationOf(template, own, ['a', 'b']);
    expect(found.information).toBeCloseTo(0, 14);
    expect(found.retrieval).toBe(1 / 2);
    expect(found.entropy).toBeGreaterThan(1);
  });

  test('is log G at most, where each task has a behaviour of its own', () => {
    const certain = [0, 1, 2, 3].map((x) => [0, 1, 2, 3].map((task) => (task === x ? 0 : -1000)));
    const found = informationOf(certain, [0, 1, 2, 3], ['a', 'b', 'c', 'd']);
    expect(found).toEqual({ information: Math.log(4), retrieval: 1, entropy: -0 });
  });

  test('takes tasks of one prompt as the same, and is undefined where all are', () => {
    const twice = scores.map(([a, b]) => [a, a, b, b] as number[]);
    const first = own.map((x) => 2 * x);
    const doubled = informationOf(twice, first, ['a', 'a', 'b', 'b']);
    const once = informationOf(scores, own, ['a', 'b']);
    expect(doubled.information).toBeCloseTo(once.information, 14);
    expect(doubled.retrieval).toBe(once.retrieval);
    const same = informationOf(twice, first, ['a', 'a', 'a', 'a']);
    expect([same.information, same.retrieval]).toEqual([Number.NaN, Number.NaN]);
    expect(same.entropy).toBeCloseTo(once.entropy, 14);
  });
});

/** Prompts of three tasks, of different lengths, and what two members did in three episodes of each: actions, answers. */
const CONTEXT = 9;
const PROMPTS = [[2], [3, 4], [5, 4, 4, 4]];

function played(): Trajectories {
  const trajectories = new Trajectories(2, 9, CONTEXT, 4);
  for (let i = 0; i < 18; i++) {
    const prompt = PROMPTS[Math.floor((i % 9) / 3)] as number[];
    for (const token of prompt) trajectories.appendSaid(i, token, 'prompt');
    for (let turn = 0; turn < 3; turn++) {
      trajectories.appendDrawn(i, 6 + ((i * 5 + turn * turn) % 3), 1, 0);
      trajectories.appendSaid(i, 2 + ((i + turn) % 5), 'observation');
    }
  }
  return trajectories;
}

/** log π of the token at t of a policy that heeds its prompt, its member, and what came before. */
const policy = (tokens: ArrayLike<number>, t: number, member: number): number =>
  -Math.abs(Math.sin((tokens[0] as number) * 3 + (tokens[t] as number) * 2 + (tokens[t - 1] as number) + member)) * 2;

describe('an exchange of prompts', () => {
  test('scores the same actions under every prompt of the batch, and what was said in between as it was', async () => {
    let passes = 0;
    const recordScores = () => async (laid: Trajectories) => {
      passes++;
      return Float64Array.from(laid.tokens, (_, at) => {
        const i = Math.floor(at / CONTEXT);
        const t = at % CONTEXT;
        if (t >= (laid.lengths[i] as number) || t === 0) return Number.NaN;
        if (isDrawn(laid.roles[at] as number)) expect(laid.legalSets[at]).toBe(1);
        return policy(laid.tokens.subarray(i * CONTEXT, (i + 1) * CONTEXT), t, Math.floor(i / 9));
      });
    };
    const trajectories = played();
    const information = new TaskInformation(
      { context: CONTEXT, maxTurns: 4 },
      { recordScores },
      2,
      { groups: 3, groupSize: 3 },
      2,
    );
    const measured = new Map(await information.measure(trajectories));
    // 6 episodes under 3 prompts, 9 at a time.
    expect(passes).toBe(2);
    const own = [0, 0, 1, 1, 2, 2];
    for (const member of [0, 1]) {
      const scores = [0, 1, 3, 4, 6, 7].map((slot) => {
        const i = member * 9 + slot;
        const opening = PROMPTS[Math.floor(slot / 3)] as number[];
        const first = i * CONTEXT + opening.length;
        // Behind the longest prompt five of the tokens fit.
        const rest = [...trajectories.tokens.subarray(first, first + 5)];
        return PROMPTS.map((prompt) => {
          const tokens = [...prompt, ...rest];
          return [0, 2, 4].reduce((sum, at) => sum + policy(tokens, prompt.length + at, member), 0);
        });
      });
      const expected = informationOf(scores, own, ['2', '3,4', '5,4,4,4']);
      expect(expected.information).not.toBe(0);
      expect(measured.get('taskInformation')?.[member]).toBeCloseTo(expected.information, 12);
      expect(measured.get('taskRetrieval')?.[member]).toBeCloseTo(expected.retrieval, 12);
      expect(measured.get('behaviourEntropy')?.[member]).toBeCloseTo(expected.entropy, 12);
    }
    expect(trajectories.roles[PROMPTS[0]?.length as number]).toBe(ROLE.action);
  });
});

describe('in a training', () => {
  const preset = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
  const tiny: Experiment = { ...preset, seeds: 1, diagnosticsEvery: 2 };
  const at = (values: Float64Array | undefined, member: number, name: MetricName): number =>
    values?.[member * METRICS.length + METRIC[name]] as number;

  async function run(experiment: Experiment, updates: number) {
    const trainer = await cpuTrainer(experiment);
    const metrics = await metricsOf(trainer, updates);
    return { metrics, tensors: (await trainer.snapshot()).tensors };
  }

  test('is measured when diagnostics are due, and changes no other number', async () => {
    const [asked, plain] = [await run({ ...tiny, informationEpisodes: 2 }, 3), await run(tiny, 3)];
    expect(asked.tensors).toEqual(plain.tensors);
    for (const [update, values] of asked.metrics.entries()) {
      for (const name of METRICS) {
        const is = [0, 1].map((member) => at(values, member, name));
        const isOurs = (MEASURED as readonly MetricName[]).includes(name);
        if (!isOurs) expect(is, name).toEqual([0, 1].map((member) => at(plain.metrics[update], member, name)));
        else expect(is.map(Number.isNaN), `${name} ${update}`).toEqual([update === 1, update === 1]);
      }
      for (const name of MEASURED) expect(at(plain.metrics[update], 0, name)).toBeNaN();
    }
    expect(at(asked.metrics[0], 0, 'behaviourEntropy')).toBeGreaterThan(0);
  });

  test('tells a policy that learned from an expert, which heeds its goal, from a novice', async () => {
    const taught: Experiment = {
      ...tiny,
      informationEpisodes: 4,
      warmStart: { ...tiny.warmStart, updates: 150, learningRate: 3e-3 },
      arms: tiny.arms.slice(0, 2).map((arm, i) => ({ ...arm, warmStart: i === 0 ? 'actions' : 'none' })),
    };
    const [values] = (await run(taught, 1)).metrics;
    expect(at(values, 0, 'taskInformation')).toBeGreaterThan(at(values, 1, 'taskInformation') + 0.2);
    expect(at(values, 0, 'taskRetrieval')).toBeGreaterThan(at(values, 1, 'taskRetrieval'));
    expect(Math.abs(at(values, 1, 'taskInformation'))).toBeLessThan(0.1);
  });
});
