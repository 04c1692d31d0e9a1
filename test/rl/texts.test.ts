/** Actions of texts in a rollout: what was drawn behind a stop of several tokens is dropped, and nobody reads it. */
import { expect, test } from 'vitest';
import { decoderChunk } from '../../src/environments/replay';
import { defaultArm } from '../../src/experiment/experiment';
import { STREAM } from '../../src/foundation/philox';
import { ROLE } from '../../src/foundation/roles';
import { NOT_DRAWN } from '../../src/policy/decoder';
import { randomDecoder } from '../../src/rl/play/randomDecoder';
import { Rollout } from '../../src/rl/play/rollout';
import { Trajectories } from '../../src/rl/play/trajectories';
import { membersOf } from '../../src/rl/population';
import { ROW_FIELDS } from '../../src/tensor/layout';
import { askText, openWorld } from '../support/ownWorlds';

test('a stop of several tokens ends an action', async () => {
  const world = await openWorld(askText({ fields: "stop: ['the end'], maxTokens: 12, heldOut: 0" }));
  const form = world.description.text;
  if (form === null) throw new TypeError('It is a world of texts.');
  const [said, behind] = [form.next(' A dog. the end'), form.next(' of it')];
  const fed: number[][] = [];
  const decoder = randomDecoder(world, 2, 1, decoderChunk(world));
  const scripted = {
    ...decoder,
    async turn() {
      const { rows, rowCount } = decoder.request;
      const count = rowCount[0] ?? 0;
      fed.push(Array.from({ length: count }, (_, row) => rows[row * ROW_FIELDS + 1] ?? 0));
      const tokens = new Uint32Array(12 * 2).fill(NOT_DRAWN);
      for (const [step, token] of [...said, ...behind].entries()) tokens.fill(token, step * 2, step * 2 + 2);
      return { tokens, logProbs: Float32Array.from(tokens, (_, at) => -at) };
    },
  };
  const arms = [defaultArm('only', 'Only')];
  const rollout = new Rollout(world, scripted, membersOf(arms, [0]), {
    groups: 1,
    groupSize: 2,
    chunk: decoderChunk(world),
  });
  const trajectories = new Trajectories(1, 2, world.context, world.maxTurns);
  await rollout.run(trajectories, {
    arms,
    experimentSeed: 1,
    stream: STREAM.sampling,
    round: 0,
    drawTask: () => Int32Array.of(5, 0),
  });
  const { tokens, roles } = trajectories;
  const length = trajectories.lengths[0] ?? 0;
  const drawn = Array.from({ length }, (_, at) => (roles[at] === ROLE.action ? [tokens[at]] : [])).flat();
  expect(drawn).toEqual([...said, ...said, ...said]);
  // The second turn begins with the action's last token, which nobody has read, wherever drawing went on to.
  const end = (fed[0]?.length ?? 0) / 2 + said.length;
  expect(fed[1]?.[0]).toBe(end - 1);
});
