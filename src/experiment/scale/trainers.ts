/**
 * Trainers that have observation cross-entropy beside a policy gradient, and SkyRL and TRL, which lack it. Field names as of
 * November 2026: verl-recipe `echo/run_echo.sh`; rLLM `trainer/config/rllm/base.yaml`; prime-rl `docs/algorithms.md` and
 * its configs; SkyRL `skyrl/train/config/config.py`; TRL `grpo_config.py`.
 */
import type { Arm, Experiment } from '../experiment';
import {
  as,
  type Carry,
  type Field,
  isClipped,
  isOutcomeOfGroup,
  oneOf,
  type Trainer,
  where,
  writeOverrides,
} from './trainer';

export type { Trainer };

const AGGREGATIONS = {
  'token-mean': 'token-mean',
  'seq-mean-token-mean': 'seq-mean-token-mean',
  'seq-mean-token-sum': 'seq-mean-token-sum',
} as const;

const SCALES = { 'group-deviation': 'True', none: 'False' } as const;
const trajectories = ({ batch }: Experiment): number => batch.groups * batch.groupSize;
const field = (key: string, value: string | number): Field => ({ key, value: String(value) });

/** Adam's β₁ and β₂ in one field: both settings write the same field, and one of the two is kept. */
const betas = (key: string, write: (beta1: number, beta2: number) => string): Trainer['carries'] => ({
  beta1: (_, { beta1, beta2 }) => ({ key, value: write(beta1, beta2) }),
  beta2: (_, { beta1, beta2 }) => ({ key, value: write(beta1, beta2) }),
});

const VERL_ACTOR: Trainer['carries'] = {
  learningRate: as('actor_rollout_ref.actor.optim.lr'),
  learningRateWarmUp: as('actor_rollout_ref.actor.optim.lr_warmup_steps'),
  weightDecay: as('actor_rollout_ref.actor.optim.weight_decay'),
  ...betas('actor_rollout_ref.actor.optim.betas', (beta1, beta2) => `'[${beta1},${beta2}]'`),
  maxGradNorm: as('actor_rollout_ref.actor.grad_clip'),
  innerEpochs: as('actor_rollout_ref.actor.ppo_epochs'),
  entropyCoefficient: as('actor_rollout_ref.actor.entropy_coeff'),
  klCoefficient: as('actor_rollout_ref.actor.kl_loss_coef'),
};

/** Switch of the KL loss. The launchers turn it off, whatever the coefficient, so it is always written. */
const useKlLoss = ({ klCoefficient }: Arm): Field =>
  field('actor_rollout_ref.actor.use_kl_loss', klCoefficient > 0 ? 'True' : 'False');

/** Writer of a distance from 1 as a ratio, 1 + sign · value, rounded to 12 digits. */
const asRatio =
  (key: string, sign: 1 | -1): Carry =>
  (value) => ({ key, value: String(Number((1 + sign * Number(value)).toPrecision(12))) });

const isCispo = (bound: Arm['ratioBound']) => (arm: Arm) => arm.surrogate === 'cispo' && arm.ratioBound === bound;
/** True for CISPO with bounds around 1, as in verl; TRL's form has one bound from above. */
const isRelativeCispo = isCispo('relative');

const VERL_LOSSES: Readonly<Record<string, string>> = {
  ppo: 'vanilla',
  'clip-cov': 'clip_cov',
  'kl-cov': 'kl_cov',
  gmpo: 'geo_mean',
};

/**
 * verl's name of an arm's policy loss; null if none. verl averages GSPO and SAPO by sequence, whatever loss_agg_mode
 * says.
 */
function verlLossOf(arm: Arm): string | null {
  const { surrogate, aggregation, ratioLevel, ratioReduction, ratioGradient } = arm;
  if (isRelativeCispo(arm)) return 'cispo';
  if (aggregation === 'seq-mean-token-mean') {
    if (surrogate === 'sapo') return 'sapo';
    const isShared = ratioLevel === 'sequence' && ratioReduction === 'mean' && ratioGradient === 'straight-through';
    if (isClipped(arm) && isShared) return 'gspo';
  }
  return VERL_LOSSES[surrogate] ?? null;
}

const verlLoss: Carry = (_, arm) => {
  const value = verlLossOf(arm);
  return value === null ? null : { key: 'actor_rollout_ref.actor.policy_loss.loss_mode', value };
};
const inVerl =
  (...losses: readonly string[]) =>
  (arm: Arm) =>
    losses.includes(verlLossOf(arm) ?? '');
