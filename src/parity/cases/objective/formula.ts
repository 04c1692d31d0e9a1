/**
 * Parity cases of formulas: what is packed, what is held fixed, and losses with their derivatives. Members differ in whose
 * tokens are the formula's own, one has none, and in parameters. Trajectories are the second microbatch of a batch, whose
 * last place is past the batch's end.
 */

import { compile, type Formula } from '../../../formula/compile';
import { packingOf, runColumn } from '../../../formula/packing';
import { isHeld } from '../../../formula/schedule';
import { RUN_INPUTS } from '../../../formula/vocabulary';
import type { RandomStream } from '../../../foundation/philox';
import { ROLE, ROLES } from '../../../foundation/roles';
import { CHOICES } from '../../../hyperparameters/columns';
import { NO_ROLE, OUTCOME, OUTCOME_COLUMNS, REWARD_PARTS } from '../../../tensor/columns';
import { HYPER, HYPER_COLUMNS, packMeta, ROW_FIELDS } from '../../../tensor/layout';
import { FORMULA_PARAMETERS, FORMULA_TERM_COLUMNS, formulaFloats } from '../../../tensor/operations/formula';
import { batchOf, type DenseBatch, denseBatch, denseValues } from '../batch';
import { type CaseTensors, f32, normalRows, type ParityCase, randomFor, rowMask, u32, unwritten } from '../case';
import { hyperTensor } from '../hyper';

const TARGETS = ROLES.map((role) => ROLE[role]);

const MEMBERS = [
  { policyGradient: { action: 1 } },
  { policyGradient: { prompt: 0.5, action: 1, observation: 0.25, warning: -0.75, thought: 0.5 } },
  { policyGradient: {} },
  { policyGradient: { observation: 2, warning: 1 } },
];

const TEXTS = {
  'every input': `
d = (logp - old_logp) + (sampler_logp - ref_logp) * is_action - entropy * (is_observation + 2 * is_thought)
x = advantage * returns - value + position / 10 + turn - turn_reward + reward * success + turns * valid
loss = d * x * (1 + update / 10) - success_rate * logp
show tokens_own = tokens`,

  'group and batch': `
param scale = 1 in [0, 2]
per_turn = mean_turn(logp)
gain = (reward - mean_group(reward)) / (std_group(reward) + 0.1)
spread = (logp - mean_group(logp)) / (std_batch(logp) + 0.5) + max_group(per_turn) - min_batch(entropy)
far = max_batch(mean_group(reward)) - sum_batch(count_group(reward)) / 10 + mean_batch(to_go(per_turn, 0.5))
late = max_group(where(reward > mean_batch(reward), per_turn, -9)) + std_batch(mean_trajectory(logp - mean_group(logp)))
loss = scale * (spread * logp - gain * per_turn) + far * logp * late
show spread = spread
show far = far`,

  'turns and trajectories': `
param gamma = 0.8 in [0, 1]
ret = to_go(sum_turn(logp * A) + turn_reward, gamma)
s = exp(clip(mean_trajectory(logp - old_logp), -2, 2))
peak = max_turn(logp) - 0.1 * min_trajectory(entropy) + std_trajectory(logp)
loss = -min(s * A, clip(s, 0.9, 1.1) * A) + 0.1 * ret * peak / tokens - mean_trajectory(mean_turn(entropy)) + max_trajectory(ret)
show s = s
show ret = ret`,

  'every function': `
param a = 0.5 in [-1, 1]
p = exp(logp)
x = logp - old_logp
one = log(p + 0.1) + log1p(p) + expm1(x) + sqrt(entropy + 0.01) + abs(x) + sign(x - 0.3)
two = sigmoid(5 * x) + tanh(x) + relu(x) + softplus(20 * x) + (p + 0.1) ** x + (x - 9) ** 3 / 100 + entropy ** -2
three = max(x, a, A) + min(p, 0.5, entropy) + where(x > 0 and not (A < 0) or p <= 0.2, log(abs(x) + 0.1), x) + (A if x != a else p)
guarded = where(x > 0, sqrt(x) * entropy, 0) + detach(p) * logp
loss = one * a + two + three + guarded
show one = one`,
} as const;

interface Scene {
  readonly batch: DenseBatch;
  readonly formula: Formula;
  readonly tensors: ParityCase['tensors'];
}

