/** What other losses would do to a batch: the training’s own numbers, and what is told of batches that lack some. */
import { describe, expect, test } from 'vitest';
import { BatchReading, readBatch } from '../../src/batch/read';
import { WhatIfEngine } from '../../src/batch/whatIf/engine';
import { KeptBatch } from '../../src/batch/whatIf/kept';
import { givenOf } from '../../src/batch/whatIf/lacks';
import { formulaAsked, OBJECTIVE_NAMES, objectiveAsked, type WhatIf, whatIf } from '../../src/batch/whatIf/whatIf';
import { type Arm, withArmSetting } from '../../src/experiment/experiment';
import { ROLE, ROLES } from '../../src/foundation/roles';
import { hyperparameters } from '../../src/rl/population';
import type { ElementType, Tensor } from '../../src/tensor/backend';
import { TERM } from '../../src/tensor/columns';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { groupSize, recordedTrajectories, replay, small } from '../rl/replay';
import { bytesOf } from './audited';
import { cleanBatch, FAULTS } from './episodes';
import { linesOf, WRITERS } from './forms';

/** Reference that lets its tensors be read by their names. */
class OpenBackend extends ReferenceBackend {
  readonly made = new Map<string, Tensor>();

  override tensor<E extends ElementType>(label: string, type: E, members: number, stride: number): Tensor<E> {
    const tensor = super.tensor(label, type, members, stride);
    this.made.set(label, tensor);
    return tensor;
  }

  async values(label: string): Promise<ArrayLike<number>> {
    const [values] = await this.read(this.made.get(label) as Tensor);
    return values;
  }
}

const kept = async (content: string): Promise<KeptBatch> => {
  const all = new KeptBatch();
  for await (const trajectory of readBatch('batch.jsonl', bytesOf(content, 5000), new BatchReading()))
    all.add(trajectory);
  return all;
};

/** Two inner steps of an update on recorded walks: the second's numbers, and the batch as lines of this lab's form. */
async function recorded(arm: Arm) {
  const backend = new OpenBackend();
  const hyper = hyperparameters([{ armIndex: 0, arm: 'a', seed: 0 }], [arm]);
  const { readbacks } = await replay(backend, hyper, [2], { updates: 1, configuration: small, diagnostics: false });
  const { count, context, lengths, tokens, roles, rewards } = recordedTrajectories(1, 0);
  const names = ['oldLogProb', 'logProb', 'referenceLogProb', 'behaviourLogProb', 'advantage', 'policyWeight'] as const;
  const dense = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await backend.values(`batch.${name}`)] as const)),
  ) as Record<(typeof names)[number], ArrayLike<number>>;
  const packed = await backend.values('dLogProb');
  let row = 0;
  const gradients: number[][] = [];
  const lines = Array.from({ length: count }, (_, b) => {
    const length = lengths[b] ?? 0;
    const at = (values: ArrayLike<number>) => Array.from({ length }, (_, t) => values[b * context + t]);
    gradients.push(Array.from({ length }, (_, t) => packed[row + t] ?? Number.NaN));
    row += length;
    return JSON.stringify({
      input_ids: at(tokens),
      action_mask: at(roles).map((role) => role === ROLE.action),
      roles: at(roles).map((role) => ROLES[role ?? 0]),
      reward: rewards[b],
      group: Math.floor(b / groupSize),
      policy_weights: at(dense.policyWeight),
      advantages: at(dense.advantage),
      old_log_probs: at(dense.oldLogProb),
      log_probs: at(dense.logProb),
      ref_log_probs: at(dense.referenceLogProb),
      rollout_log_probs: at(dense.behaviourLogProb),
    });
  });
  return { lines: lines.join('\n'), gradients, terms: readbacks[0]?.laterTerms as ArrayLike<number> };
}

