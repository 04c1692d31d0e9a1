/** Episodes as lines of every form, each with what its project writes and no more. */
import type { FormId } from '../../src/batch/trajectory';
import type { Episode } from './episodes';

const IDS = new Map<string, number>();

function idOf(text: string): number {
  const id = IDS.get(text) ?? IDS.size + 10;
  IDS.set(text, id);
  return id;
}

/** A tokenizer.json whose vocabulary is the words that were written so far. */
export function tokenizerFile(): string {
  const isSpecial = (text: string): boolean => text.startsWith('<|');
  const added = [...IDS].filter(([text]) => isSpecial(text)).map(([content, id]) => ({ id, content, special: true }));
  return JSON.stringify({
    ...{ added_tokens: added, normalizer: null, post_processor: null, decoder: null },
    pre_tokenizer: { type: 'WhitespaceSplit' },
    model: { type: 'WordLevel', vocab: Object.fromEntries(IDS), unk_token: '<unk>' },
  });
}

type Writer = (episode: Episode, index: number) => unknown;

const PAD = 0;
/** Sizes to which verl and TRL pad. */
const PROMPT = 14;
const RESPONSE = 40;

const left = <T>(values: readonly T[], size: number, pad: T): T[] => [
  ...Array.from({ length: size - values.length }, () => pad),
  ...values,
];
const right = <T>(values: readonly T[], size: number, pad: T): T[] => [
  ...values,
  ...Array.from({ length: size - values.length }, () => pad),
];

/** Runs of one role as segments; the template is part of the context. */
function segmentsOf({ texts, roles }: Episode): { role: string; text: string }[] {
  const names: Readonly<Record<string, string>> = { action: 'action', observation: 'env_output' };
  const segments: { role: string; words: string[] }[] = [];
  for (const [at, text] of texts.entries()) {
    const role = names[roles[at] ?? ''] ?? 'context';
    const last = segments.at(-1);
    if (last?.role === role) last.words.push(text);
    else segments.push({ role, words: [text] });
  }
  return segments.map(({ role, words }) => ({ role, text: words.join(' ') }));
}

/** Messages of the chat. */
function messagesOf({ texts, roles }: Episode): { role: string; content: string }[] {
  const authors: Readonly<Record<string, string>> = { prompt: 'user', action: 'assistant', observation: 'tool' };
  const messages: { role: string; words: string[]; from: string }[] = [];
  for (const [at, text] of texts.entries()) {
    const from = roles[at] ?? '';
    if (from === 'template') continue;
    const last = messages.at(-1);
    if (last?.from === from && roles[at - 1] === from) last.words.push(text);
    else messages.push({ role: authors[from] ?? '', words: [text], from });
  }
  return messages.map(({ role, words }) => ({ role, content: words.join(' ') }));
}

const masks = ({ roles }: Episode): Record<string, boolean[]> => ({
  action_mask: roles.map((role) => role === 'action'),
  obs_mask: roles.map((role) => role === 'observation'),
  warning_mask: roles.map(() => false),
});

const isSolved = ({ reward }: Episode): boolean => reward === 1;
const advantageOf = ({ advantages, turns }: Episode): number => advantages[turns[0]?.[0] ?? 0] ?? 0;
const messagesAfter = (one: Episode): { role: string; content: string }[] => messagesOf(one).slice(1);
const textBehind = ({ texts, prompt }: Episode): string => texts.slice(prompt).join(' ');

/** Ids of the response as the engine sampled them. */
const sampled = ({ texts, prompt, isRetokenised }: Episode): number[] =>
  texts.slice(prompt).map((text, at) => (isRetokenised && at === 1 ? 9 : idOf(text)));

function verl(one: Episode, index: number): Record<string, unknown> {
  const { texts, weights, old, rollout, advantages, prompt, reward, group } = one;
  const response = <T>(values: readonly T[], pad: T): T[] => right(values.slice(prompt), RESPONSE, pad);
  const ids = texts.map(idOf);
  return {
    uid: `group ${group}`,
    request_id: `request ${index}`,
    prompts: left(ids.slice(0, prompt), PROMPT, PAD),
    responses: response(ids, PAD),
    attention_mask: [
      ...left(
        ids.slice(0, prompt).map(() => 1),
        PROMPT,
        0,
      ),
      ...response(
        ids.map(() => 1),
        0,
      ),
    ],
    response_mask: response(weights, 0),
    old_log_probs: response(old, 0),
    rollout_log_probs: response(rollout, 0),
    ref_log_prob: response(old, 0),
    advantages: response(advantages, 0),
    token_level_scores: response(
      texts.map((_, at) => (at === texts.length - 1 ? reward : 0)),
      0,
    ),
  };
}

