/**
 * Information gain: the places that are scored, by hand; on every backend, against float64 and against the decoder's own log-probs.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Environment } from '../../src/environments/environment';
import { openWorlds } from '../../src/environments/own/here';
import { textFor } from '../../src/environments/own/shipped';
import { turnsOf } from '../../src/environments/replay';
import { type Arm, defaultArm, type Experiment } from '../../src/experiment/experiment';
import { withWorld } from '../../src/experiment/ownWorld';
import { checkExperiment, parseExperiment } from '../../src/experiment/parse';
import { findPreset } from '../../src/experiment/presets/presets';
import { layoutParameters } from '../../src/policy/parameters';
import { InformationGain } from '../../src/rl/play/informationGain';
import { Trajectories } from '../../src/rl/play/trajectories';
import { hyperparameters, membersOf } from '../../src/rl/population';
import type { Backend } from '../../src/tensor/backend';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { allocate } from '../../src/train/population/allocation';
import { createEnvironment, policyShape } from '../../src/train/population/shape';
import { availableBackends } from '../support/backends';

beforeAll(openWorlds);

const [PROMPT, SAID, END, ANSWER] = [2, 3, 9, [7, 8]] as const;
const backend = { prepare: async () => {} };

/** Two members of two groups of two episodes: turns of a thought, a word and what was said, as many as `turns` says. */
function played(turns: readonly number[]): Trajectories {
  const trajectories = new Trajectories(2, 4, 16, 4);
  for (const [member, own] of trajectories.tasks.entries())
    own.push(Int32Array.of(member, 0), Int32Array.of(member, 1));
  turns.forEach((count, i) => {
    trajectories.appendSaid(i, PROMPT, 'prompt');
    for (let turn = 0; turn < count; turn++) {
      trajectories.appendDrawn(i, 4 + turn, 2, -1, 'thought');
      trajectories.appendDrawn(i, END, 2, -1, 'thought');
      trajectories.appendDrawn(i, 10 + turn, 1, -1);
      const end = trajectories.lengths[i] as number;
      trajectories.appendSaid(i, SAID, 'observation');
      trajectories.endTurn(i, end, 0, 0);
    }
  });
  return trajectories;
}

const knowing = {
  thoughts: { legalSet: 2, most: 2, end: END },
  // The second member's second task has no answer.
  answer: ([member, task]: Int32Array) => (member === 1 && task === 1 ? null : [...ANSWER]),
} as unknown as Environment;

describe('the places that are scored', () => {
  const TURNS = [3, 1, 2, 2, 1, 2, 2, 1];

  test('are before each turn: what was said and done by then, the end of thoughts, the answer', async () => {
    const seen: string[] = [];
    let passes = 0;
    const recordScores = () => async (laid: Trajectories) => {
      passes++;
      const logProbs = new Float64Array(8 * 16).fill(Number.NaN);
      laid.lengths.forEach((length, i) => {
        if (length === 0) return;
        const row = [...laid.tokens.subarray(i * 16, i * 16 + length)];
        seen.push(`${Math.floor(i / 4)}: ${row.join(' ')}`);
        const before = row.length - 2;
        expect(row.slice(before - 1)).toEqual([END, ...ANSWER]);
        expect([...laid.legalSets.subarray(i * 16 + before - 1, i * 16 + length)]).toEqual([2, 1, 1]);
        // The first word is the less likely the more was said; the second is likelier.
        logProbs[i * 16 + before] = -before;
        logProbs[i * 16 + before + 1] = i < 4 ? 0 : Number.NEGATIVE_INFINITY;
      });
      return logProbs;
    };
    const trajectories = played(TURNS);
    const all = TURNS.map((_, i) => i);
    await new InformationGain(backend, knowing, { recordScores }, 2).read(trajectories, all);
    // Of the first member four places in a batch, and two more: 3 + 0 + 2 + 1.
    expect(passes).toBe(2);
    const [one, two] = [`2 4 9 10 3`, `2 4 9 10 3 5 9 11 3`];
    const of = (member: number) => seen.filter((row) => row.startsWith(`${member}:`)).map((row) => row.slice(3));
    expect(of(0)).toEqual(['2', one, two, '2', one, one].map((before) => `${before} 9 7 8`));
    expect(of(1)).toEqual(['2', one].map((before) => `${before} 9 7 8`));
    const chance = (before: number): number => Math.exp(-before / 2);
    const known = all.map((i) => [...trajectories.turnKnown.subarray(i * 4, i * 4 + 4)]);
    expect(known.slice(0, 4)).toEqual([
      [chance(2), chance(6), chance(10), Number.NaN],
      [chance(2), Number.NaN, Number.NaN, Number.NaN],
      [chance(2), chance(6), Number.NaN, Number.NaN],
      [chance(2), chance(6), Number.NaN, Number.NaN],
    ]);
    // A word that is not legal has no chance; a task without an answer is not known.
    expect(known[5]?.slice(0, 2)).toEqual([0, 0]);
    expect(known[6]).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
  });

  test('are none where the answer would not fit: it cannot be said', async () => {
    const recordScores = () => async () => new Float64Array(8 * 16);
    const long = { ...knowing, answer: () => new Array(14).fill(7) } as unknown as Environment;
    const trajectories = played(TURNS);
    await new InformationGain(backend, long, { recordScores }, 2).read(trajectories, [0]);
    expect([...trajectories.turnKnown.subarray(0, 3)]).toEqual([1, 0, 0]);
  });

  test('need a world that knows an answer', async () => {
    const { answer: _, ...mute } = knowing;
    const gain = new InformationGain(backend, mute as Environment, { recordScores: () => async () => [] }, 2);
    await expect(gain.read(played(TURNS), [0])).rejects.toThrow('knows no right answer');
  });
});