describe('an update of the lab, worked out again from its recorded batch', () => {
  const faster = (arm: Arm): Arm => ({ ...arm, innerEpochs: 2, learningRate: 0.01, entropyCoefficient: 0 });
  const norm = (arm: Arm): Arm => withArmSetting(arm, 'lengthDenominator', 12);
  const cases: readonly (readonly [string, Arm])[] = [
    ...['grpo', 'dapo', 'gspo', 'luspo', 'turn-ratio', 'cispo', 'rloo', 'reinforce-pp-baseline', 'maxrl', 'sapo'],
    ...['gmpo', 'dppo', 'prime-rl', 'clip-cov', 'kl-cov', 'vespo', 'tis', 'icepop', 'echo', 'no-mask', 'dr-grpo'],
  ].map((name) => [name, norm(faster(objectiveAsked(name).arm))]);

  test.each(cases)('%s: loss and ∂loss/∂logp to the bit', async (_, arm) => {
    const { lines, gradients, terms } = await recorded(arm);
    const all = (await kept(lines)).finish();
    const engine = new WhatIfEngine(all, givenOf(all));
    const { loss, gradient } = await engine.run(arm);
    expect(loss.policy).toBe(terms[TERM.policyLoss]);
    expect(loss.prediction).toBe(terms[TERM.crossEntropyLoss]);
    expect(loss.kl).toBe(terms[TERM.regulariserLoss]);
    const found = all.map(({ length }, b) =>
      Array.from(gradient.subarray(b * engine.context, b * engine.context + length)),
    );
    // The last token of the prompt is the first that is kept.
    expect(found).toEqual(gradients.map((own, b) => own.slice(own.length - (all[b]?.length ?? 0))));
    expect(Math.max(...found.flat().map(Math.abs))).toBeGreaterThan(0);
  });
});

const VERL = WRITERS['verl, tensors and texts']?.write;
const asked = async (names: readonly string[], fault?: string, write = VERL): Promise<WhatIf> => {
  const batch = cleanBatch();
  if (fault !== undefined) FAULTS[fault]?.(batch);
  const all = await kept(linesOf(batch, write as NonNullable<typeof write>));
  return whatIf(all, names.map(objectiveAsked));
};
const resultOf = ({ rows }: WhatIf, name: string) => {
  const result = rows.find((row) => row.name === name)?.result;
  if (result == null) throw new Error(`${name} was not worked out.`);
  return result;
};