const hasVerlBounds = (arm: Arm): boolean => isClipped(arm) || isRelativeCispo(arm);

const verl: Trainer = {
  id: 'verl',
  title: 'verl with its ECHO recipe',
  source: 'verl-project/verl-recipe, echo/',
  extension: 'sh',
  carries: {
    ...VERL_ACTOR,
    temperature: as('actor_rollout_ref.rollout.temperature'),
    surrogate: verlLoss,
    ratioLevel: where(inVerl('gspo'), verlLoss),
    ratioReduction: where(inVerl('gspo'), verlLoss),
    ratioGradient: where(inVerl('gspo'), verlLoss),
    ratioBound: where(inVerl('cispo'), verlLoss),
    sapoPositive: where(inVerl('sapo'), as('actor_rollout_ref.actor.tau_pos')),
    sapoNegative: where(inVerl('sapo'), as('actor_rollout_ref.actor.tau_neg')),
    clipLow: where(hasVerlBounds, as('actor_rollout_ref.actor.clip_ratio_low')),
    clipHigh: where(hasVerlBounds, as('actor_rollout_ref.actor.clip_ratio_high')),
    ratioCap: where((arm) => isClipped(arm) && arm.ratioCap > 1, as('actor_rollout_ref.actor.clip_ratio_c')),
    aggregation: oneOf('actor_rollout_ref.actor.loss_agg_mode', AGGREGATIONS),
    advantageScale: where(isOutcomeOfGroup, oneOf('algorithm.norm_adv_by_std_in_grpo', SCALES)),
    'ce.observation': as('+actor_rollout_ref.echo_aux_token_loss_coeff'),
  },
  shared: (experiment, arm) => [
    field('algorithm.adv_estimator', 'grpo'),
    field('algorithm.use_kl_in_reward', 'False'),
    useKlLoss(arm),
    field('data.train_batch_size', experiment.batch.groups),
    field('actor_rollout_ref.actor.ppo_mini_batch_size', experiment.batch.groups),
    field('actor_rollout_ref.rollout.n', experiment.batch.groupSize),
    field('trainer.total_training_steps', experiment.updates),
  ],
  cautions: [
    'Append model, data, sandbox and hardware as in echo/run_echo.sh.',
    'The recipe aggregates the observation loss by loss_agg_mode over the tokens its agent loop selects.',
    'verl keeps a lower bound on clip_ratio_c of its own (3) where this file names none.',
  ],
  write: writeOverrides('python3 -m recipe.echo.main_ppo'),
};

const rllm: Trainer = {
  id: 'rllm',
  title: 'rLLM on its verl backend',
  source: 'rllm-org/rllm, pull request 668',
  extension: 'sh',
  carries: {
    ...VERL_ACTOR,
    klCoefficient: as('rllm.algorithm.kl_beta'),
    temperature: as('rllm.rollout.train.temperature'),
    clipLow: where(isClipped, as('rllm.algorithm.eps_clip')),
    clipHigh: where(isClipped, as('rllm.algorithm.eps_clip_high')),
    aggregation: oneOf('rllm.algorithm.loss_agg_mode', AGGREGATIONS),
    advantageScale: where(isOutcomeOfGroup, oneOf('rllm.algorithm.norm_adv_by_std_in_grpo', SCALES)),
    'ce.observation': as('rllm.algorithm.env_loss_coef'),
  },
  shared: (experiment, arm) => [
    field('rllm.algorithm.adv_estimator', arm.ce.observation > 0 ? 'echo' : 'grpo'),
    field('rllm.data.train_batch_size', experiment.batch.groups),
    field('rllm.rollout.n', experiment.batch.groupSize),
    field('rllm.trainer.total_batches', experiment.updates),
    useKlLoss(arm),
  ],
  cautions: [
    'Pass these to the launcher of a cookbook, which names model, data and hardware.',
    'On verl every response token that is no action is predicted: warnings and template tokens too.',
    'On the tinker backend λ is the weight of a token, undivided: the same number is far stronger there.',
  ],
  write: writeOverrides('bash cookbooks/terminal-rl/train_verl.sh'),
};

