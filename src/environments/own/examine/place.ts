/** The line of a world's file that a mistake is about, where only its words tell: a word that was said, a function's name. */
import { excerpt } from '../../../foundation/errors';
import { placeAt, strayBracket } from './brackets';
import { NOWHERE, type SourcePosition, WorldError } from './failure';

/** Result of `call`. A WorldError without a line gets the line that its words point to. */
export function withPlace<T>(text: string, call: () => T): T {
  try {
    return call();
  } catch (cause) {
    throw cause instanceof WorldError ? placed(cause, text) : cause;
  }
}

/** The error with the line that its words point to, or with more words where the text tells more than what was thrown. */
export function placed(cause: WorldError, text: string): WorldError {
  const { meant, isExhausting } = cause;
  if (meant !== null) {
    const [declared, ...others] = textsWith(meant.word, text);
    // A word that occurs in its declaration alone was misspelt there.
    if (meant.isSaid && declared !== undefined && others.length === 0) {
      const what = `words has “${meant.word}”, which is never said; ${cause.plain.replace(/, which is not in words$/, '')}`;
      return new WorldError(placeAt(text, declared), '', { what, cause });
    }
  }
  const stray = cause.plain.includes('SyntaxError') ? strayBracket(text) : null;
  if (stray !== null) return new WorldError(stray, '', { what: stray.what, cause });
  const place = cause.line > 0 ? cause : placeOf(cause.plain, text);
  const what = `${cause.plain}${explained(cause.plain, text.split('\n')[place.line - 1] ?? '')}`;
  if (place.line === cause.line && what === cause.plain) return cause;
  return new WorldError(place, '', { what, cause, isExhausting, ...(meant === null ? {} : { meant }) });
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

/** First what a function says, then the text in quotation marks of the message, then the function or field that it names. */
function placeOf(message: string, text: string): SourcePosition {
  const [, said = ''] = /“([^”]+)”/.exec(message) ?? [];
  const [, speaker] = /^(\w+)\(\) says “/.exec(message) ?? [];
  const spoken = speaker === undefined ? -1 : placeOfSpeech(speaker, said, text);
  if (spoken >= 0) return placeAt(text, spoken);
  const named = [...message.matchAll(/\b([a-z][A-Za-z]*)/g)].map(([, name = '']) => name);
  const [field] = named.filter((name) => FIELDS.includes(name));
  const candidates = [
    ...["'", '"', '`'].map((mark) => (said === '' ? '' : mark + said + mark)),
    // A name that the text uses where none is expected.
    ...(/^\w+$/.test(said) ? [`${said}:`, `${said}(`] : []),
    // A field that is missing would be in what create() returns.
    ...(field === undefined ? [] : [`${field}(`, `${field}:`, 'create(']),
  ];
  for (const candidate of candidates) {
    const at = candidate === '' ? -1 : find(candidate, text);
    if (at >= 0) return placeAt(text, at);
  }
  return NOWHERE;
}

/** Index of a word that a function says: in its text, or else in another; a word put together is where it says something at all. */
function placeOfSpeech(speaker: string, word: string, text: string): number {
  const head = Math.max(find(`${speaker}(`, text), find(`${speaker}:`, text));
  // A drawing says no words.
  const heads = [...text.matchAll(HEADS)];
  const isDrawn = (at: number): boolean => SILENT.includes(heads.findLast(({ index }) => index < at)?.[1] ?? '');
  const places = textsWith(word, text).filter((at) => !isDrawn(at));
  const [place] = [...places.filter((at) => at > head), ...places];
  if (place !== undefined || head < 0) return place ?? -1;
  const says = [...text.slice(head).matchAll(/\bsay\b/g)];
  // Several places where it says something: it may be any of them.
  const [say] = speaker === 'start' || says.length === 1 ? says : [];
  return say === undefined || !['start', 'step'].includes(speaker) ? -1 : head + say.index;
}

/**
 * Indices of a word inside the literals of the file, alone or among others; not in those that are for people. None begins after a
 * backslash: of strangers' text each mark there would be followed to the end of its line.
 */
function textsWith(word: string, text: string): number[] {
  const literals = text.matchAll(
    /(?<!(?:title|summary|label|help): ?)(?<![\\\w'"`])(['"`])((?:(?!\1)[^\\\n]|\\.)*)\1/g,
  );
  const alone = new RegExp(`(?<!\\S)${quoted(word)}(?!\\S)`, 'g');
  return [...literals].flatMap(({ index, 2: inner = '' }) =>
    [...inner.matchAll(alone)].map((found) => index + 1 + found.index),
  );
}

/** Index of a name or a literal that begins there; -1 where there is none. */
const find = (candidate: string, text: string): number => text.search(new RegExp(`(?<![\\w.])${quoted(candidate)}`));

/** Place of a function or field of the contract in a world's file. */
export const placeOfField = (field: string, text: string): SourcePosition => placeOf(`${field}()`, text);

export const FIELDS =
  'text title summary settings create words actions stop maxTokens chat thinking tools thoughts maxTurns longest heldOut told task start step legal progress milestones expert think answer draw probe apart'.split(
    ' ',
  );

/** Functions of the contract where they stand, and those that say nothing to the policy. */
const HEADS = /(?<![\w.])(task|start|step|legal|progress|expert|think|answer|draw|probe|apart)(?=[(:])/g;
const SILENT = ['draw', 'probe'];

/** Text as a regular expression that finds it. */
const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
