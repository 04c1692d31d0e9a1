/** Validation of clients' messages, with mistakes in the form that OpenEnv's clients know. */
import type { Fields, Served } from '../../environments/served/contract';
import { isJson } from '../../foundation/json';

/** `type`: name of the mistake; `loc`: where it is. */
export interface Mistake {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: unknown;
}

const MESSAGES = {
  missing: 'Field required',
  extra_forbidden: 'Extra inputs are not permitted',
  dict_type: 'Input should be a valid dictionary',
  string_type: 'Input should be a valid string',
  string_too_long: 'String should have at most 255 characters',
  int_type: 'Input should be a valid integer',
  int_from_float: 'Input should be a valid integer, got a number with a fractional part',
  int_parsing: 'Input should be a valid integer, unable to parse string as an integer',
  greater_than_equal: 'Input should be greater than or equal to 0',
  greater_than: 'Input should be greater than 0',
  float_type: 'Input should be a valid number',
  json_invalid: 'JSON decode error',
  model_attributes_type: 'Input should be a valid dictionary or object to extract fields from',
} as const;

export const mistake = (type: keyof typeof MESSAGES, loc: Mistake['loc'], input: unknown): Mistake => ({
  type,
  loc,
  msg: MESSAGES[type],
  input,
});

/** Mistakes in the fields of an action; none in a world that plays any text as an action. */
export function actionMistakes(action: Fields, { actionFields: fields, isForgiving }: Served): Mistake[] {
  if (isForgiving === true) return [];
  const known = [...fields, 'metadata'];
  const wrong = fields.flatMap((field) => {
    if (!Object.hasOwn(action, field)) return [mistake('missing', [field], action)];
    return typeof action[field] === 'string' ? [] : [mistake('string_type', [field], action[field])];
  });
  const { metadata } = action;
  const extra = Object.keys(action).filter((key) => !known.includes(key));
  return [
    ...(metadata === undefined || isJson(metadata) ? [] : [mistake('dict_type', ['metadata'], metadata)]),
    ...wrong,
    ...extra.map((key) => mistake('extra_forbidden', [key], action[key])),
  ];
}

/** Mistakes of an envelope: no other keys than `type` and those that its type has. */
export function envelopeMistakes(message: Fields, data: 'needed' | 'optional' | 'none'): Mistake[] {
  const known = data === 'none' ? ['type'] : ['type', 'data'];
  const has = Object.hasOwn(message, 'data');
  return [
    ...(data === 'needed' && !has ? [mistake('missing', ['data'], message)] : []),
    ...(data !== 'none' && has && !isJson(message.data) ? [mistake('dict_type', ['data'], message.data)] : []),
    ...Object.keys(message)
      .filter((key) => !known.includes(key))
      .map((key) => mistake('extra_forbidden', [key], message[key])),
  ];
}

/** Seed and episode of a reset as sockets take them: nearly everything. */
export function resetMistakes({ seed, episode_id: episode }: Fields): Mistake[] {
  const isSeed = seed == null || typeof seed === 'string' || Number.isSafeInteger(seed);
  const kind = typeof seed === 'number' ? 'int_from_float' : 'int_type';
  return [
    ...(isSeed ? [] : [mistake(kind, ['seed', 'int'], seed), mistake('string_type', ['seed', 'str'], seed)]),
    ...(episode == null || typeof episode === 'string' ? [] : [mistake('string_type', ['episode_id'], episode)]),
  ];
}

/** Mistakes of a reset over HTTP, which takes numbers in texts too. */
export function strictResetMistakes({ seed, episode_id: episode }: Fields): Mistake[] {
  const number = typeof seed === 'string' && /^[+-]?\d+$/.test(seed.trim()) ? Number(seed) : seed;
  const at = ['body', 'seed'];
  const wrong: Mistake[] = [];
  if (typeof number === 'string') wrong.push(mistake('int_parsing', at, seed));
  else if (number != null && typeof number !== 'number') wrong.push(mistake('int_type', at, seed));
  else if (typeof number === 'number' && !Number.isSafeInteger(number)) wrong.push(mistake('int_from_float', at, seed));
  else if (typeof number === 'number' && number < 0) wrong.push(mistake('greater_than_equal', at, seed));
  if (episode != null && typeof episode !== 'string')
    wrong.push(mistake('string_type', ['body', 'episode_id'], episode));
  if (typeof episode === 'string' && episode.length > 255)
    wrong.push(mistake('string_too_long', ['body', 'episode_id'], episode));
  return wrong;
}

/** Mistakes that one answer tells, and letters of what was wrong in each: an answer is never longer than its question needs. */
const MOST_TOLD = 16;
const MOST_SHOWN = 1000;

/** The first mistakes, shortened; the last says how many more there are. */
export function abridge(mistakes: readonly Mistake[]): readonly Mistake[] {
  const first = mistakes.slice(0, MOST_TOLD).map(({ loc, input, ...mistake }) => ({
    ...mistake,
    loc: loc.map((at) => (typeof at === 'string' ? at.slice(0, MOST_SHOWN) : at)),
    input: shorten(input),
  }));
  const more = mistakes.length - first.length;
  if (more === 0) return first;
  return [...first, { type: 'too_many', loc: [], msg: `${more} more mistakes are not listed`, input: null }];
}

function shorten(input: unknown): unknown {
  const text = JSON.stringify(input) ?? '';
  return text.length <= MOST_SHOWN ? input : `${text.slice(0, MOST_SHOWN)}…`;
}

/** Deepest nesting of brackets that is read. */
const DEEPEST = 500;
/** Most keys and items of one message that are read. A step has two keys; what comes besides is for the world. */
export const MOST_PARTS = 10_000;

/** Reason why a text is too much to be read as JSON, as the end of a sentence; null if it is not. Counts without parsing. */
export function tooMuch(text: string): string | null {
  let [depth, parts] = [0, 0];
  let isText = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (isText) {
      if (character === '\\') i++;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === '{' || character === '[') {
      if (++depth > DEEPEST) return `nests deeper than ${DEEPEST} brackets`;
    } else if (character === '}' || character === ']') depth--;
    else if (character === ',' && ++parts > MOST_PARTS) return `has more than ${MOST_PARTS} keys and items`;
  }
  return null;
}