function scene(random: RandomStream, text: string, groups: readonly number[], context: number): Scene {
  const formula = compile(text);
  const members = MEMBERS.length;
  const batch = denseBatch(random, { members, groups, context });
  const outcomes = batch.tensors['batch.outcomes'].data;
  for (let i = 0; i < members * batch.trajectories; i++) {
    outcomes[i * OUTCOME_COLUMNS + OUTCOME.turns] = random.below(5);
    for (let k = 0; k < REWARD_PARTS; k++) {
      outcomes[i * OUTCOME_COLUMNS + OUTCOME.part + k] = random.below(4) === 0 ? Number.NaN : random.normal();
    }
  }
  // Most groups are kept, and the last member is rewarded by tokens.
  batch.tensors.group.data.forEach((_, i, data) => {
    if (i % 4 === 3) data[i] = random.below(4) > 0 ? 1 : 0;
  });
  const arm = hyperTensor(...MEMBERS.map(() => ({})));
  for (let p = 0; p < members; p++) {
    for (let k = 0; k < 2; k++) arm.data[p * HYPER_COLUMNS + HYPER.rewardWeight + k] = 1 - 0.4 * k;
  }
  arm.data[(members - 1) * HYPER_COLUMNS + HYPER.rewardSource] = CHOICES.rewardSource.indexOf('tokens');
  const dense = (value: () => number, roles: readonly number[] = TARGETS) => denseValues(batch, value, roles);
  const logProb = (): number => -0.05 - 0.6 * Math.abs(random.normal());
  const parameters = Float32Array.from({ length: members * FORMULA_PARAMETERS }, (_, i) => {
    const parameter = formula.parameters[i % FORMULA_PARAMETERS];
    if (parameter !== undefined) return parameter.default - Math.floor(i / FORMULA_PARAMETERS) / 10;
    const run = RUN_INPUTS.find((name) => runColumn(name) === i % FORMULA_PARAMETERS);
    return run === undefined ? Number.NaN : (1 + i) / 200;
  });
  return {
    batch,
    formula,
    tensors: {
      ...batch.tensors,
      hyper: hyperTensor(...MEMBERS),
      armHyper: arm,
      parameters: f32(members, parameters),
      packed: unwritten(members, formulaFloats(formula, batch)),
      weight: dense(() => random.unit() / 8),
      behaviourLogProb: dense(logProb, [ROLE.action, ROLE.thought]),
      referenceLogProb: dense(logProb),
      advantage: dense(() => random.normal()),
      returns: dense(() => random.normal()),
      oldValue: dense(() => random.normal()),
      tokenReward: dense(() => (random.below(3) === 0 ? random.normal() : 0)),
      logProb: dense(logProb),
      entropy: dense(() => 0.2 + random.unit()),
      oldLogProb: dense(logProb),
    },
  };
}

const inputsOf = (t: CaseTensors) => ({
  weight: t.f32('weight'),
  behaviourLogProb: t.f32('behaviourLogProb'),
  referenceLogProb: t.f32('referenceLogProb'),
  advantage: t.f32('advantage'),
  returns: t.f32('returns'),
  oldValue: t.f32('oldValue'),
  tokenReward: t.f32('tokenReward'),
  group: t.f32('group'),
});

const policyOf = (t: CaseTensors) => ({
  logProb: t.f32('logProb'),
  entropy: t.f32('entropy'),
  oldLogProb: t.f32('oldLogProb'),
});

function inputCase(): ParityCase {
  const name = 'formulaInputs, every input';
  const { batch, formula, tensors } = scene(randomFor(name), TEXTS['every input'], [4, 1, 3, 4], 14);
  const packing = packingOf(formula, batch);
  const stride = packing.floats;
  const isInput = (i: number): boolean => i % stride < packing.results.turn;
  return {
    operation: 'formulaInputs',
    name,
    members: batch.members,
    tensors,
    build: (ops, t) => {
      const tables = { hyper: t.f32('hyper'), armHyper: t.f32('armHyper') };
      ops.formulaInputs(t.f32('packed'), formula, batchOf(t, batch), inputsOf(t), tables);
    },
    outputs: [
      {
        tensor: 'packed',
        atol: 1e-6,
        rtol: 1e-6,
        compared: Uint8Array.from({ length: batch.members * stride }, (_, i) => Number(isInput(i))),
      },
    ],
  };
}

