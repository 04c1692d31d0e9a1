/** Tokens of texts that are appended: what a tokenizer puts before a text, and nothing behind it. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readTokens } from '../../src/llama/text';
import { folderOf } from './folders';

const tokenizer = JSON.parse(readFileSync('public/models/stories260k/tokenizer.json', 'utf8'));

test('an end of text that a tokenizer puts behind a text is left out, so that more can follow', async () => {
  const { post_processor: processor } = tokenizer;
  const ending = { SpecialToken: { id: '</s>', type_id: 0 } };
  const ends = {
    ...tokenizer,
    post_processor: {
      ...processor,
      single: [...processor.single, ending],
      special_tokens: { ...processor.special_tokens, '</s>': { id: '</s>', ids: [2], tokens: ['</s>'] } },
    },
  };
  const [usual, ended] = await Promise.all(
    [tokenizer, ends].map((one) => readTokens(folderOf({ 'tokenizer.json': one }))),
  );
  expect(ended?.first('the dog')).toEqual(usual?.first('the dog'));
  expect(usual?.first('the dog')[0]).toBe(1);
});

test('a file that is no tokenizer is refused', async () => {
  await expect(readTokens(folderOf({ 'tokenizer.json': { model: 3 } }))).rejects.toThrow(/tokenizer.json of model/);
  await expect(readTokens(folderOf({}))).rejects.toThrow(/has no tokenizer.json/);
});
