/** Tokens of texts that are appended: what a tokenizer puts before a text, and nothing behind it. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { modelFolder } from '../../src/cli/model/disk';
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
    [tokenizer, ends].map((one) => readTokens(folderOf({ 'tokenizer.json': one }), 512)),
  );
  expect(ended?.first('the dog')).toEqual(usual?.first('the dog'));
  expect(usual?.first('the dog')[0]).toBe(1);
});

test('a file that is no tokenizer is refused', async () => {
  await expect(readTokens(folderOf({ 'tokenizer.json': { model: 3 } }), 512)).rejects.toThrow(
    /tokenizer.json of model/,
  );
  await expect(readTokens(folderOf({}), 512)).rejects.toThrow(/has no tokenizer.json/);
});

test('a tokenizer with more pieces than its model is refused', async () => {
  await expect(readTokens(modelFolder('public/models/stories260k'), 511)).rejects.toThrow(
    /has 512 pieces, config.json 511/,
  );
});

test.each([
  [
    'bytes',
    { pre_tokenizer: { type: 'ByteLevel', add_prefix_space: true, use_regex: true }, decoder: { type: 'ByteLevel' } },
    { Ġ: 3, Ċ: 4, a: 5, b: 6, '.': 7, Ġa: 8, Ã: 9, '¤': 10 },
    ['Ġ a'],
  ],
  [
    'marks',
    {
      pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: false },
      decoder: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: false },
    },
    { '▁': 3, '\n': 4, a: 5, b: 6, '.': 7, '▁a': 8, ä: 9 },
    ['▁ a'],
  ],
])(
  'a tokenizer of %s says what follows as it was written, and names its pieces plainly',
  async (_, parts, vocab, merges) => {
    const special = (id: number, content: string) => ({ id, content, special: true, normalized: false });
    const tokens = await readTokens(
      folderOf({
        'tokenizer.json': {
          added_tokens: [special(0, '<unk>'), special(1, '<s>'), special(2, '</s>')],
          normalizer: null,
          post_processor: null,
          ...parts,
          model: { type: 'BPE', unk_token: '<unk>', vocab: { '<unk>': 0, '<s>': 1, '</s>': 2, ...vocab }, merges },
        },
        'tokenizer_config.json': { eos_token: { content: '</s>' } },
      }),
    );
    expect(tokens.first('a')).toEqual([8]);
    expect(tokens.next('a')).toEqual([5]);
    for (const text of [' a b.', 'a b', 'b\n a', ' ä.']) expect(tokens.textAfter(tokens.next(text))).toBe(text);
    expect(tokens.textAfter([5, 2, 8])).toBe('a a');
    expect(tokens.textAfter([2])).toBe('');
    expect(tokens.ends).toEqual([2]);
    expect(tokens.pieces.slice(0, 4)).toEqual(['<unk>', '<s>', '</s>', '▁']);
    expect(tokens.pieces[8]).toBe('▁a');
  },
);

test('numbers that no piece has are holes, and a tokenizer without pieces is refused', async () => {
  const added = { id: 5, content: '<x>', special: true, normalized: false };
  const model = { type: 'BPE', vocab: { a: 0, b: 1 }, merges: [] };
  const described = { normalizer: null, pre_tokenizer: null, post_processor: null, decoder: null };
  const read = (given: object) => readTokens(folderOf({ 'tokenizer.json': { ...described, ...given } }), 8);
  const { pieces } = await read({ added_tokens: [added], model });
  expect(pieces).toEqual(['a', 'b', '', '', '', '<x>']);
  await expect(read({ added_tokens: [], model: { ...model, vocab: {} } })).rejects.toThrow(/model has no pieces/);
});

test('the ends of a text are those of all files', async () => {
  const files = { 'tokenizer.json': tokenizer, 'tokenizer_config.json': { eos_token: '</s>' } };
  const eos = (ends: unknown) => ({ eos_token_id: ends });
  const more = { 'config.json': eos(0), 'generation_config.json': eos([2, 1, 5000]) };
  expect((await readTokens(folderOf({ ...files, ...more }), 512)).ends).toEqual([2, 0, 1]);
});
