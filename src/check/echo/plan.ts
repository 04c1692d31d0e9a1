/**
 * Plans: the way in which each project adds a world-model loss to its policy loss, as this lab's roles and hyperparameters.
 * They differ in the tokens taken and in the denominators.
 */

import { ROLE } from '../../foundation/roles';
import { CHOICES, type ChoiceOf } from '../../hyperparameters/columns';
import { NO_ROLE } from '../../tensor/columns';
import { HYPER } from '../../tensor/layout';
import { choiceOf, inputOf, settingOf, tableOf } from '../arrays';
import { type Fixture, invalid } from '../format';
import { batchInfoOf, itemsOf } from '../policyLoss/common';

export type Column = readonly [column: number, value: number];

export interface EchoPlan {
  /** Role of each token. */
  readonly roles: readonly number[];
  readonly columns: readonly Column[];
  /** Factors of each token on its weights in the two losses, where tokens of a role have different weights. */
  readonly factors?: { readonly policy: ArrayLike<number>; readonly world: ArrayLike<number> };
  /** Factor on the advantages. */
  readonly advantageScale: number;
  /** Weight λ of the world-model loss: at the case's step of its schedule; for prime-rl its largest token weight. */
  readonly coefficient: number;
}

type Aggregation = ChoiceOf<'aggregation'>;
type SequenceDenominator = ChoiceOf<'worldModelSequenceDenominator'>;
type BatchDenominator = ChoiceOf<'worldModelBatchDenominator'>;

export function echoPlanOf(fixture: Fixture): EchoPlan {
  const peer = String(fixture.params.peer);
  const plan = Object.hasOwn(PEERS, peer) ? PEERS[peer] : undefined;
  if (plan === undefined) throw invalid(`${fixture.name} is of the implementation “${peer}”, which is not known`);
  return plan(fixture);
}

const PEERS: Readonly<Record<string, (fixture: Fixture) => EchoPlan>> = {
  rllm_verl: rllmOnVerl,
  rllm_managed: rllmManaged,
  prime_rl: primeRl,
  skyrl_echo: skyRl,
  openenv_trl: openEnv,
};

const aggregation = (value: Aggregation): Column => [HYPER.aggregation, CHOICES.aggregation.indexOf(value)];
const countAll: Column = [HYPER.countedSequences, CHOICES.countedSequences.indexOf('all')];
const noClamp: Column = [HYPER.logRatioClamp, CHOICES.logRatioClamp.indexOf('none')];
const sequence = (value: SequenceDenominator): Column => [
  HYPER.worldModelSequenceDenominator,
  CHOICES.worldModelSequenceDenominator.indexOf(value),
];
const batch = (value: BatchDenominator): Column => [
  HYPER.worldModelBatchDenominator,
  CHOICES.worldModelBatchDenominator.indexOf(value),
];
const policyGradient = (role: number, weight: number): Column => [HYPER.policyGradient + role, weight];
const crossEntropy = (role: number, weight: number): Column => [HYPER.crossEntropy + role, weight];

/** An input with a number for every token. */
function perToken(fixture: Fixture, name: string): Float64Array {
  const [B, T] = tableOf(fixture, 'log_prob');
  return inputOf(fixture, name, B * T);
}

/** Roles from the masks of actions, environment and warnings; a token in none of them has no role. */
function rolesOf(fixture: Fixture): number[] {
  const [action, environment, warning] = ['action_mask', 'env_mask', 'warning_mask'].map((name) =>
    perToken(fixture, name),
  ) as [Float64Array, Float64Array, Float64Array];
  return Array.from(action, (isAction, i) => {
    if (isAction === 1) return ROLE.action;
    if (warning[i] === 1) return ROLE.warning;
    return environment[i] === 1 ? ROLE.observation : NO_ROLE;
  });
}

/** A setting that names one of a list. Throws for any other name. */
function modeOf<Mode extends string>(fixture: Fixture, name: string, modes: readonly Mode[]): Mode {
  return choiceOf(fixture, name, Object.fromEntries(modes.map((mode) => [mode, mode])) as Record<Mode, Mode>);
}

function clip(fixture: Fixture, low: string, high: string): Column[] {
  const width = settingOf(fixture, [low]);
  return [
    [HYPER.clipLow, width],
    [HYPER.clipHigh, settingOf(fixture, [high], width)],
  ];
}