export const WRITERS: Readonly<Record<string, { form: FormId; write: Writer }>> = {
  'this lab': {
    form: 'lab',
    write: (one, index) => ({
      task_prompt: one.texts.slice(0, one.prompt).join(' '),
      ...{ segments: segmentsOf(one), reward: one.reward, success: isSolved(one), input_ids: one.texts.map(idOf) },
      ...masks(one),
      policy_weights: one.weights,
      world_model_weights: one.weights.map(() => 0),
      advantages: one.advantages,
      old_log_probs: [null, ...one.old.slice(1)],
      log_probs: one.rollout.map((value) => (value === 0 ? null : value)),
      meta: { arm: 'a', seed: 0, update: 0, group: one.group, trajectory: index },
    }),
  },
  'OpenEnv, masks and a trainer’s numbers': {
    form: 'openenv',
    write: (one) => ({
      ...{ input_ids: one.texts.map(idOf), ...masks(one), reward: one.reward, group: one.group },
      ...{ loss_mask: one.weights, advantages: one.advantages, truncated: one.truncated },
      ...{ old_log_probs: one.old, rollout_log_probs: one.rollout },
    }),
  },
  'OpenEnv, segments': {
    form: 'openenv',
    write: (one) => ({ segments: segmentsOf(one), reward: one.reward, task_prompt: one.texts[4] }),
  },
  'verl, tensors': { form: 'verl-tokens', write: verl },
  'verl, tensors and texts': {
    form: 'verl-tokens',
    write: (one, index) => ({ ...verl(one, index), tokens: one.texts, sampled_ids: sampled(one) }),
  },
  'verl, rollout dump': {
    form: 'verl-text',
    write: (one) => ({
      ...{ input: one.texts.slice(0, one.prompt).join(' '), output: textBehind(one), gts: 'x', score: one.reward },
      ...{ step: 3, acc: isSolved(one) },
    }),
  },
  'TRL, tensors and texts': {
    form: 'trl-tokens',
    write: (one) => ({
      prompt_ids: left(one.texts.slice(0, one.prompt).map(idOf), PROMPT, PAD),
      prompt_mask: left(
        one.texts.slice(0, one.prompt).map(() => 1),
        PROMPT,
        0,
      ),
      completion_ids: right(one.texts.slice(one.prompt).map(idOf), RESPONSE, PAD),
      completion_mask: right(
        one.texts.slice(one.prompt).map(() => 1),
        RESPONSE,
        0,
      ),
      tool_mask: right(one.weights.slice(one.prompt), RESPONSE, 0),
      sampling_per_token_logps: right(one.rollout.slice(one.prompt), RESPONSE, 0),
      old_per_token_logps: right(one.old.slice(one.prompt), RESPONSE, 0),
      ...{ advantages: advantageOf(one), rewards: one.reward, tokens: one.texts },
    }),
  },
  'TRL, completions log': {
    form: 'trl-text',
    write: (one) => ({
      ...{ step: '7', prompt: messagesOf(one).slice(0, 1), completion: messagesAfter(one) },
      ...{ correct: one.reward, format: 0, advantage: advantageOf(one) },
    }),
  },
  'verifiers, with tokens': {
    form: 'verifiers-tokens',
    write: (one) => ({
      ...{ example_id: one.group, prompt: messagesOf(one).slice(0, 1), completion: messagesAfter(one) },
      ...{ reward: one.reward, is_truncated: one.truncated, is_completed: true, stop_condition: 'done' },
      trajectory: one.turns.map(([from, to], turn) => ({
        ...{ reward: null, advantage: advantageOf(one), is_truncated: false },
        tokens: {
          prompt_ids: one.texts.slice(0, from).map((text, at) => {
            const isChanged = one.isRetokenised && turn > 0 && at === (one.turns[0]?.[0] ?? 0) + 1;
            return isChanged ? 9 : idOf(text);
          }),
          prompt_mask: one.weights.slice(0, from).map((weight, at) => (one.roles[at] === 'action' ? 0 : weight)),
          completion_ids: one.texts.slice(from, to).map(idOf),
          completion_mask: one.weights.slice(from, to),
          completion_logprobs: one.rollout.slice(from, to),
        },
      })),
    }),
  },
  'verifiers, texts': {
    form: 'verifiers-text',
    write: (one) => ({
      ...{ example_id: one.group, prompt: messagesOf(one).slice(0, 1), completion: messagesAfter(one) },
      ...{ reward: one.reward, is_truncated: one.truncated, is_completed: true },
    }),
  },
  messages: { form: 'messages', write: (one) => ({ messages: messagesOf(one), reward: one.reward }) },
};

/** Lines as Python's json writes them, with NaN. */
export function linesOf(batch: readonly Episode[], write: Writer): string {
  const mark = '#NaN#';
  const replace = (_: string, value: unknown): unknown => (Number.isNaN(value) ? mark : value);
  return batch
    .map((one, index) => `${JSON.stringify(write(one, index), replace).replaceAll(`"${mark}"`, 'NaN')}\n`)
    .join('');
}
