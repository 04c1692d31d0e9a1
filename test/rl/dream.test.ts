/** Dreams of a policy: its world if it has learned to predict it, else noise. Dreaming changes no number of training. */
import { beforeAll, describe, expect, it } from 'vitest';
import { turnsOf } from '../../src/environments/replay';
import { defaultArm, type Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { ROLE } from '../../src/foundation/roles';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import type { DreamView, EpisodeView } from '../../src/train/looks/shown';
import { TrainerPool } from '../../src/train/pool/pool';
import { Trainer } from '../../src/train/population/trainer';
import type { Training } from '../../src/train/population/training';
import type { DreamSampling } from '../../src/train/protocol';
import { startHere } from '../support/poolHere';
import { cpuTrainer } from '../support/trained';

const tiny = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
/** One arm has learned to predict from a few thousand answers of its world, the other from none; then both stand still. */
const gridworld: Experiment = {
  ...tiny,
  seeds: 2,
  policy: { ...tiny.policy, width: 32 },
  warmStart: { ...tiny.warmStart, source: 'random', updates: 200, learningRate: 5e-3 },
  arms: [
    { ...defaultArm('dreamer', 'Dreamer'), warmStart: 'observations', learningRate: 0 },
    { ...defaultArm('masked', 'Masked'), warmStart: 'none', learningRate: 0 },
  ],
};
/** Experiment with actions and answers of several tokens, and episodes of more turns than the decoder has places. */
const terminal: Experiment = {
  ...gridworld,
  environment: { id: 'terminal', settings: {} },
  batch: { groups: 1, groupSize: 2 },
  warmStart: { ...gridworld.warmStart, source: 'expert', updates: 100 },
  arms: gridworld.arms.map((arm, index) => ({ ...arm, warmStart: index === 0 ? 'actions-and-observations' : 'none' })),
};

interface Run {
  readonly training: Training;
  readonly episodes: EpisodeView[];
}

async function open(experiment: Experiment, workers = 1): Promise<Run> {
  const training =
    workers === 1
      ? new Trainer(await createCpuBackend(), experiment)
      : new TrainerPool(experiment, { workers, start: startHere });
  await training.prepare();
  const episodes = await (await training.runUpdate({ seed: 1, group: 0 })).episodes;
  return { training, episodes: episodes ?? [] };
}

const opened = new Map<Experiment, Promise<Run>>();

/** Run shared by tests that only look at it. */
function openOnce(experiment: Experiment): Promise<Run> {
  const run = opened.get(experiment) ?? open(experiment);
  opened.set(experiment, run);
  return run;
}

const dream = ({ training, episodes }: Run, sampling: DreamSampling) => training.dream({ id: 0, sampling, episodes });

const share = ({ agreed, dreamed }: DreamView, turns: number): number =>
  (agreed[turns - 1] as number) / (dreamed[turns - 1] as number);

/** Positions of answers. */
const answersOf = ({ roles }: EpisodeView): number[] =>
  turnsOf(roles).flatMap(({ answer, end }) => Array.from({ length: end - answer }, (_, i) => answer + i));

describe('dreams of a small map', () => {
  let run: Run;
  let dreamer: DreamView;
  let masked: DreamView;
  beforeAll(async () => {
    run = await openOnce(gridworld);
    [dreamer, masked] = (await dream(run, 'greedy')) as [DreamView, DreamView];
  });

  it('are the world where it was learned, one turn ahead and many, and noise where it was not', () => {
    expect([dreamer.arm, masked.arm]).toEqual(['dreamer', 'masked']);
    expect(share(dreamer, 1)).toBeGreaterThan(0.9);
    expect(share(dreamer, 4)).toBeGreaterThan(0.9);
    expect(share(masked, 1)).toBeLessThan(0.5);
    expect(dreamer.crossEntropy).toBeLessThan(0.1);
    expect(masked.crossEntropy).toBeGreaterThan(Math.log(16));
  });

  it('hang on the action where the world does, and not where nothing was learned', () => {
    expect(dreamer.sensitivity).toBeGreaterThan(2);
    expect(Math.abs(masked.sensitivity)).toBeLessThan(0.1);
  });

  it('drawn by chance are the same each time, and not the likeliest', async () => {
    const sampled = await dream(run, 'sampled');
    expect(await dream(run, 'sampled')).toEqual(sampled);
    expect(sampled[1]?.next).not.toEqual(masked.next);
    // No answer is likely under the untrained policy, so most samples differ.
    expect(new Set(answersOf(run.episodes[1] as EpisodeView).map((t) => sampled[1]?.next[t])).size).toBeGreaterThan(3);
  });
});

describe.each([
  ['gridworld', gridworld],
  ['terminal', terminal],
] as const)('dreams of the %s', (_, experiment) => {
  let run: Run;
  let dreams: DreamView[];
  beforeAll(async () => {
    run = await openOnce(experiment);
    dreams = await dream(run, 'greedy');
  });

  it('are what the passes of the training say is likeliest', () => {
    dreams.forEach((one, arm) => {
      const episode = run.episodes[arm] as EpisodeView;
      const answers = answersOf(episode);
      const mean = answers.reduce((sum, t) => sum - (episode.logProb[t] as number), 0) / answers.length;
      expect(one.crossEntropy).toBeCloseTo(mean, 4);
      for (const { answer, end } of turnsOf(episode.roles)) {
        for (let t = answer; t < end; t++) {
          const isLikeliest = (episode.logProb[t] as number) > Math.log(0.5);
          if (isLikeliest) expect(one.next[t]).toBe(episode.tokens[t]);
          // After a different token the dream is not what was scored.
          if (one.next[t] !== episode.tokens[t]) break;
        }
      }
    });
    expect(
      run.episodes[0]?.logProb.some((value, t) => run.episodes[0]?.roles[t] === ROLE.observation && value > -0.5),
    ).toBe(true);
  });

  it('keep all that is no answer, and count every token of every dream', () => {
    dreams.forEach((one, arm) => {
      const episode = run.episodes[arm] as EpisodeView;
      const said = new Set(answersOf(episode));
      const turns = turnsOf(episode.roles);
      for (const tokens of [one.next, one.whole]) {
        expect(tokens).toHaveLength(episode.tokens.length);
        episode.tokens.forEach((token, t) => {
          if (!said.has(t)) expect(tokens[t]).toBe(token);
        });
      }
      const sizes = turns.map(({ answer, end }) => end - answer);
      const counts = turns.map((_turn, after) => sizes.slice(after).reduce((sum, size) => sum + size, 0));
      expect([...one.dreamed]).toEqual(counts);
      const first = turns[0] as (typeof turns)[number];
      expect(one.next.slice(0, first.end)).toEqual(one.whole.slice(0, first.end));
      const equal = [...said].filter((t) => one.next[t] === episode.tokens[t]).length;
      expect(one.agreed[0]).toBe(equal);
      expect(one.agreed.every((agreed, after) => agreed <= (one.dreamed[after] as number))).toBe(true);
    });
  });
});

describe('dreaming', () => {
  it('gives the same on several Workers', async () => {
    const run = await openOnce(terminal);
    const pool = await open(terminal, 3);
    expect(pool.episodes).toEqual(run.episodes);
    expect(await dream(pool, 'sampled')).toEqual(await dream(run, 'sampled'));
    pool.training.dispose();
  });

  it('leaves the last batch to be looked at as it was', async () => {
    const { training, episodes } = await open({ ...terminal, warmStart: { ...terminal.warmStart, updates: 0 } });
    const choice = { seed: 1, group: 0, trajectory: 1 };
    const before = await training.inspect(choice);
    await training.dream({ id: 0, sampling: 'greedy', episodes });
    expect(before).toHaveLength(2);
    expect(await training.inspect(choice)).toEqual(before);
  });

  it('changes no number of the training', async () => {
    const small: Experiment = {
      ...tiny,
      seeds: 1,
      evaluation: { every: 2, tasks: 2, toolEvery: 0 },
      arms: tiny.arms.map((arm, index) => ({ ...arm, staleness: index === 0 ? 1 : 0 })),
    };
    const train = async (dreaming: boolean) => {
      const trainer = await cpuTrainer(small);
      const metrics: Float64Array[] = [];
      for (let update = 0; update < 4; update++) {
        const result = await trainer.runUpdate({ seed: 0, group: 1 });
        // The metrics are not awaited: they are still on their way while the policy dreams.
        if (dreaming) {
          const episodes = (await result.episodes) ?? [];
          const dreams = await trainer.dream({ id: 0, sampling: update % 2 === 0 ? 'greedy' : 'sampled', episodes });
          expect(dreams).toHaveLength(small.arms.length);
        }
        metrics.push(await result.metrics);
      }
      return { metrics, snapshot: await trainer.snapshot() };
    };
    expect(await train(true)).toEqual(await train(false));
  });
});
