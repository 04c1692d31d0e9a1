/** The line of a world's file that a mistake is about, where only its words tell: a word that was said, a function's name. */
import { NOWHERE, type Place, WorldError } from './failure';

/** Result of `call`. A WorldError without a line gets the line that its words point to. */
export function withPlace<T>(text: string, call: () => T): T {
  try {
    return call();
  } catch (cause) {
    if (!(cause instanceof WorldError) || cause.line > 0) throw cause;
    const place = placeOf(cause.plain, text);
    throw place.line === 0 ? cause : new WorldError(place, '', { what: cause.plain, cause });
  }
}

/** First the text in quotation marks of the message, then the function or field that it names. */
function placeOf(message: string, text: string): Place {
  const [, said = ''] = /“([^”]+)”/.exec(message) ?? [];
  const named = [...message.matchAll(/\b([a-z][A-Za-z]*)(?:\(|\.|\b)/g)].map(([, name = '']) => name);
  const candidates = [
    ...["'", '"', '`'].map((mark) => (said === '' ? '' : mark + said + mark)),
    ...named.flatMap((name) => (FIELDS.includes(name) ? [`${name}(`, `${name}:`] : [])),
  ];
  for (const candidate of candidates) {
    const at = candidate === '' ? -1 : text.search(new RegExp(`(?<![\\w.])${quoted(candidate)}`));
    if (at >= 0) return placeAt(text, at);
  }
  return NOWHERE;
}

/** Place of a function or field of the contract in a world's file. */
export const placeOfField = (field: string, text: string): Place => placeOf(`${field}()`, text);

export const FIELDS =
  'title summary settings create words actions maxTurns longest heldOut told task start step legal progress expert draw probe apart'.split(
    ' ',
  );

/** Text as a regular expression that finds it. */
const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function placeAt(text: string, at: number): Place {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}
