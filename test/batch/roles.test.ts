/** Roles of tokens: out of chat templates, and of rollout log-probs where a template writes into a turn. */
import { expect, test } from 'vitest';
import { readable, rolesOfTexts } from '../../src/batch/chat';
import { BATCH_ROLES } from '../../src/batch/trajectory';
import { audited } from './audited';

const LETTERS: Readonly<Record<string, string>> = { template: '-', prompt: 'p', action: 'a', observation: 'o' };
const lettersOf = (roles: Iterable<number> | null): string =>
  Array.from(roles ?? [], (role) => LETTERS[BATCH_ROLES[role] ?? ''] ?? '?').join('');

test.each([
  [
    'ChatML with an answer before the prompt’s end',
    '<|im_start|> system Ċ be Ġbrief <|im_end|> Ċ <|im_start|> user Ċ hi <|im_end|> Ċ <|im_start|> assistant Ċ yo <|im_end|> Ċ <|im_start|> user Ċ go <|im_end|> Ċ <|im_start|> assistant Ċ ok <|im_end|> Ċ <|im_start|> user Ċ done',
    '---pp-----p-----p-----p-----aa----o',
    27,
  ],
  [
    'Llama 3',
    '<|begin_of_text|> <|start_header_id|> user <|end_header_id|> ĊĊ hi <|eot_id|> <|start_header_id|> assistant <|end_header_id|> ĊĊ call <|eom_id|> <|start_header_id|> ipython <|end_header_id|> ĊĊ 42 <|eot_id|>',
    '-----p-----aa----o-',
    11,
  ],
  [
    'GLM, whose turns end with the next header',
    '[gMASK] <sop> <|system|> Ċ be <|user|> Ċ hi <|assistant|> Ċ call <|observation|> Ċ 42 <|assistant|> Ċ yo <|user|>',
    '----p--p--aa-o--aa',
    10,
  ],
  [
    'DeepSeek R1, with two tools',
    '<｜begin▁of▁sentence｜> <｜User｜> hi <｜Assistant｜> call <｜end▁of▁sentence｜> <｜tool▁outputs▁begin｜> <｜tool▁output▁begin｜> 42 <｜tool▁output▁end｜> Ċ <｜tool▁output▁begin｜> 43 <｜tool▁output▁end｜> <｜tool▁outputs▁end｜> yo <｜end▁of▁sentence｜>',
    '--p-aa-ooooooo-aa',
    4,
  ],
  [
    'DeepSeek V3.1',
    '<｜User｜> hi <｜Assistant｜> call <｜end▁of▁sentence｜> <｜tool▁output▁begin｜> 42 <｜tool▁output▁end｜> yo <｜end▁of▁sentence｜> <｜User｜> more <｜Assistant｜> so',
    '-p-aa-o-aa-o-a',
    3,
  ],
  [
    'Mistral',
    '<s> [AVAILABLE_TOOLS] add [/AVAILABLE_TOOLS] [INST] hi [/INST] [TOOL_CALLS] add </s> [TOOL_RESULTS] 42 [/TOOL_RESULTS] yo </s>',
    '--p--p-aaa-o-aa',
    7,
  ],
  [
    'Phi-4',
    '<|im_start|> user <|im_sep|> hi <|im_end|> <|im_start|> assistant <|im_sep|> so Ċ long <|im_end|>',
    '---p----aaaa',
    8,
  ],
  [
    'gpt-oss, whose assistant samples its channels, and a second message with its header',
    '<|start|> user <|message|> hi <|end|> <|start|> assistant <|channel|> analysis <|message|> hm <|end|> <|start|> assistant Ġto=functions.x <|message|> call <|call|> <|start|> functions.x Ġto=assistant <|message|> 42 <|end|> <|start|> assistant <|channel|> final <|message|> yo <|return|>',
    '---p---aaaaaaaaaaa----o---aaaaa',
    7,
  ],
  [
    'Gemma, cut off',
    '<bos> <start_of_turn> user \n hi <end_of_turn> \n <start_of_turn> model \n so long',
    '----p-----aa',
    10,
  ],
])('%s', (_, text, letters, prompt) => {
  expect(lettersOf(rolesOfTexts(text.split(/ /), prompt))).toBe(letters);
});

