/** The line of a world's file that a mistake is about, where only its words tell: a word that was said, a function's name. */
import { excerpt } from '../../foundation/errors';
import { NOWHERE, type Place, WorldError } from './failure';

/** Result of `call`. A WorldError without a line gets the line that its words point to. */
export function withPlace<T>(text: string, call: () => T): T {
  try {
    return call();
  } catch (cause) {
    throw cause instanceof WorldError ? placed(cause, text) : cause;
  }
}

/** The error with the line that its words point to, or with more words where the line tells more than what was thrown. */
export function placed(cause: WorldError, text: string): WorldError {
  const place = cause.line > 0 ? cause : placeOf(cause.plain, text);
  const what = `${cause.plain}${explained(cause.plain, text.split('\n')[place.line - 1] ?? '')}`;
  if (place.line === cause.line && what === cause.plain) return cause;
  return new WorldError(place, '', { what, cause, isExhausting: cause.isExhausting });
}

const DICE = ['below', 'chance', 'pick', 'weighted', 'shuffle', 'unit'];

/** QuickJS does not say what is no function. */
function explained(message: string, line: string): string {
  if (!message.endsWith('not a function')) return '';
  const unknown = [...line.matchAll(/\brandom\.(\w+)\(/g)].find(([, name = '']) => !DICE.includes(name));
  const [, strange = /\bMath\.random\(/.test(line) ? 'Math.random' : ''] = unknown ?? [];
  if (strange === '') return '';
  return `. There is no ${excerpt(strange, 30)}(): random has ${DICE.join(', ')}`;
}

/** First the text in quotation marks of the message, then the function or field that it names. */
function placeOf(message: string, text: string): Place {
  const [, said = ''] = /“([^”]+)”/.exec(message) ?? [];
  const named = [...message.matchAll(/\b([a-z][A-Za-z]*)/g)].map(([, name = '']) => name);
  const [field] = named.filter((name) => FIELDS.includes(name));
  const candidates = [
    ...["'", '"', '`'].map((mark) => (said === '' ? '' : mark + said + mark)),
    // A field that is missing would be in what create() returns.
    // A word among others in a text.
    ...textsWith(said, text),
    // A name that the text uses where none is expected.
    ...(/^\w+$/.test(said) ? [`${said}:`, `${said}(`] : []),
    ...(field === undefined ? [] : [`${field}(`, `${field}:`, 'create(']),
  ];
  for (const candidate of candidates) {
    const at = candidate === '' ? -1 : text.search(new RegExp(`(?<![\\w.])${quoted(candidate)}`));
    if (at >= 0) return placeAt(text, at);
  }
  return NOWHERE;
}

/** Literals of the file, as they stand there, that hold a word among others; not those that are for people. */
function textsWith(word: string, text: string): string[] {
  const literals = [
    ...text.matchAll(/(?<!(?:title|summary|label|help): ?)(?<![\w'"`])(['"`])((?:(?!\1)[^\\\n]|\\.)*)\1/g),
  ];
  return literals
    .filter(([, , inner = '']) => word !== '' && inner.split(/\s+/).includes(word))
    .map(([whole]) => whole);
}

/** Place of a function or field of the contract in a world's file. */
export const placeOfField = (field: string, text: string): Place => placeOf(`${field}()`, text);

export const FIELDS =
  'title summary settings create words actions tools thoughts maxTurns longest heldOut told task start step legal progress expert think draw probe apart'.split(
    ' ',
  );

/** Text as a regular expression that finds it. */
const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function placeAt(text: string, at: number): Place {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}