describe('a batch of verl', () => {
  test('is beside what was used: the same direction without a fault, another with one', async () => {
    const clean = resultOf(await asked(['gpg']), 'gpg');
    expect(clean.cosine).toBeCloseTo(1, 12);
    expect(clean.byRole.action).toBeCloseTo(1, 12);
    expect(clean.byRole.observation).toBe(0);
    const leaky = await asked(['gpg', 'no-mask'], 'leak');
    expect(resultOf(leaky, 'as used').byRole.observation).toBeGreaterThan(0.01);
    expect(resultOf(leaky, 'gpg').byRole.observation).toBe(0);
    expect(resultOf(leaky, 'gpg').cosine).toBeLessThan(0.999);
    expect(resultOf(leaky, 'no-mask').byRole.observation).toBeGreaterThan(0.2);
  });

  test('has every ratio at 1 where it has no log-probs but the old ones', async () => {
    const found = await asked(['dapo']);
    expect(found.logProbs).toBe('old');
    expect(resultOf(found, 'dapo').clipShare).toBe(0);
    const ofLab = await asked(['dapo'], undefined, WRITERS['this lab']?.write);
    expect(ofLab.logProbs).toBe('logp');
  });

  test('what was used is multiplied by the sampler’s correction, as verl does', async () => {
    const lines = linesOf(cleanBatch(), VERL as NonNullable<typeof VERL>)
      .trim()
      .split('\n')
      .map((line, at) => {
        const record = JSON.parse(line) as { advantages: number[] };
        const weights = record.advantages.map(() => (at === 0 ? 2 : 0));
        return JSON.stringify({ ...record, rollout_is_weights: weights });
      });
    expect(lines.length).toBeGreaterThan(2);
    const result = resultOf(await whatIf(await kept(lines.join('\n')), []), 'as used');
    expect([result.largest, result.halfIn]).toEqual([{ trajectory: 1, share: 1 }, 1]);
  });

  test('is refused by name to objectives that need what it does not have', async () => {
    const { rows } = await asked(OBJECTIVE_NAMES);
    const refused = rows
      .filter(({ lacks }) => lacks.length > 0)
      .map(({ name, lacks }) => `${name}: ${lacks.join(', ')}`);
    expect(refused).toEqual([
      'remax: a greedy episode of each prompt',
      ...['ppo', 'vapo'].map((name) => `${name}: the values of a critic`),
      'vapo-whole: the values of a critic, which episodes succeeded',
      'gigpo: the states of turns',
      'rtmc: the histories of turns',
      'igpo: rewards of turns',
      'otb: logits',
      'erpo: the environments of episodes',
      ...['bilevel-gae', 'starpo-s'].map((name) => `${name}: the values of a critic`),
      ...['paw-low', 'paw-high'].map((name) => `${name}: entropies`),
      ...['actobs', 'failed-only', 'solved-only'].map((name) => `${name}: which episodes succeeded`),
      'placebo: logits',
    ]);
    for (const { result, lacks } of rows) expect(result === null).toBe(lacks.length > 0);
  });

  test('says at which λ ECHO’s term weighs as much as the actions', async () => {
    const all = (await kept(linesOf(cleanBatch(), VERL as NonNullable<typeof VERL>))).finish();
    const engine = new WhatIfEngine(all, givenOf(all));
    const lambda = resultOf(await asked(['echo']), 'echo').equalLambda ?? 0;
    const { arm } = objectiveAsked('echo');
    const { gradient } = await engine.run({ ...arm, ce: { ...arm.ce, observation: lambda } });
    const sum = (role: string): number =>
      all.reduce((total, { roles }, b) => {
        const own = [...roles].map((one, t) =>
          one === ROLE[role as 'action'] ? Math.abs(gradient[b * engine.context + t] ?? 0) : 0,
        );
        return total + own.reduce((a, c) => a + c, 0);
      }, 0);
    expect(sum('observation')).toBeGreaterThan(0);
    // The table of an arm is float32.
    expect(sum('observation') / sum('action')).toBeCloseTo(1, 6);
  });

  test('of texts only has no losses', async () => {
    const texts = await kept(linesOf(cleanBatch(), WRITERS['verl, rollout dump']?.write as NonNullable<typeof VERL>));
    await expect(whatIf(texts, [objectiveAsked('grpo')])).rejects.toThrow(/24 trajectories have texts only/);
  });

  test('keeps its own advantages where it has no rewards', async () => {
    const write = (one: Parameters<NonNullable<typeof VERL>>[0], index: number): unknown => {
      const { token_level_scores: _, ...line } = (VERL?.(one, index) ?? {}) as Record<string, unknown>;
      return line;
    };
    const found = await asked(['dapo'], 'advantage-varies', write);
    expect(found.advantages).toBe('the batch');
    expect(resultOf(found, 'dapo').cosine).toBeCloseTo(1, 12);
  });
});

test('a formula does what the objective does that it writes down', async () => {
  const all = await kept(linesOf(cleanBatch(), WRITERS['this lab']?.write as NonNullable<typeof VERL>));
  const text = 'ratio = exp(logp - old_logp)\nloss = -min(ratio * advantage, clip(ratio, 0.8, 1.2) * advantage)';
  const { rows } = await whatIf(all, [objectiveAsked('lab'), formulaAsked('mine.loss', text)]);
  const [, lab, mine] = rows.map(({ result }) => result);
  expect(mine?.loss?.policy).toBeCloseTo(lab?.loss?.policy ?? Number.NaN, 12);
  expect(mine?.cosine).toBeCloseTo(lab?.cosine ?? Number.NaN, 12);
  expect(mine?.clipShare).toBeNull();
});
