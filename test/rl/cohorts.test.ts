/**
 * Waits that cohorts hide, on a clock of its own: a device that takes a tick for each draw, one after the other, and readbacks
 * that arrive some ticks later. Nothing here depends on how fast the machine is.
 */
import { describe, expect, it } from 'vitest';
import { decoderChunk } from '../../src/environments/replay';
import { defaultArm } from '../../src/experiment/experiment';
import { STREAM } from '../../src/foundation/philox';
import { cohortSize, playCohorts } from '../../src/policy/cohorts';
import { NOT_DRAWN, type TurnDecoder } from '../../src/policy/decoder';
import { Rollout } from '../../src/rl/play/rollout';
import { Trajectories } from '../../src/rl/play/trajectories';
import { membersOf } from '../../src/rl/population';
import { ROW_FIELDS } from '../../src/tensor/layout';
import { spellingEnvironment } from '../support/spellingEnvironment';

const environment = spellingEnvironment;
const [groups, groupSize] = [2, 4];
const count = groups * groupSize;

/** Time that stands still while anything here computes. */
class Clock {
  now = 0;
  readonly #waits: { readonly until: number; readonly wake: () => void }[] = [];

  wait(until: number): Promise<void> {
    return new Promise((wake) => this.#waits.push({ until, wake }));
  }

  /** Ticks until the work is done. */
  async through(work: Promise<unknown>): Promise<number> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    for (;;) {
      await new Promise(setImmediate);
      if (isDone) break;
      this.#waits.sort((a, b) => b.until - a.until);
      const next = this.#waits.pop();
      if (next === undefined) throw new Error('It waits for nothing.');
      this.now = next.until;
      next.wake();
    }
    await done;
    return this.now;
  }
}

/** A decoder that ends each action at once, so that no episode ends before its last turn. */
function slowDecoder(clock: Clock, cohorts: number, latency: number): TurnDecoder {
  const places = cohortSize(count, cohorts);
  const { maxActionTokens, stopToken } = environment;
  const request = {
    rows: new Uint32Array(places * decoderChunk(environment) * ROW_FIELDS),
    rowCount: new Uint32Array(1),
    picks: new Uint32Array(places * ROW_FIELDS),
    pickCount: new Uint32Array(1),
    actionTokens: new Uint32Array(places),
  };
  let free = 0;
  return {
    request,
    trajectories: count,
    cohorts,
    places,
    begin: () => {},
    async turn() {
      free = Math.max(free, clock.now) + (request.pickCount[0] as number);
      const tokens = new Uint32Array(maxActionTokens * places).fill(NOT_DRAWN).fill(stopToken, 0, places);
      // A log-prob tells whose it is: another cohort's request comes before this one's answer.
      const logProbs = new Float32Array(tokens.length);
      for (let pick = 0; pick < places; pick++) logProbs[pick] = -1 - (request.picks[pick * ROW_FIELDS + 2] as number);
      await clock.wait(free + latency);
      return { tokens, logProbs };
    },
  };
}

async function played(cohorts: number, latency: number): Promise<{ ticks: number; trajectories: Trajectories }> {
  const clock = new Clock();
  const arms = [defaultArm('only', 'Only')];
  const decoder = slowDecoder(clock, cohorts, latency);
  const sizes = { groups, groupSize, chunk: decoderChunk(environment) };
  const rollout = new Rollout(environment, decoder, membersOf(arms, [0]), sizes);
  const trajectories = new Trajectories(1, count, environment.context, environment.maxTurns);
  const playing = rollout.run(trajectories, {
    arms,
    experimentSeed: 0,
    stream: STREAM.sampling,
    round: 0,
    drawTask: () => Int32Array.of(3, 4),
  });
  return { ticks: await clock.through(playing), trajectories };
}

describe.each([1, 2, 4])('a rollout in %i cohorts', (cohorts) => {
  it.each([0, 2, 5, 10])('waits for what is left of %i ticks each turn, and for the rest once', async (latency) => {
    const turns = environment.maxTurns;
    const others = count - cohortSize(count, cohorts);
    const { ticks, trajectories } = await played(cohorts, latency);
    expect(ticks).toBe(turns * count + turns * Math.max(0, latency - others) + Math.min(latency, others));
    expect(Array.from(trajectories.turns)).toEqual(new Array(count).fill(turns));
    for (let slot = 0; slot < count; slot++) {
      const own = trajectories.behaviourLogProb.subarray(slot * environment.context, (slot + 1) * environment.context);
      expect(own.reduce((sum, logProb) => sum + logProb, 0)).toBe((-1 - slot) * turns);
    }
  });
});

it('ends all cohorts where one fails, before the failure is told', async () => {
  const turns = [0, 0, 0];
  const failed = playCohorts(3, 10, async (cohort) => {
    turns[cohort] = (turns[cohort] as number) + 1;
    await new Promise(setImmediate);
    if (cohort === 1 && turns[1] === 2) throw new Error('the second');
    return true;
  });
  await expect(failed).rejects.toThrow('the second');
  const ended = [...turns];
  await new Promise(setImmediate);
  expect(turns).toEqual(ended);
  expect(Math.max(...turns)).toBeLessThanOrEqual(3);
});
