/** Episodes of several worlds at once: each slot plays in the world that its task names. */
import { LabError } from '../../foundation/errors';
import type { Emission, Environment, WorldSlots } from '../environment';
import { expertThoughts, longestAction, thoughtsOf } from '../replay';
import { type Translation, Translator } from './translation';

/** A world of the mixture, with room for every slot. */
interface Room {
  readonly environment: Environment;
  readonly world: WorldSlots & Required<Pick<WorldSlots, 'expert'>>;
  readonly translation: Translation;
  readonly translator: Translator;
  /** Number of legal sets of the worlds before this one. */
  readonly firstSet: number;
}

export interface RoomOptions {
  readonly environment: Environment;
  readonly translation: Translation;
  readonly firstSet: number;
}

export class MixtureSlots implements WorldSlots {
  readonly #rooms: readonly Room[];
  /** Index of the room that each slot plays in. */
  readonly #room: Uint8Array;
  readonly #action: number[] = [];

  constructor(slots: number, rooms: readonly RoomOptions[]) {
    this.#room = new Uint8Array(slots);
    this.#rooms = rooms.map((options) => ({
      ...options,
      world: withExpert(options.environment.createWorld(slots)),
      translator: new Translator(options.translation),
    }));
  }

  #of(slot: number): Room {
    return this.#rooms[this.#room[slot]];
  }

  /** A task is [room, the task of the world there …]. */
  reset(slot: number, task: Int32Array, emission: Emission): void {
    this.#room[slot] = task[0];
    const { world, translator } = this.#of(slot);
    translator.to = emission;
    world.reset(slot, task.subarray(1), translator);
  }

  legalSet(slot: number): number {
    const { world, firstSet } = this.#of(slot);
    const own = world.legalSet(slot);
    return own === 0 ? 0 : firstSet + own;
  }

  isFree(slot: number): boolean {
    return this.#of(slot).world.isFree?.(slot) === true;
  }

  maxActionTokens(slot: number): number {
    const { environment, world } = this.#of(slot);
    return longestAction(environment, world, slot);
  }

  hasThoughts(slot: number): boolean {
    const { environment, world } = this.#of(slot);
    return thoughtsOf(environment, world, slot) !== null;
  }

  expect(slot: number, action: ArrayLike<number>): void {
    const { world, translation } = this.#of(slot);
    if (world.expect !== undefined) world.expect(slot, this.#inward(translation, action));
  }

  step(slot: number, action: ArrayLike<number>, emission: Emission): void {
    const { world, translation, translator } = this.#of(slot);
    translator.to = emission;
    world.step(slot, this.#inward(translation, action), translator);
  }

  #inward(translation: Translation, action: ArrayLike<number>): readonly number[] {
    this.#action.length = action.length;
    for (let at = 0; at < action.length; at++) this.#action[at] = translation.inward(action[at]);
    return this.#action;
  }

  isDone(slot: number): boolean {
    return this.#of(slot).world.isDone(slot);
  }

  reward(slot: number): number {
    return this.#of(slot).world.reward(slot);
  }

  isSuccess(slot: number): boolean {
    return this.#of(slot).world.isSuccess(slot);
  }

  expert(slot: number): readonly number[] {
    const { world, translation } = this.#of(slot);
    return world.expert(slot).map((token) => translation.outward(token));
  }

  thinks(slot: number): readonly number[] {
    const { environment, world, translation } = this.#of(slot);
    return expertThoughts(environment, world, slot).map((token) => translation.outward(token));
  }

  entropyFloor(slot: number): number {
    return this.#of(slot).world.entropyFloor?.(slot) ?? Number.NaN;
  }

  progress(slot: number): number {
    return this.#of(slot).world.progress?.(slot) ?? 0;
  }
}

function withExpert(world: WorldSlots): Room['world'] {
  if (world.expert !== undefined) return world as Room['world'];
  throw new LabError(
    'invalid-experiment',
    'A world of the mixture has no scripted expert.',
    'Write one, or leave the world out.',
  );
}
