import { ROLE } from '../../../../foundation/roles';
import type { BoardEpisode } from '../../../../store/look/playback';

/** Words for how an example was played: by the world's script, or not at all where the world has none. */
export const exampleWords = ({ roles }: Pick<BoardEpisode, 'roles'>): string =>
  roles.includes(ROLE.action) ? 'as a script plays it' : 'as it begins';
