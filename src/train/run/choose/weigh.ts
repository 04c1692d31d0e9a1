/** Memory that a run in a browser would take, before it begins. */
import { trainedMembers } from '../../../experiment/arm/policyFiles';
import type { Experiment } from '../../../experiment/experiment';
import { openWorldsOf } from '../../../experiment/ownWorld';
import type { LabError } from '../../../foundation/errors';
import { knowModel, type OwnModel } from '../../policies/models';
import { lackOf, type Memory, memoryOf, memoryWords } from '../memory';
import type { ChosenBackend } from './backends';

export interface Weighed {
  /** Text for the person; its first sentence can be said alone. */
  readonly text: string;
  /** True where the device or the machine has less. */
  readonly isLacking: boolean;
}

const GIB = 2 ** 30;

/**
 * model: the reader's own model that the policies begin from. has: GiB that the browser says the machine has at least, if it says so.
 */
export async function weigh(
  experiment: Experiment,
  model: OwnModel | null,
  choose: (members: number) => Promise<ChosenBackend>,
  has: number = Number.POSITIVE_INFINITY,
): Promise<Weighed> {
  if (model !== null) await knowModel(model);
  await openWorldsOf(experiment);
  const chosen = await choose(trainedMembers(experiment));
  chosen.release();
  const memory = memoryOf(chosen, experiment);
  if (memory === null) {
    const advice = 'Choose fewer seeds or arms, smaller groups, or a smaller model.';
    return {
      text: `It does not fit ${chosen.description}, not even in the smallest parts. ${advice}`,
      isLacking: true,
    };
  }
  return sizeOf(memory, lackInBrowser(memory, has));
}

/** Error where a run takes more than the browser says the machine has; null where there is room, or it says nothing. has: GiB. */
export const lackInBrowser = (memory: Memory, has: number = Number.POSITIVE_INFINITY): LabError | null =>
  lackOf(memory, has * GIB, 'the browser says that this machine has at least');

export const sizeOf = (memory: Memory, lack: LabError | null): Weighed =>
  lack === null ? { text: memoryWords(memory), isLacking: false } : { text: lack.message, isLacking: true };
