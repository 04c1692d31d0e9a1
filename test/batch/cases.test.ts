/** Mistakes of masks as trainers have made them, each over a whole batch: what the audit finds, and that it finds nothing else. */
import { describe, expect, test } from 'vitest';
import { ownTexts } from '../../src/batch/ownTexts';
import { BatchReading, readBatch } from '../../src/batch/read';
import { KeptBatch } from '../../src/batch/whatIf/kept';
import { objectiveAsked, whatIf } from '../../src/batch/whatIf/whatIf';
import { audited, bytesOf } from './audited';
import { cleanBatch, type Episode, FAULTS } from './episodes';
import { linesOf, WRITERS } from './forms';
import { seeded } from './seeded';

const write = (one: Episode, index: number): unknown => WRITERS['verl, tensors and texts']?.write(one, index);

const weighed = (weightOf: (episode: Episode, token: number) => number): string => {
  const batch = cleanBatch();
  for (const one of batch) {
    one.weights = one.texts.map((_, token) => (token < one.prompt ? 0 : weightOf(one, token)));
    one.advantages = one.weights.map((weight) => weight * (2 * one.reward - 1));
  }
  return linesOf(batch, write);
};

const isAction = ({ roles }: Episode, token: number): boolean => roles[token] === 'action';
const lastTurn = ({ turns }: Episode, token: number): boolean => token >= (turns.at(-1)?.[0] ?? 0);

type Chosen = (episode: Episode, token: number) => boolean;

/** A KL loss of its own, over the tokens that are chosen. */
function withKlMask(isIn: Chosen): string {
  return linesOf(cleanBatch(), (one, index) => {
    const line = write(one, index) as { responses: number[] };
    const mask = line.responses.map((_, at) =>
      Number(one.prompt + at < one.texts.length && isIn(one, one.prompt + at)),
    );
    return { ...line, kl_mask: mask };
  });
}

/**
 * KL to the reference as a reward of each chosen token, and advantages that are its whitened returns, as those of REINFORCE++.
 * `isTold`: whether the rewards by token are in the file.
 */
function withKlReward(isCharged: Chosen, isTold = true): string {
  const random = seeded(5);
  return linesOf(cleanBatch(), (one, index) => {
    const reference = one.old.map((value) => value - 0.4 * random());
    const penalty = one.old.map((value, at) =>
      at >= one.prompt && isCharged(one, at) ? 0.05 * ((reference[at] ?? 0) - value) : 0,
    );
    let sum = one.reward;
    const returns = penalty.map(() => 0);
    for (let at = penalty.length - 1; at >= 0; at--) {
      sum += penalty[at] ?? 0;
      returns[at] = isAction(one, at) ? (sum - 0.3) / 0.45 : 0;
    }
    const line = write({ ...one, advantages: returns }, index) as Record<string, number[]>;
    const padded = (values: number[]): number[] => (line.responses ?? []).map((_, at) => values[one.prompt + at] ?? 0);
    const rewards = (line.token_level_scores ?? []).map((score, at) => score + (penalty[one.prompt + at] ?? 0));
    return { ...line, ref_log_prob: padded(reference), ...(isTold && { token_level_rewards: rewards }) };
  });
}

describe('the audit of a batch whose trainer', () => {
  test.each<[string, string, string[]]>([
    [
      'inverted the mask: what was seen is trained, what was done is not (RAGEN #71)',
      weighed((one, token) => Number(!isAction(one, token))),
      ['leak', 'template', 'untrained-action'],
    ],
    ['took the attention mask for the loss mask', weighed(() => 1), ['leak', 'template']],
    [
      'took the last turn for all of them',
      weighed((one, token) => Number(isAction(one, token) && lastTurn(one, token))),
      ['untrained-action'],
    ],
    [
      'cut the end of each turn off with the template',
      weighed((one, token) => Number(isAction(one, token) && one.texts[token] !== '<|im_end|>')),
      ['untrained-stop'],
    ],
    [
      'trains the headers that the template writes (RAGEN #141)',
      weighed((one, token) => Number(isAction(one, token) || one.roles[token] === 'template')),
      ['template'],
    ],
    [
      'appends an end of the turn with the rollout log-prob 0 (SkyRL #758)',
      linesOf(
        cleanBatch().map((one) => ({ ...one, rollout: one.rollout.with(-1, 0), old: one.old.with(-1, -3) })),
        write,
      ),
      ['mismatch'],
    ],
    [
      'tokenised its turns again (miles #353)',
      linesOf(
        cleanBatch().map((one) => ({ ...one, isRetokenised: true })),
        write,
      ),
      ['retokenised'],
    ],
    ['masks the KL loss as the policy loss', withKlMask((one, token) => isAction(one, token)), []],
    ['took the attention mask for the KL loss (Search-R1 #21)', withKlMask(() => true), ['leak']],
    ['charges its KL as a reward to actions', withKlReward((one, token) => isAction(one, token)), []],
    ['charges the KL of what came back too', withKlReward(() => true), ['advantage-varies', 'leak']],
    [
      'masks the reward, but not the KL in its returns (slime #1372, miles #1383)',
      withKlReward(() => true, false),
      ['advantage-varies'],
    ],
  ])('%s', async (_, lines, rules) => {
    const { report } = await audited(lines);
    expect(
      report.rules
        .filter(({ state }) => state === 'found')
        .map(({ rule }) => rule)
        .sort(),
    ).toEqual(rules);
  });

  test('sums the KL of what came back into its returns: the first such token of each gap is told', async () => {
    const { report } = await audited(withKlReward(() => true, false));
    const { places, found } = report.rules.find(({ rule }) => rule === 'advantage-varies') ?? {};
    expect(found).toBe(24);
    const batch = cleanBatch();
    expect(places?.map(({ token }) => token)).toEqual(batch.slice(0, 20).map(({ turns }) => turns[0]?.[1]));
  });
});