const tiny = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
const plain = defaultArm('paid', 'Paid');
const paid: Arm = { ...plain, temperature: 0.8, reward: { ...plain.reward, information: 1 } };
const base: Experiment = { ...tiny, arms: [paid, defaultArm('plain', 'Plain')], seeds: 1 };
const sizes = { groups: 4, groupSize: 4 };
/** Codes of two pegs, which are spelled. */
function codes(): Experiment {
  const { environment, ...rest } = withWorld({ ...base, batch: sizes }, textFor('@mastermind'));
  const settings = { ...environment.settings, pegs: 2, colours: 2, guesses: 3 };
  return { ...rest, environment: { ...environment, settings } };
}

/** Whatever trains an experiment, and its world. */
async function opened(on: Backend, given: Experiment) {
  const experiment = parseExperiment(given);
  const environment = createEnvironment(experiment);
  const members = membersOf(experiment.arms, [0]);
  const { configuration } = policyShape(experiment, environment);
  const layout = layoutParameters(configuration);
  const allocation = allocate(on, experiment, { members, environment, configuration, layout }, {});
  await on.prepare();
  on.write(allocation.update.hyper, hyperparameters(members, experiment.arms, 0));
  return { ...allocation, backend: on, environment, experiment };
}

describe.each(availableBackends)('on $name', ({ create }) => {
  test('it is as float64 has it, and where the answer is given as the decoder drew it', async () => {
    const run = await opened(await create(), codes());
    const { trajectories, environment, experiment } = run;
    await run.collection.collect(trajectories, experiment.arms, 0);
    const { count, context, maxTurns, turnKnown, turns, lengths, roles, behaviourLogProb } = trajectories;
    // The other arm is not paid by it.
    expect(turnKnown.slice(count * maxTurns).every(Number.isNaN)).toBe(true);
    let given = 0;
    for (let i = 0; i < count; i++) {
      const answer = environment.answer?.(trajectories.taskOf(i)) ?? [];
      turnsOf(roles.subarray(i * context, i * context + (lengths[i] as number))).forEach((turn, k) => {
        const known = turnKnown[i * maxTurns + k] as number;
        expect(known).toBeGreaterThan(0);
        expect(known).toBeLessThan(1);
        const places = Array.from({ length: turn.answer - turn.action }, (_, j) => i * context + turn.action + j);
        if (places.map((at) => trajectories.tokens[at]).join() !== answer.join()) return;
        given++;
        const mean = places.reduce((sum, at) => sum + (behaviourLogProb[at] as number), 0) / places.length;
        expect(known).toBeCloseTo(Math.exp(mean), 5);
      });
      const first = turnKnown[i * maxTurns] as number;
      const last = turnKnown[i * maxTurns + (turns[i] as number) - 1] as number;
      const part = trajectories.parts[i * (trajectories.parts.length / lengths.length) + 8] as number;
      expect(part).toBeCloseTo(last - first, 6);
      expect(trajectories.rewards[i]).toBeCloseTo((trajectories.successes[i] as number) + last - first, 5);
    }
    expect(given).toBeGreaterThan(0);

    const reference = await opened(new ReferenceBackend(), codes());
    const copy = reference.trajectories;
    for (const name of ['tokens', 'roles', 'legalSets', 'lengths', 'turns'] as const)
      copy[name].set(trajectories[name]);
    for (const [member, own] of trajectories.tasks.entries()) copy.tasks[member]?.push(...own);
    const exact = new InformationGain(reference.backend, environment, reference.update, sizes.groupSize);
    await exact.read(
      copy,
      Array.from({ length: count }, (_, i) => i),
    );
    for (let at = 0; at < count * maxTurns; at++) {
      const [is, should] = [turnKnown[at] as number, copy.turnKnown[at] as number];
      if (Number.isNaN(should)) expect(is).toBeNaN();
      else expect(is).toBeCloseTo(should, 5);
    }
  });
});

describe('an experiment', () => {
  test('that pays for it in a world without answers cannot run', () => {
    const { problems } = checkExperiment(base);
    expect(problems).toMatchObject([
      { path: 'arms.paid.reward.information', message: expect.stringContaining('no action says a result') },
    ]);
  });
});