const isIpo = ({ surrogate }: Arm): boolean => surrogate === 'ipo';
const isIcePop = ({ surrogate }: Arm): boolean => surrogate === 'icepop';
const primeRl: Trainer = {
  id: 'prime-rl',
  title: 'prime-rl with its echo algorithm',
  source: 'PrimeIntellect-ai/prime-rl, docs/algorithms.md',
  extension: 'toml',
  carries: {
    learningRate: as('trainer.optim.lr'),
    weightDecay: as('trainer.optim.weight_decay'),
    beta1: as('trainer.optim.betas1'),
    beta2: as('trainer.optim.betas2'),
    maxGradNorm: as('trainer.optim.max_norm'),
    temperature: as('orchestrator.train.sampling.temperature'),
    surrogate: oneOf('trainer.loss.type', { ipo: '"ipo"', icepop: '"icepop"' }),
    clipLow: where(isIcePop, asRatio('trainer.loss.ratio_low', -1)),
    clipHigh: (value, arm) =>
      where(isIpo, as('trainer.loss.eps'))(value, arm) ??
      where(isIcePop, asRatio('trainer.loss.ratio_high', 1))(value, arm),
    'ce.observation': where(
      ({ ce }) => ce.observation > 0,
      as(
        'orchestrator.train.algo.roles.user.alpha',
        'observations of worlds served by OpenEnv’s protocol are messages of the user; the default role, tool, would do nothing there',
      ),
    ),
  },
  shared: (experiment, arm) => [
    field('max_steps', experiment.updates),
    field('orchestrator.batch_size', trajectories(experiment)),
    field('orchestrator.train.group_size', experiment.batch.groupSize),
    field('orchestrator.train.algo.type', arm.ce.observation > 0 ? '"echo"' : '"grpo"'),
  ],
  cautions: [
    'Add model, environment and inference. Keep groups of equal rewards: observations of failures are what is learned from.',
    'Names are those of its main branch; before version 0.9 algo and group_size stood in [orchestrator] itself.',
    'prime-rl divides actions and predicted tokens each by their own count; its advantage has no standard deviation.',
    'Its policy loss leaves tokens out by the change of their probability (IPO): of the lab’s surrogates only “ipo” and “icepop” bring their bounds.',
  ],
  write: writeToml,
};

const skyrl: Trainer = {
  id: 'skyrl',
  title: 'SkyRL',
  source: 'NovaSky-AI/SkyRL, skyrl/train/config/config.py',
  extension: 'sh',
  carries: {
    learningRate: as('trainer.policy.optimizer_config.lr'),
    learningRateWarmUp: as('trainer.policy.optimizer_config.num_warmup_steps'),
    weightDecay: as('trainer.policy.optimizer_config.weight_decay'),
    ...betas('trainer.policy.optimizer_config.adam_betas', (beta1, beta2) => `'[${beta1},${beta2}]'`),
    maxGradNorm: as('trainer.policy.optimizer_config.max_grad_norm'),
    innerEpochs: as('trainer.update_epochs_per_batch'),
    temperature: as('generator.sampling_params.temperature'),
    klCoefficient: as('trainer.algorithm.kl_loss_coef'),
    surrogate: oneOf('trainer.algorithm.policy_loss_type', { ppo: 'regular' }),
    clipLow: where(isClipped, as('trainer.algorithm.eps_clip_low')),
    clipHigh: where(isClipped, as('trainer.algorithm.eps_clip_high')),
    entropyCoefficient: as('trainer.algorithm.entropy_loss_coef'),
    aggregation: oneOf('trainer.algorithm.loss_reduction', {
      'token-mean': 'token_mean',
      'seq-mean-token-mean': 'sequence_mean',
    }),
    advantageScale: where(
      isOutcomeOfGroup,
      oneOf('trainer.algorithm.grpo_norm_by_std', { 'group-deviation': 'true', none: 'false' }),
    ),
  },
  shared: (experiment, { klCoefficient, entropyCoefficient }) => [
    field('trainer.algorithm.use_entropy_loss', entropyCoefficient > 0 ? 'true' : 'false'),
    field('trainer.algorithm.advantage_estimator', 'grpo'),
    field('trainer.algorithm.use_kl_in_reward', 'false'),
    field('trainer.algorithm.use_kl_loss', klCoefficient > 0 ? 'true' : 'false'),
    field('trainer.train_batch_size', experiment.batch.groups),
    field('trainer.policy_mini_batch_size', experiment.batch.groups),
    field('generator.n_samples_per_prompt', experiment.batch.groupSize),
  ],
  cautions: [
    'SkyRL has no world-model loss. Its policy losses come by name: the printed file registers one.',
    'It counts passes over a data set, not updates: make one of as many tasks as updates × groups.',
  ],
  write: writeOverrides('uv run --isolated --extra fsdp -m skyrl.train.entrypoints.main_base'),
};

