/** Worlds that come with the lab, by name (`worlds/`). A text that experiments name is never changed: links mean it for good. */
import { LabError } from '../../foundation/errors';

const TEXTS = import.meta.glob<string>('../../../worlds/**/*.js', { query: '?raw', import: 'default', eager: true });

/** First character of a world's setting where it is a name, such as `@bandit`, and no text. */
const MARK = '@';

/** Texts of the shipped worlds, by name. */
export const shippedWorlds: ReadonlyMap<string, string> = new Map(
  Object.entries(TEXTS).map(([path, text]) => [path.replace(/^.*\/|\.js$/g, ''), text]),
);

/** Text of a world, given as a text or by name. Throws LabError for a name that no world has. */
export function textFor(given: string): string {
  if (!given.startsWith(MARK)) return given;
  const found = shippedWorlds.get(given.slice(MARK.length));
  if (found !== undefined) return found;
  const names = [...shippedWorlds.keys()].map((name) => MARK + name).join(', ');
  throw new LabError(
    'invalid-experiment',
    `No world of the lab is called ${given.slice(0, 40)}.`,
    `There are: ${names}.`,
  );
}
