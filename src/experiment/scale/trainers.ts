/**
 * Trainers that have observation cross-entropy beside a policy gradient, and SkyRL and TRL, which lack it. Field names as of
 * November 2026: prime-rl's configs at the commit that is named; SkyRL `skyrl/train/config/config.py`; TRL `grpo_config.py`.
 */
import type { Arm, Experiment } from '../experiment';
import { episodeOf } from './episode';
import {
  as,
  field,
  isCispo,
  isClipped,
  isOutcomeOfGroup,
  isRelativeCispo,
  isSurrogate,
  lossBy,
  oneOf,
  POLICY_LOSS,
  WORLD,
  warmUpInSteps,
  where,
} from './fields';
import { openRlhf } from './openRlhf';
import { skyrl } from './skyrl';
import type { Carry, Field, ForeignTrainer } from './trainer';
import { trlProgram } from './trlProgram';
import { rllm, verl } from './verl';

export type { ForeignTrainer };

const isFormula = isSurrogate('own');
const trajectories = ({ batch }: Experiment): number => batch.groups * batch.groupSize;

/** Writer of a distance from 1 as a ratio, 1 + sign · value, rounded to 12 digits. */
const asRatio =
  (key: string, sign: 1 | -1): Carry =>
  (value) => ({ key, value: String(Number((1 + sign * Number(value)).toPrecision(12))) });

const isPrime = isSurrogate('prime');
const isIpo = isSurrogate('ipo');

/** Tasks that prime-rl goes through again and again, each a seed of the world. */
const MOST_TASKS = 256;

/** The served world as a source of verifiers' task set for OpenEnv. */
function primeSource({ updates, batch }: Experiment): string {
  const seeds = Array.from({ length: Math.min(updates * batch.groups, MOST_TASKS) }, (_, seed) => `{ seed = ${seed} }`);
  const taskset = `{ id = "openenv", base_url = "${WORLD}", resets = [${seeds.join(', ')}] }`;
  const player = '{ harness = { id = "null" }, runtime = { type = "subprocess" } }';
  return `[{ name = "lab", env = { taskset = ${taskset}, player = ${player} } }]`;
}

const primeRl: ForeignTrainer = {
  id: 'prime-rl',
  title: 'prime-rl with its echo algorithm',
  source: 'PrimeIntellect-ai/prime-rl 0.8.1.dev67, commit 559b447 of 21 August 2026, packages/prime-rl-configs',
  extension: 'toml',
  carries: {
    learningRate: as('trainer.optim.lr'),
    weightDecay: as('trainer.optim.weight_decay'),
    beta1: as('trainer.optim.betas1'),
    beta2: as('trainer.optim.betas2'),
    maxGradNorm: as('trainer.optim.max_norm'),
    temperature: as('orchestrator.train.sampling.temperature'),
    surrogate: lossBy('trainer.loss.type', { own: '"custom"', prime: '"default"', ipo: '"ipo"' }),
    clipLow: where(isPrime, as('trainer.loss.dppo_mask_low')),
    clipHigh: (value, arm) =>
      where(isPrime, as('trainer.loss.dppo_mask_high'))(value, arm) ??
      where(isIpo, as('trainer.loss.ipo_threshold'))(value, arm),
    ratioPenalty: where((arm) => isPrime(arm) || isIpo(arm), as('trainer.loss.kl_tau')),
    'ce.observation': where(
      ({ ce }) => ce.observation > 0,
      as(
        'orchestrator.algo.roles.user.alpha',
        'observations of worlds served by OpenEnv’s protocol are messages of the user; the default role, tool, would do nothing there',
      ),
    ),
  },
  shared: (experiment, arm) => [
    field('max_steps', experiment.updates),
    field('orchestrator.batch_size', trajectories(experiment)),
    field('orchestrator.group_size', experiment.batch.groupSize),
    field('orchestrator.algo.type', arm.ce.observation > 0 ? '"echo"' : '"grpo"'),
    field('orchestrator.train.sampling.max_completion_tokens', 256),
    field('orchestrator.train.source', primeSource(experiment)),
    field('deployment', '{ type = "single_node", num_train_gpus = 1, num_infer_gpus = 1 }'),
    field('inference', '{}'),
    field('seq_len', 5120),
    field('trainer.optim.type', '"adamw"'),
    ...(isFormula(arm) ? [field('trainer.loss.import_path', `"${POLICY_LOSS}.${POLICY_LOSS}"`)] : []),
  ],
  cautions: [
    'Check out commit 559b447 of prime-rl, whose names these are, with openenv 0.4.1 or newer beside it: uv pip install "openenv>=0.4.1"',
    `Its tasks are at most ${MOST_TASKS} seeds of the world, gone through again and again, where the lab draws new ones.`,
    'Keep groups of equal rewards: observations of failures are what is learned from.',
    'prime-rl divides actions and predicted tokens each by their own count; its advantage has no standard deviation.',
    'Its policy losses leave tokens out by the change of their probability: of the lab’s surrogates only “prime” and “ipo” bring their bounds.',
  ],
  write: writeToml,
};