/** rLLM on verl: verl's aggregation for both losses; given counts of the whole batch, those of its actions, divide both. */
function rllmOnVerl(fixture: Fixture): EchoPlan {
  const known = (name: string): number => batchInfoOf(fixture, name);
  const [tokens, sequences, scale] = [known('batch_num_tokens'), known('global_batch_size'), known('dp_size') || 1];
  const mode = modeOf(fixture, 'loss_agg_mode', CHOICES.aggregation);
  const byToken = mode === 'token-mean' || mode === 'token-sum';
  const given = mode === 'token-mean' ? tokens : byToken ? 0 : sequences;
  const perSequence: Readonly<Partial<Record<Aggregation, SequenceDenominator>>> = {
    'seq-mean-token-mean': 'selected-tokens',
    'seq-mean-token-sum-norm': 'length',
  };
  const length = known('loss_scale_factor') || tableOf(fixture, 'log_prob')[1];
  const own: BatchDenominator = mode === 'token-sum' ? 'none' : byToken ? 'selected-tokens' : 'selected-sequences';
  const coefficient = coefficientOf(fixture);
  const target = modeOf(fixture, 'observation_target', ['all_obs', 'env_only']);
  return {
    roles: rolesOf(fixture),
    advantageScale: 1,
    coefficient,
    columns: [
      ...clip(fixture, 'eps_clip', 'eps_clip_high'),
      policyGradient(ROLE.action, 1),
      aggregation(mode),
      [HYPER.tokenDenominator, tokens],
      [HYPER.sequenceDenominator, sequences],
      [HYPER.lengthDenominator, length],
      [HYPER.lossScale, scale],
      crossEntropy(ROLE.observation, coefficient * scale),
      crossEntropy(ROLE.warning, target === 'all_obs' ? coefficient * scale : 0),
      sequence(perSequence[mode] ?? 'none'),
      batch(given > 0 ? 'given' : own),
      [HYPER.worldModelDenominator, given],
      [HYPER.worldModelLength, length],
      [HYPER.worldModelCountEpsilon, mode === 'seq-mean-token-mean' ? 1e-8 : 0],
    ],
  };
}

/** rLLM's managed training: a world-model loss on every token but actions, padding too; counts of actions divide both. */
function rllmManaged(fixture: Fixture): EchoPlan {
  const mode = modeOf(fixture, 'loss_agg_mode', ['token-mean', 'seq-mean-token-mean']);
  const coefficient = coefficientOf(fixture);
  return {
    roles: Array.from(perToken(fixture, 'action_mask'), (isAction) =>
      isAction === 1 ? ROLE.action : ROLE.observation,
    ),
    advantageScale: 1,
    coefficient,
    columns: [
      ...clip(fixture, 'eps_clip', 'eps_clip_high'),
      policyGradient(ROLE.action, 1),
      aggregation(mode),
      crossEntropy(ROLE.observation, coefficient),
      sequence(mode === 'token-mean' ? 'none' : 'selected-tokens'),
      batch(mode === 'token-mean' ? 'action-tokens' : 'action-sequences'),
    ],
  };
}

/** prime-rl: every token has weights of its own in both losses. Three roles mark the first loss, the second, and both. */
function primeRl(fixture: Fixture): EchoPlan {
  const actions = perToken(fixture, 'action_mask');
  const world = perToken(fixture, 'ce_weights');
  const policy = fixture.inputs.rl_weights === undefined ? actions : perToken(fixture, 'rl_weights');
  modeOf(fixture, 'rl_loss', ['prime_default']);
  const [onlyPolicy, onlyWorld, both] = [ROLE.action, ROLE.observation, ROLE.warning];
  const roles = Array.from(actions, (isAction, i) => {
    const isWorld = world[i] !== 0;
    if (isAction === 1 && policy[i] !== 0) return isWorld ? both : onlyPolicy;
    return isWorld ? onlyWorld : NO_ROLE;
  });
  return {
    roles,
    factors: { policy, world },
    advantageScale: settingOf(fixture, ['adv_tau'], 1),
    coefficient: Math.max(0, ...world),
    columns: [
      [HYPER.surrogate, CHOICES.surrogate.indexOf('prime')],
      noClamp,
      [HYPER.clipLow, settingOf(fixture, ['dppo_mask_low'], 0.2)],
      [HYPER.clipHigh, settingOf(fixture, ['dppo_mask_high'], 0.2)],
      [HYPER.ratioPenalty, settingOf(fixture, ['kl_tau'], 1e-3)],
      ...[onlyPolicy, both].map((role) => policyGradient(role, 1)),
      ...[onlyWorld, both].map((role) => crossEntropy(role, 1)),
    ],
  };
}

