/**
 * YAML of plain values: maps, lists, texts, numbers. Texts of several lines are literal blocks, all others JSON's strings, which
 * unicode what YAML 1.1 (Kubernetes) or 1.2 forbids or takes for a line break.
 */

export type Yaml = string | number | boolean | readonly Yaml[] | { readonly [key: string]: Yaml };

const STEP = '  ';
/** Characters that YAML does not allow, or that one of its versions takes for a line break. */
const AWKWARD = /[^\P{Cc}\n\t]|[\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/u;
const EVERY_AWKWARD = new RegExp(AWKWARD, 'gu');

export function toYaml(value: Yaml): string {
  return lines(value, '').join('\n').replace(/^\n/, '').concat('\n');
}

/** Lines of a value below a key or a dash. */
function lines(value: Yaml, indent: string): string[] {
  if (Array.isArray(value)) return (value as readonly Yaml[]).flatMap((item) => under(`${indent}-`, item, indent));
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([key, item]) => under(`${indent}${plain(key)}:`, item, indent));
  }
  throw new TypeError('A text or number stands on the line of its key.');
}

function under(start: string, value: Yaml, indent: string): string[] {
  if (typeof value === 'string' && /^\S[\s\S]*[^\n]\n$/.test(value) && !AWKWARD.test(value)) {
    const text = value.slice(0, -1).split('\n');
    return [`${start} |`, ...text.map((line) => (line === '' ? '' : `${indent}${STEP}${line}`))];
  }
  if (typeof value !== 'object') return [`${start} ${scalar(value)}`];
  const below = lines(value, `${indent}${STEP}`);
  const [first = '', ...rest] = below;
  // A list's item begins on the line of its dash.
  if (start.endsWith('-') && !Array.isArray(value)) return [`${start} ${first.trimStart()}`, ...rest];
  return [start, ...below];
}

const scalar = (value: string | number | boolean): string => (typeof value === 'string' ? plain(value) : String(value));

/** A text that YAML cannot take for anything else is written without quotes. Never more than one line. */
export const plain = (text: string): string =>
  /^[a-zA-Z/][\w./-]*$/.test(text) && !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text).replace(EVERY_AWKWARD, unicode);

const unicode = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
