/** Mistakes of masks as trainers have made them, each over a whole batch: what the audit finds, and that it finds nothing else. */
import { describe, expect, test } from 'vitest';
import { Reading, readBatch } from '../../src/batch/read';
import { Kept } from '../../src/batch/whatIf/kept';
import { objectiveAsked, whatIf } from '../../src/batch/whatIf/whatIf';
import { audited, bytesOf } from './audited';
import { cleanBatch, type Episode, FAULTS } from './episodes';
import { linesOf, WRITERS } from './forms';

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

describe('the audit of a batch whose trainer', () => {
  test.each<[string, string, string[]]>([
    [
      'inverted the mask: what was seen is trained, what was done is not',
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
  ])('%s', async (_, lines, rules) => {
    const { report } = await audited(lines);
    expect(report.rules.filter(({ state }) => state === 'found').map(({ rule }) => rule)).toEqual(rules);
  });
});

test('numbers that are none make no loss of NaN: the objective says what it lacks', async () => {
  const batch = cleanBatch();
  FAULTS['non-finite']?.(batch);
  const kept = new Kept();
  for await (const one of readBatch('batch.jsonl', bytesOf(linesOf(batch, write)), new Reading())) kept.add(one);
  const { rows } = await whatIf(kept, [objectiveAsked('dapo')]);
  expect(rows.at(-1)).toMatchObject({ result: null, lacks: ['rewards and groups, or advantages'] });
  expect(rows[0]?.result?.byRole.action).toBeCloseTo(1, 12);
});
