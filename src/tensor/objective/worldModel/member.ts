/** One member's choices and numbers of the world-model loss, under their names in src/hyperparameters. */
import { namesOf, readerOf } from '../../../hyperparameters/columns';
import { WORLD_MODEL } from '../../../hyperparameters/worldModel';

export type WorldModelMember = ReturnType<typeof worldModelMember>;

export const worldModelMember = readerOf(namesOf(WORLD_MODEL));
