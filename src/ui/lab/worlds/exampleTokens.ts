/** Beginning of a world's exhibit as a few chips, a chip for each stretch of tokens of one role. */
import type { Exhibit } from '../../../environments/environment';
import { ROLE, ROLES, type Role } from '../../../foundation/roles';
import { writeToken } from '../../kit/tokens/tokenWords';

export interface Stretch {
  readonly role: Role;
  readonly words: string;
}

/** Chips in a line, characters of one, and of all. */
const [MOST, LONGEST, ROOM] = [8, 14, 44];

/** Empty where no script plays the world, or nothing can: there is no action to show. */
export function exampleTokens(
  { tokens, roles }: Pick<Exhibit, 'tokens' | 'roles'>,
  words: readonly string[],
): Stretch[] {
  if (!Array.from(roles).includes(ROLE.action)) return [];
  const stretches: { role: Role; words: string[] }[] = [];
  Array.from(tokens).forEach((token, at) => {
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

const shortened = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1).trimEnd()}…` : text);