/** TRL's `loss_type` of an aggregation: one field names surrogate and aggregation together. */
const trlLossType = oneOf('loss_type', {
  'token-mean': '"dapo"',
  'seq-mean-token-mean': '"grpo"',
  'seq-mean-token-sum-norm': '"dr_grpo"',
});

/** True where TRL's `loss_type` is free for the aggregation: the printed class takes that from it too. */
const isAveragedByName = (arm: Arm): boolean => isClipped(arm) || isFormula(arm);

/** True for a loss of TRL's own, which brings its KL and entropy terms; a formula's class refuses them. */
const isNamedLoss = (arm: Arm): boolean => !isFormula(arm);

const trl: ForeignTrainer = {
  id: 'trl',
  title: 'TRL’s GRPOTrainer',
  source: 'huggingface/trl, grpo_config.py',
  extension: 'py',
  carries: {
    learningRate: as('learning_rate'),
    learningRateWarmUp: warmUpInSteps('warmup_steps'),
    weightDecay: as('weight_decay'),
    beta1: as('adam_beta1'),
    beta2: as('adam_beta2'),
    epsilon: as('adam_epsilon'),
    maxGradNorm: as('max_grad_norm'),
    temperature: as('temperature'),
    topP: as('top_p'),
    innerEpochs: as('num_iterations'),
    klCoefficient: where(isNamedLoss, as('beta')),
    entropyCoefficient: where(isNamedLoss, as('entropy_coef')),
    clipLow: where(isClipped, as('epsilon')),
    clipHigh: (value, arm) =>
      isRelativeCispo(arm)
        ? asRatio('epsilon_high', 1)(value, arm)
        : where((one) => isClipped(one) || isCispo('absolute-above')(one), as('epsilon_high'))(value, arm),
    ratioCap: where(isClipped, (value) => ({ key: 'delta', value: value === 0 ? 'None' : String(value) })),
    sapoPositive: where(isSurrogate('sapo'), as('sapo_temperature_pos')),
    sapoNegative: where(isSurrogate('sapo'), as('sapo_temperature_neg')),
    surrogate: (value, arm) =>
      isAveragedByName(arm)
        ? trlLossType(arm.aggregation, arm)
        : oneOf('loss_type', { cispo: '"cispo"', sapo: '"sapo"' })(value, arm),
    aggregation: where(isAveragedByName, trlLossType),
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
    // The trainer's own default falls to 0 by the end.
    field('lr_scheduler_type', '"constant_with_warmup"'),
    field('use_cpu', 'not torch.accelerator.is_available()'),
    field('bf16', 'torch.cuda.is_available()'),
    field('logging_steps', 1),
    field('report_to', '"none"'),
  ],
  cautions: [
    'TRL has no world-model loss: train.py adds λ · prediction_loss.py over what the world showed, averaged over all of its tokens in the batch, as here.',
    'Warnings are predicted where the arm predicts them, with the weight of observations.',
    'policy_loss.py has the policy loss alone, without KL and entropy bonus. train.py uses it where TRL has no such loss itself.',
    'rollout_func, through which train.py plays, is called experimental by TRL.',
    'The batch is that of one device: on several divide gradient_accumulation_steps by their number.',
    'On a CPU that has other work too, a small model takes a fraction of the time with one thread: OMP_NUM_THREADS=1 python3 train.py MODEL',
  ],
  write: (fields, comments) =>
    [
      ...comments.map((text) => `# ${text}`),
      'import torch',
      'from trl import GRPOConfig',
      '',
      'config = GRPOConfig(',
      ...fields.map(({ key, value, note }) => `    ${key}=${value},${note === undefined ? '' : `  # ${note}`}`),
      ')',
      '',
    ].join('\n'),
  files: (_, arm, isPlain) => [
    ['train.py', trlProgram(arm, !isFormula(arm) ? 'GRPOTrainer' : isPlain ? 'none' : POLICY_LOSS)],
    ['episode.py', episodeOf(arm)],
  ],
};

export const TRAINERS: readonly ForeignTrainer[] = [verl, rllm, skyrl, primeRl, trl, openRlhf];

/** Fields as TOML with dotted keys, which need no order of tables. */
function writeToml(fields: readonly Field[], comments: readonly string[]): string {
  const lines = fields.map(({ key, value, note }) => `${key} = ${value}${note === undefined ? '' : `  # ${note}`}`);
  return `${[...comments.map((text) => `# ${text}`), '', ...lines].join('\n')}\n`;
}
