/** Tokenizers of the reader's own models that the page knows: questions about worlds in their pieces take them along. */
import { isOwnModel, MODEL_KEY } from '../own';
import type { SentTokenizer, WorkshopQuestion } from './asked';

const told = new Map<unknown, SentTokenizer>();

export function tellTokenizer(tokenizer: SentTokenizer): void {
  told.set(tokenizer.model, tokenizer);
}

/** False for a model of the reader's own whose folder was not opened. */
export const isTold = (model: unknown): boolean => !isOwnModel(model) || told.has(model);

/** The tokenizer that a question needs; undefined where it is the lab's own, or none. */
export function tokenizerFor(question: WorkshopQuestion): SentTokenizer | undefined {
  const settings = 'place' in question ? question.place.settings : question.settings;
  return told.get(settings[MODEL_KEY]);
}