/** Packs the inputs of a case, which every operation reads. */
function prepare(
  ops: Parameters<ParityCase['build']>[0],
  t: CaseTensors,
  { batch, formula }: Pick<Scene, 'batch' | 'formula'>,
): void {
  const tables = { hyper: t.f32('hyper'), armHyper: t.f32('armHyper') };
  ops.formulaInputs(t.f32('packed'), formula, batchOf(t, batch), inputsOf(t), tables);
  ops.formulaHeld(t.f32('packed'), formula, batchOf(t, batch), policyOf(t), t.f32('parameters'));
}

function heldCase(): ParityCase {
  const name = 'formulaHeld, group and batch';
  const own = scene(randomFor(name), TEXTS['group and batch'], [4, 1, 3, 4], 14);
  const { batch, formula, tensors } = own;
  const { results, floats } = packingOf(formula, batch);
  // Compared are results of the batch alone: those of groups in which no trajectory counts may be anything.
  const compared = new Uint8Array(batch.members * floats);
  for (const { node, level, place, isPart } of formula.schedule.results) {
    if (isPart || !isHeld(node) || level !== 'batch') continue;
    for (let p = 0; p < batch.members; p++) compared[p * floats + results.batch + place] = 1;
  }
  return {
    operation: 'formulaHeld',
    name,
    members: batch.members,
    tensors,
    build: (ops, t) => prepare(ops, t, own),
    outputs: [{ tensor: 'packed', atol: 4e-6, rtol: 2e-5, compared }],
  };
}

/** Case of any text: its losses and derivatives in the second microbatch of a batch. */
export function formulaCase(name: string, text: string): ParityCase {
  const random = randomFor(name);
  const own = scene(random, text, [4, 1, 3, 4], 14);
  const { batch, formula } = own;
  const place = { first: 7, sequences: 6 };
  const rows = rowsFrom(batch, place);
  const { counts, capacity } = rows;
  const near = { atol: 6e-6, rtol: 6e-5 };
  return {
    operation: 'formulaObjective',
    name,
    members: batch.members,
    tensors: {
      ...own.tensors,
      ...rows.tensors,
      dLogProb: normalRows(random, counts, capacity, 1),
      dEntropy: normalRows(random, counts, capacity, 1),
      terms: unwritten(batch.members, capacity * FORMULA_TERM_COLUMNS),
    },
    build: (ops, t) => {
      prepare(ops, t, own);
      const outputs = { dLogProb: t.f32('dLogProb'), dEntropy: t.f32('dEntropy'), terms: t.f32('terms') };
      const [whole, parameters] = [batchOf(t, batch), t.f32('parameters')];
      const microbatch = { ...t.rows(), ...place };
      ops.formulaObjective(outputs, t.f32('packed'), formula, whole, microbatch, policyOf(t), parameters);
    },
    outputs: [
      { tensor: 'dLogProb', ...near, compared: rowMask(counts, capacity, 1) },
      { tensor: 'dEntropy', ...near, compared: rowMask(counts, capacity, 1) },
      { tensor: 'terms', ...near, compared: rowMask(counts, capacity, FORMULA_TERM_COLUMNS), exactZeros: true },
    ],
  };
}

/** All tokens of the batch's trajectories from `first` on; places past its end are empty. */
function rowsFrom(batch: DenseBatch, { first, sequences }: { first: number; sequences: number }) {
  const { members, trajectories, context: T } = batch;
  const roles = batch.tensors['batch.roles'].data;
  const capacity = sequences * T;
  const table = new Uint32Array(members * capacity * ROW_FIELDS).fill(0xffffffff);
  const counts = Array.from({ length: members }, (_, p) => {
    let row = 0;
    for (let b = first; b < Math.min(first + sequences, trajectories); b++) {
      const own = roles.subarray((p * trajectories + b) * T, (p * trajectories + b + 1) * T);
      const length = own.findLastIndex((role) => role !== NO_ROLE) + 1;
      const base = row;
      for (let t = 0; t < length; t++, row++) {
        const role = own[t] === NO_ROLE ? ROLE.prompt : own[t];
        table.set([0, t, base, packMeta(role, 0, b)], (p * capacity + row) * ROW_FIELDS);
      }
    }
    return row;
  });
  return { counts, capacity, tensors: { 'rows.table': u32(members, table), 'rows.count': u32(members, counts) } };
}

export const FORMULA_CASES: readonly ParityCase[] = [
  inputCase(),
  heldCase(),
  ...Object.entries(TEXTS).map(([title, text]) => formulaCase(`formulaObjective, ${title}`, text)),
];