/** ECHO's authors, on SkyRL: chosen environment tokens over counts of each trajectory's, with 0.001 added. */
function skyRl(fixture: Fixture): EchoPlan {
  const mode = modeOf(fixture, 'loss_reduction', ['token_mean', 'sequence_mean', 'seq_mean_token_sum_norm']);
  const target = modeOf(fixture, 'world_loss_target', [
    'env_only',
    'warning_only',
    'warning_plus_env',
    'full_observation',
  ]);
  const normalisation = modeOf(fixture, 'world_loss_normalization', ['full_observation_tokens', 'selected_tokens']);
  const coefficient = coefficientOf(fixture);
  const length = mode === 'seq_mean_token_sum_norm' ? settingOf(fixture, ['max_seq_len']) : 0;
  const byMode: Readonly<Record<typeof mode, readonly Column[]>> = {
    token_mean: [aggregation('token-mean'), sequence('none'), batch('selected-tokens')],
    sequence_mean: [
      aggregation('seq-mean-token-mean'),
      sequence(normalisation === 'selected_tokens' ? 'selected-tokens' : 'observation-tokens'),
      batch('sequences'),
    ],
    seq_mean_token_sum_norm: [aggregation('seq-mean-token-sum-norm'), sequence('length'), batch('sequences')],
  };
  return {
    roles: rolesOf(fixture),
    advantageScale: 1,
    coefficient,
    columns: [
      ...clip(fixture, 'eps_clip_low', 'eps_clip_high'),
      policyGradient(ROLE.action, 1),
      countAll,
      [HYPER.lengthDenominator, length],
      [HYPER.worldModelLength, length],
      [HYPER.worldModelCountEpsilon, 1e-3],
      ...byMode[mode],
      crossEntropy(ROLE.observation, target === 'warning_only' ? 0 : coefficient),
      crossEntropy(ROLE.warning, target === 'env_only' ? 0 : coefficient),
    ],
  };
}

/** OpenEnv on TRL: the completion's tokens that the policy did not write, divided by their own count. */
function openEnv(fixture: Fixture): EchoPlan {
  const [completion, tool] = [perToken(fixture, 'completion_mask'), perToken(fixture, 'tool_mask')];
  const mode = modeOf(fixture, 'loss', ['grpo', 'bnpo', 'dr_grpo', 'dapo']);
  const [, tokens] = tableOf(fixture, 'log_prob');
  const byMode: Readonly<Record<typeof mode, readonly Column[]>> = {
    grpo: [aggregation('seq-mean-token-mean'), countAll],
    bnpo: [aggregation('token-mean')],
    dr_grpo: [
      aggregation('seq-mean-token-sum-norm'),
      countAll,
      [HYPER.lengthDenominator, settingOf(fixture, ['max_completion_length'], tokens)],
    ],
    dapo: [aggregation('token-mean'), [HYPER.tokenDenominator, itemsOf(fixture)]],
  };
  const steps = mode === 'dapo' ? 1 : settingOf(fixture, ['gradient_accumulation_steps'], 1);
  const coefficient = coefficientOf(fixture);
  return {
    roles: Array.from(completion, (isCompletion, i) => {
      if (isCompletion !== 1) return NO_ROLE;
      return tool[i] === 1 ? ROLE.action : ROLE.observation;
    }),
    advantageScale: 1,
    coefficient,
    columns: [
      ...clip(fixture, 'epsilon', 'epsilon_high'),
      noClamp,
      policyGradient(ROLE.action, 1),
      [HYPER.lossScale, 1 / steps],
      ...byMode[mode],
      crossEntropy(ROLE.observation, coefficient),
    ],
  };
}

/** λ at the case's step: constant, linear from `lam` to `lam_end`, or in steps. */
function coefficientOf(fixture: Fixture): number {
  const { steps, values } = fixture.params;
  const start = settingOf(fixture, ['lam']);
  const step = settingOf(fixture, ['step'], 0);
  const schedule = fixture.params.schedule ?? 'constant';
  switch (schedule) {
    case 'constant':
      return start;
    case 'linear_decay': {
      const total = Math.max(settingOf(fixture, ['total_steps']), 1);
      return start + (settingOf(fixture, ['lam_end']) - start) * Math.min(step / total, 1);
    }
    case 'step_decay': {
      if (!Array.isArray(steps) || !Array.isArray(values)) {
        return step < settingOf(fixture, ['transition_step']) ? start : settingOf(fixture, ['lam_end']);
      }
      return Number(values[steps.findLastIndex((from) => step >= Number(from))] ?? values[0]);
    }
    default:
      throw invalid(`${fixture.name} has the schedule “${String(schedule)}”, which is not known`);
  }
}