/** TRL's `loss_type` of an aggregation: one field names surrogate and aggregation together. */
const trlLossType = oneOf('loss_type', {
  'token-mean': '"dapo"',
  'seq-mean-token-mean': '"grpo"',
  'seq-mean-token-sum-norm': '"dr_grpo"',
});

const trl: Trainer = {
  id: 'trl',
  title: 'TRL’s GRPOTrainer',
  source: 'huggingface/trl, grpo_config.py',
  extension: 'py',
  carries: {
    learningRate: as('learning_rate'),
    learningRateWarmUp: (value, { innerEpochs }) => ({
      key: 'warmup_steps',
      value: String(Number(value) * innerEpochs),
    }),
    weightDecay: as('weight_decay'),
    beta1: as('adam_beta1'),
    beta2: as('adam_beta2'),
    epsilon: as('adam_epsilon'),
    maxGradNorm: as('max_grad_norm'),
    temperature: as('temperature'),
    innerEpochs: as('num_iterations'),
    klCoefficient: as('beta'),
    entropyCoefficient: as('entropy_coef'),
    clipLow: where(isClipped, as('epsilon')),
    clipHigh: (value, arm) =>
      isRelativeCispo(arm)
        ? asRatio('epsilon_high', 1)(value, arm)
        : where((one) => isClipped(one) || isCispo('absolute-above')(one), as('epsilon_high'))(value, arm),
    ratioCap: where(isClipped, (value) => ({ key: 'delta', value: value === 0 ? 'None' : String(value) })),
    sapoPositive: where(({ surrogate }) => surrogate === 'sapo', as('sapo_temperature_pos')),
    sapoNegative: where(({ surrogate }) => surrogate === 'sapo', as('sapo_temperature_neg')),
    surrogate: (value, arm) =>
      value === 'ppo'
        ? trlLossType(arm.aggregation, arm)
        : oneOf('loss_type', { cispo: '"cispo"', sapo: '"sapo"' })(value, arm),
    aggregation: where(isClipped, trlLossType),
    ratioLevel: oneOf('importance_sampling_level', { token: '"token"', sequence: '"sequence"' }),
    advantageScale: where(
      isOutcomeOfGroup,
      oneOf('scale_rewards', { 'group-deviation': '"group"', 'batch-deviation': '"batch"', none: '"none"' }),
    ),
  },
  // One optimiser step for every pass over all groups, as in the lab; max_steps counts optimiser steps.
  shared: ({ batch, updates }, arm) => [
    field('num_generations', batch.groupSize),
    field('per_device_train_batch_size', batch.groupSize),
    field('gradient_accumulation_steps', batch.groups),
    field('max_steps', updates * arm.innerEpochs),
    // Its own default falls to 0 by the end.
    field('lr_scheduler_type', '"constant_with_warmup"'),
  ],
  cautions: [
    'TRL has no world-model loss: it masks observations by `tool_mask`. Override the loss of GRPOTrainer and add λ · (sum of −log-prob ÷ count) over completion_mask · (1 − tool_mask), as OpenEnv’s example does.',
    'policy_loss.py has the policy loss alone and refuses beta and entropy_coef above 0. The configuration names a loss that TRL has itself: only another one needs the file.',
    'The batch is that of one device: on several divide gradient_accumulation_steps by their number.',
  ],
  write: (fields, comments) =>
    [
      ...comments.map((text) => `# ${text}`),
      'from trl import GRPOConfig',
      '',
      'config = GRPOConfig(',
      ...fields.map(({ key, value, note }) => `    ${key}=${value},${note === undefined ? '' : `  # ${note}`}`),
      ')',
      '',
    ].join('\n'),
};

export const TRAINERS: readonly Trainer[] = [verl, rllm, skyrl, primeRl, trl];

/** Fields as TOML with dotted keys, which need no order of tables. */
function writeToml(fields: readonly Field[], comments: readonly string[]): string {
  const lines = fields.map(({ key, value, note }) => `${key} = ${value}${note === undefined ? '' : `  # ${note}`}`);
  return `${[...comments.map((text) => `# ${text}`), '', ...lines].join('\n')}\n`;
}