test('texts without a known template tell nothing', () => {
  expect(rolesOfTexts(['<turn>', 'hi', '</turn>', 'yo'], 3)).toBeNull();
});

const line = {
  ...{ prompts: [1, 2, 3, 4, 5, 6], responses: [7, 8, 9, 10, 11], score: 1, advantages: [0, 0, 1, 1, 1] },
  tokens: [
    '<|im_start|>',
    'user',
    'Ċ',
    '<|im_start|>',
    'assistant',
    'Ċ',
    '<think>',
    '</think>',
    'a',
    'b',
    '<|im_end|>',
  ],
};

test('what a template writes into a turn was not sampled, and need not be trained', async () => {
  const numbers = { response_mask: [0, 0, 1, 1, 1], rollout_log_probs: [0, 0, -1, -1, -1] };
  const { report, trajectories } = await audited(JSON.stringify({ ...line, ...numbers }));
  expect(lettersOf(trajectories[0]?.roles ?? null)).toBe('--------aaa');
  expect(report.rules.filter(({ state }) => state === 'found')).toEqual([]);
});

test('an empty thought that begins a turn without weight is the template’s, also without log-probs', async () => {
  const { report, trajectories } = await audited(JSON.stringify({ ...line, response_mask: [0, 0, 1, 1, 1] }));
  expect(lettersOf(trajectories[0]?.roles ?? null)).toBe('--------aaa');
  expect(report.rules.filter(({ state }) => state === 'found')).toEqual([]);
});

test('a marker that the policy sampled opens no turn', async () => {
  const tokens = [...line.tokens.slice(0, 6), '<|im_start|>', 'user', 'Ċ', '<|im_end|>', 'Ċ'];
  const numbers = {
    response_mask: [1, 1, 1, 1, 0],
    advantages: [1, 1, 1, 1, 0],
    rollout_log_probs: [-1, -1, -1, -1, 0],
  };
  const { report, trajectories } = await audited(JSON.stringify({ ...line, ...numbers, tokens }));
  expect(lettersOf(trajectories[0]?.roles ?? null)).toBe('------aaaa-');
  expect(report.rules.filter(({ state }) => state === 'found')).toEqual([]);
});

test('an end that was written and not sampled is an end that is not trained', async () => {
  const numbers = { response_mask: [1, 1, 1, 1, 0], rollout_log_probs: [-1, -1, -1, -1, 0] };
  const { report } = await audited(JSON.stringify({ ...line, ...numbers, advantages: [1, 1, 1, 1, 0] }));
  expect(report.rules.filter(({ state }) => state === 'found').map(({ rule }) => rule)).toEqual(['untrained-stop']);
});

test('without texts and log-probs no mask is held against itself', async () => {
  const { tokens: _, ...plain } = line;
  const { report, trajectories } = await audited(JSON.stringify({ ...plain, response_mask: [1, 0, 1, 1, 1] }));
  expect(trajectories[0]?.rolesFrom).toBe('trained');
  expect(report.rules.filter(({ state }) => state === 'unseen').map(({ rule }) => rule)).toEqual(
    expect.arrayContaining(['leak', 'template', 'untrained-action', 'untrained-stop']),
  );
});

test('a completion that TRL leaves out of the loss is no sampled token untrained', async () => {
  const left = { prompt_ids: [1], completion_ids: [2, 3, 4], completion_mask: [0, 0, 0], advantages: 1 };
  const logs = { sampling_per_token_logps: [-1, -1, -1] };
  const { report, trajectories } = await audited(JSON.stringify({ ...left, ...logs }));
  expect(trajectories[0]).toMatchObject({ truncated: true, rolesFrom: 'rollout' });
  expect(report.rules.filter(({ state }) => state === 'found')).toEqual([]);
});

test.each([
  ['Ġhi', ' hi'],
  ['Ċ', '\n'],
  ['▁hi', ' hi'],
  ['Ġä½łå¥½', ' 你好'],
  ['cafÃ©', 'café'],
  // A part of a letter, and texts that were never bytes.
  ['ä½', 'ä½'],
  ['café', 'café'],
  ['žluť', 'žluť'],
  ['你好', '你好'],
])('%s reads %j', (token, text) => expect(readable(token)).toBe(text));
