/**
 * Speed of a user's world: random legal actions in many episodes at once, as a rollout plays them, in steps a second of the
 * processor's time, so that other programs do not count. At first nothing of it is remembered; every later round has new tasks.
 */

import type { EnvironmentSettings } from '../../environments/environment';
import { OwnWorld, ownWorld } from '../../environments/own/world';
import { drawAction } from '../../environments/replay';
import { RandomStream } from '../../foundation/philox';

export interface WorldSpeed {
  /** Steps a second in the first round, and in the last. */
  readonly cold: number;
  readonly warm: number;
}

const SLOTS = 512;
/** Rounds, and seconds after which no other begins. */
const ROUNDS = 12;
const SECONDS = 2;
const SILENT = { emit: () => true };

/** The sandbox must be open. Throws WorldError. */
export function speedOf(text: string, settings: EnvironmentSettings): WorldSpeed {
  const environment = new OwnWorld(text, ownWorld(text, settings).settings);
  const world = environment.createWorld(SLOTS);
  const random = new RandomStream(0x73706565, 0, 0, 0, 0);
  const slots = Array.from({ length: SLOTS }, (_, slot) => slot);
  const round = (): { steps: number; seconds: number } => {
    const tasks = slots.map(() => environment.drawTask(random));
    const before = process.cpuUsage();
    let steps = 0;
    for (const slot of slots) world.reset(slot, tasks[slot] as Int32Array, SILENT);
    for (let open = slots; open.length > 0; open = open.filter((slot) => !world.isDone(slot))) {
      const actions = open.map((slot) => drawAction(environment, world, slot, random));
      for (const [i, slot] of open.entries()) world.expect(slot, actions[i] as number[]);
      for (const [i, slot] of open.entries()) world.step(slot, actions[i] as number[], SILENT);
      steps += open.length;
    }
    const { user, system } = process.cpuUsage(before);
    return { steps, seconds: (user + system) / 1e6 };
  };
  const first = round();
  let last = first;
  let spent = first.seconds;
  for (let played = 1; played < ROUNDS && spent < SECONDS; played++) {
    last = round();
    spent += last.seconds;
  }
  return { cold: first.steps / first.seconds, warm: last.steps / last.seconds };
}
