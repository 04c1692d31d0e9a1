/** Two policies in one episode: each turn is the one's or the other's, who has read all of it, and whose log-probs are kept. */
import { describe, expect, test } from 'vitest';
import { gridworld } from '../../src/environments/gridworld/gridworld';
import { mixture } from '../../src/environments/mixture/mixture';
import { turnsOf } from '../../src/environments/replay';
import { defaultArm } from '../../src/experiment/experiment';
import { RandomStream, STREAM } from '../../src/foundation/philox';
import { randomDecoder } from '../../src/rl/play/randomDecoder';
import { Rollout } from '../../src/rl/play/rollout';
import { Trajectories } from '../../src/rl/play/trajectories';
import { membersOf } from '../../src/rl/population';
import { ROW_FIELDS } from '../../src/tensor/layout';

const arms = [defaultArm('a', 'A'), defaultArm('b', 'B')];
const members = membersOf(arms, [0]);
const sizes = { groups: 2, groupSize: 3 };
const B = sizes.groups * sizes.groupSize;

describe.each([
  ['moves', gridworld.create({ size: 3, horizon: 6, decoding: 'free' })],
  ['commands of several words among moves', mixture.create({ gridworld: 1, calculator: 0, terminal: 1 })],
])('%s', (_, environment) => {
  test('each turn is one policy’s', async () => {
    const { context, maxTurns } = environment;
    const decoder = randomDecoder(environment, B, members.length, context);
    let now = -1;
    const entered: number[] = [];
    /** Tokens that each policy has in its cache, and those of them that the other one has overwritten since. */
    const cached = Array.from({ length: members.length * B }, () => new Array<string>(context).fill(''));
    const trajectories = new Trajectories(members.length, B, context, maxTurns);
    const tagged = {
      ...decoder,
      turn: async () => {
        const { rows, rowCount, picks, pickCount } = decoder.request;
        for (const member of members.keys()) {
          for (let row = 0; row < (rowCount[member] as number); row++) {
            const at = (member * B * context + row) * ROW_FIELDS;
            const slot = (rows[at + 2] as number) / context;
            const own = cached[member * B + slot] as string[];
            own[rows[at + 1] as number] = `${now}: ${rows[at]}`;
          }
          for (let pick = 0; pick < (pickCount[member] as number); pick++) {
            const slot = picks[(member * B + pick) * ROW_FIELDS + 2] as number;
            const i = member * B + slot;
            const length = trajectories.lengths[i] as number;
            const read = Array.from(trajectories.tokens.subarray(i * context, i * context + length));
            // All that was said and done, as this policy reads it.
            expect(cached[i]?.slice(0, length)).toEqual(read.map((token) => `${now}: ${token}`));
          }
        }
        const { tokens, logProbs } = await decoder.turn();
        // Drawn tokens are read as they are drawn, all but the last.
        for (const member of members.keys()) {
          for (let pick = 0; pick < (pickCount[member] as number); pick++) {
            const at = (member * B + pick) * ROW_FIELDS;
            const own = cached[member * B + (picks[at + 2] as number)] as string[];
            for (let step = 0; step < environment.maxActionTokens; step++) {
              const token = tokens[(member * environment.maxActionTokens + step) * B + pick];
              own[(picks[at + 1] as number) + step] = `${now}: ${token}`;
            }
          }
        }
        return { tokens, logProbs: Array.from(logProbs, () => -1 - now) };
      },
    };
    const policyOf = (member: number, slot: number, turn: number): number =>
      member === 0 ? 0 : (slot * 7 + turn * 5 + (turn >> 1)) % 2;
    const rollout = new Rollout(environment, tagged, members, { ...sizes, chunk: context });
    await rollout.run(trajectories, {
      arms,
      experimentSeed: 1,
      stream: STREAM.sampling,
      round: 0,
      drawTask: (_member, group) => environment.drawTask(new RandomStream(1, STREAM.tasks, 0, 0, group)),
      relay: {
        policies: 2,
        policyOf,
        enter: (policy) => {
          now = policy;
          entered.push(policy);
        },
      },
    });
    const played = new Set<string>();
    for (let i = 0; i < members.length * B; i++) {
      const member = Math.floor(i / B);
      const from = i * context;
      const turns = turnsOf(trajectories.roles.subarray(from, from + (trajectories.lengths[i] as number)));
      expect(turns).toHaveLength(trajectories.turns[i] as number);
      for (const [turn, { action, answer }] of turns.entries()) {
        const policy = policyOf(member, i % B, turn);
        played.add(`${member}: ${policy}`);
        const kept = [...trajectories.behaviourLogProb.subarray(from + action, from + answer)];
        expect(kept).toEqual(kept.map(() => -1 - policy));
      }
    }
    expect(played).toEqual(new Set(['0: 0', '1: 0', '1: 1']));
    expect(entered.slice(0, 4)).toEqual([0, 1, 0, 1]);
  });
});
