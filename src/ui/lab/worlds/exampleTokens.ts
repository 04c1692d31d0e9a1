/** Beginning of a world's exhibit as a few chips, a chip for each stretch of tokens of one role. */
import { type Exhibited, exhibitedEpisode, isMistake } from '../../../environments/exhibit';
import { ROLE, ROLES, type Role } from '../../../foundation/roles';
import type { World } from '../../environment';
import { writeToken } from '../../kit/tokens/words';

export interface Stretch {
  readonly role: Role;
  readonly words: string;
}

/** Chips in a line, characters of one, and of all. */
const [MOST, LONGEST, ROOM] = [8, 14, 44];

/** Empty where no script plays the world, or nothing can: there is no action to show. */
export function exampleTokens({ environment, words }: World): Stretch[] {
  const { tokens, roles } = episodeOf(environment);
  if (!roles.includes(ROLE.action)) return [];
  const stretches: { role: Role; words: string[] }[] = [];
  tokens.forEach((token, at) => {
    const word = words[token] ?? '?';
    const role = ROLES[roles[at] ?? -1];
    if (role === undefined || word === '<bos>') return;
    const last = stretches.at(-1);
    if (last?.role === role) last.words.push(writeToken(word));
    else stretches.push({ role, words: [writeToken(word)] });
  });
  let room = ROOM;
  return stretches
    .slice(0, MOST)
    .map(({ role, words: all }) => ({ role, words: shortened(all.join(' ')) }))
    .filter(({ words: text }, at) => {
      room -= text.length + 2;
      // A question without an answer shows nothing.
      return room >= 0 || at < 3;
    });
}

function episodeOf(environment: World['environment']): Pick<Exhibited, 'tokens' | 'roles'> {
  try {
    return exhibitedEpisode(environment);
  } catch (cause) {
    // What is wrong with it is told in the picture of the world.
    if (!isMistake(cause)) throw cause;
    return { tokens: [], roles: [] };
  }
}

const shortened = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1).trimEnd()}…` : text);