test('GLM’s turns end with the next author’s header, which was sampled and has to be trained (slime #514, slime #1490)', async () => {
  const text = '[gMASK] <sop> <|user|> Ċ hi <|assistant|> Ċ call <|observation|> Ċ 42 <|assistant|> Ċ it is <|user|>';
  const tokens = text.split(' ');
  const line = (mask: number[]): string =>
    JSON.stringify({
      prompts: [1, 2, 3, 4, 5, 6, 7],
      responses: tokens.slice(7).map((_, at) => at),
      response_mask: mask,
      tokens,
    });
  const rules = async (mask: number[]) => (await audited(line(mask))).report.rules;
  const found = async (mask: number[]): Promise<string[]> =>
    (await rules(mask)).filter(({ state }) => state === 'found').map(({ rule }) => rule);
  expect(await found([1, 1, 0, 0, 0, 0, 1, 1, 1])).toEqual([]);
  expect(await found([1, 0, 0, 0, 0, 0, 1, 1, 0])).toEqual(['untrained-stop']);
  expect(await found([1, 1, 1, 1, 0, 0, 1, 1, 1])).toEqual(['leak', 'template']);
});

test('tools that answered at once are one turn in Qwen’s template, and not one each (slime #2263)', async () => {
  const template = [
    '{%- for message in messages %}',
    "{%- if message.role == 'tool' %}",
    "{%- if loop.first or messages[loop.index0 - 1].role != 'tool' %}{{- '<|im_start|>user' }}{%- endif %}",
    "{{- '\\n<tool_response>\\n' + message.content + '\\n</tool_response>' }}",
    "{%- if loop.last or messages[loop.index0 + 1].role != 'tool' %}{{- '<|im_end|>\\n' }}{%- endif %}",
    "{%- else %}{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{%- endif %}",
    '{%- endfor %}',
  ].join('');
  const own = await ownTexts({ tokenizer: null, template }, (work) => work());
  const [open, close] = ['<tool_response> Ċ', 'Ċ </tool_response>'];
  const found = async (between: string): Promise<unknown[]> => {
    const tools = `<|im_start|> user Ċ ${open} a.py ${between} b.py ${close} <|im_end|>`;
    const text = `<|im_start|> user Ċ hi <|im_end|> Ċ <|im_start|> assistant Ċ ls <|im_end|> Ċ ${tools} Ċ <|im_start|> assistant Ċ ok <|im_end|>`;
    const tokens = text.split(' ');
    const line = { prompts: [], responses: tokens.map((_, at) => at), tokens };
    const { report } = await audited(JSON.stringify(line), undefined, own);
    const { state, places } = report.rules.find(({ rule }) => rule === 'template') ?? {};
    return [state, places?.map(({ token }) => tokens.slice(token ?? 0, (token ?? 0) + 2).join(' '))];
  };
  expect(await found(`${close} Ċ ${open}`.replace('Ċ Ċ', 'Ċ'))).toEqual(['clean', []]);
  expect(await found(`${close} <|im_end|> Ċ <|im_start|> user Ċ ${open}`)).toEqual(['found', ['<|im_end|> Ċ']]);
});

test('numbers that are none make no loss of NaN: the objective says what it lacks', async () => {
  const batch = cleanBatch();
  FAULTS['non-finite']?.(batch);
  const kept = new KeptBatch();
  for await (const one of readBatch('batch.jsonl', bytesOf(linesOf(batch, write)), new BatchReading())) kept.add(one);
  const { rows } = await whatIf(kept, [objectiveAsked('dapo')]);
  expect(rows.at(-1)).toMatchObject({ result: null, lacks: ['rewards and groups, or advantages'] });
  expect(rows[0]?.result?.byRole.action).toBeCloseTo(1, 12);
});
