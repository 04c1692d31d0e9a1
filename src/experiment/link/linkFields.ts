/** Fields of a link replaced by others, and what a link's refusal says of a field that came from elsewhere. */
import type { LabError } from '../../foundation/errors';
import { packText } from './packedText';

/** A fragment with fields set, each a key and its value in plain text. */
export function withFields(fragment: string, set: Iterable<readonly [key: string, value: string]>): string {
  const fields = new Map<string, string>();
  for (const field of fragment.split('&')) {
    const [key = '', ...value] = field.split('=');
    if (key !== '') fields.set(key, value.join('='));
  }
  for (const [key, value] of set) fields.set(encodeURIComponent(key), encodeURIComponent(value));
  return Array.from(fields, ([key, value]) => `${key}=${value}`).join('&');
}

/** Refusal and advice without the word “link”. */
export function withoutLink({ what, advice }: LabError): readonly [what: string, advice: string] {
  return [what.replace(/^In this link, /, ''), advice.replace(' from the link', '')];
}

/** Fields that give an arm a loss of its own; an added one has the weight 1 on actions. */
export function lossFields(arm: string, name: string, place: string, text: string): Record<string, string | number> {
  const prefix = `arms.${arm}.loss.${name}.`;
  const weight = place === 'added' ? { [`${prefix}on.action`]: 1 } : {};
  return { [`${prefix}text`]: packText(text), [`${prefix}place`]: place, ...weight };
}
