/** One member's settings of the world-model loss, named as in src/hyperparameters. */
import { namesOf, readerOf } from '../../../hyperparameters/columns';
import { WORLD_MODEL } from '../../../hyperparameters/worldModel';

export type WorldModelMember = ReturnType<typeof worldModelMember>;

export const worldModelMember = readerOf(namesOf(WORLD_MODEL));
