/**
 * verl, and rLLM, which trains on it. Field names as of verl's commit 8bda422 with verl-recipe's c959181, `echo/run_echo.sh`; rLLM
 * `trainer/config/rllm/base.yaml`.
 */
import type { Arm } from '../experiment';
import { episodeOf } from './episode';
import {
  as,
  betas,
  field,
  isClipped,
  isOutcomeOfGroup,
  isRelativeCispo,
  lossBy,
  oneOf,
  POLICY_LOSS,
  surrogateOf,
  where,
  writeOverrides,
} from './fields';
import type { Carry, Field, ForeignTrainer } from './trainer';
import { AGENT_LOOP, tasksOf } from './verlProgram';

const LOSS_MODE = 'actor_rollout_ref.actor.policy_loss.loss_mode';

const AGGREGATIONS = {
  'token-mean': 'token-mean',
  'seq-mean-token-mean': 'seq-mean-token-mean',
  'seq-mean-token-sum': 'seq-mean-token-sum',
} as const;

const SCALES = { 'group-deviation': 'True', none: 'False' } as const;

const ownLoss = lossBy(LOSS_MODE, { own: POLICY_LOSS });
const VERL_ACTOR: ForeignTrainer['carries'] = {
  learningRate: as('actor_rollout_ref.actor.optim.lr'),
  learningRateWarmUp: as('actor_rollout_ref.actor.optim.lr_warmup_steps'),
  weightDecay: as('actor_rollout_ref.actor.optim.weight_decay'),
  ...betas('actor_rollout_ref.actor.optim.betas', (beta1, beta2) => `'[${beta1},${beta2}]'`),
  maxGradNorm: as('actor_rollout_ref.actor.grad_clip'),
  innerEpochs: as('actor_rollout_ref.actor.ppo_epochs'),
  entropyCoefficient: as('actor_rollout_ref.actor.entropy_coeff'),
  klCoefficient: as('actor_rollout_ref.actor.kl_loss_coef'),
  surrogate: ownLoss,
};

/** Switch of the KL loss. The launchers turn it off at any coefficient, so it is always written. */
const useKlLoss = ({ klCoefficient }: Arm): Field =>
  field('actor_rollout_ref.actor.use_kl_loss', klCoefficient > 0 ? 'True' : 'False');

const VERL_LOSSES: Readonly<Record<string, string>> = {
  ppo: 'vanilla',
  'clip-cov': 'clip_cov',
  'kl-cov': 'kl_cov',
  gmpo: 'geo_mean',
};

/**
 * verl's name of an arm's surrogate; null if none. verl averages GSPO and SAPO by sequence under every loss_agg_mode.
 */
function verlLossOf(arm: Arm): string | null {
  const { aggregation, ratioLevel, ratioReduction, ratioGradient } = arm;
  const surrogate = surrogateOf(arm);
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
  return value === null ? null : { key: LOSS_MODE, value };
};
const inVerl =
  (...losses: readonly string[]) =>
  (arm: Arm) =>
    losses.includes(verlLossOf(arm) ?? '');
const hasVerlBounds = (arm: Arm): boolean => isClipped(arm) || isRelativeCispo(arm);

/** Fields by which verl plays the world through its agent loop, as of echo/run_echo.sh. */
const VERL_RUN: readonly Field[] = [
  field('data.train_files', '"[\'$HERE/train.parquet\']"'),
  field('data.val_files', '"[\'$HERE/train.parquet\']"'),
  field('data.max_prompt_length', '$PROMPT'),
  field('data.max_response_length', '$RESPONSE'),
  field('data.return_raw_chat', 'True'),
  field('actor_rollout_ref.model.path', '"$MODEL"'),
  field('actor_rollout_ref.actor.use_dynamic_bsz', 'True'),
  field('actor_rollout_ref.actor.ppo_max_token_len_per_gpu', '$((PROMPT + RESPONSE))'),
  field('actor_rollout_ref.rollout.name', 'vllm'),
  field('actor_rollout_ref.rollout.mode', 'async'),
  field('actor_rollout_ref.rollout.calculate_log_probs', 'True'),
  field('actor_rollout_ref.rollout.log_prob_use_dynamic_bsz', 'True'),
  field('actor_rollout_ref.rollout.log_prob_max_token_len_per_gpu', '$((PROMPT + RESPONSE))'),
  field('actor_rollout_ref.rollout.multi_turn.enable', 'True'),
  field('actor_rollout_ref.rollout.agent.agent_loop_config_path', '"$HERE/agent_loop.yaml"'),
  field('actor_rollout_ref.rollout.agent.default_agent_loop', 'lab_agent'),
  field('trainer.use_v1', 'True'),
  field('trainer.nnodes', 1),
  field('trainer.n_gpus_per_node', 1),
  field('trainer.logger', `'["console"]'`),
  field('trainer.val_before_train', 'False'),
  field('trainer.test_freq', -1),
];

const VERL_COMMAND = `
# Once, in a folder of its own, from where this file is run then:
#   git clone https://github.com/verl-project/verl.git . && git checkout 8bda42207cc08a947a49587d38315647740b9e14
#   rm -r recipe && git clone https://github.com/verl-project/verl-recipe.git recipe
#   git -C recipe checkout c959181075c6733231b7795435772f3c2972c646
#   pip install -e .[vllm] websockets
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
# A folder or a name that transformers loads, with a chat template.
: "\${MODEL:?Name a model: MODEL=a-folder-or-name bash config.sh}"
# Tokens of the first message, and of all that follows it in an episode; LAB_WORLD is another address of the world.
PROMPT=\${PROMPT:-1024}
RESPONSE=\${RESPONSE:-4096}
export PYTHONPATH="$HERE:.\${PYTHONPATH:+:$PYTHONPATH}"
[ -f "$HERE/train.parquet" ] || python3 "$HERE/tasks.py"
python3 -m recipe.echo.main_ppo`;

export const verl: ForeignTrainer = {
  id: 'verl',
  title: 'verl with its ECHO recipe',
  source: 'verl-project/verl-recipe, echo/',
  extension: 'sh',
  carries: {
    ...VERL_ACTOR,
    temperature: as('actor_rollout_ref.rollout.temperature'),
    topP: as('actor_rollout_ref.rollout.top_p'),
    minibatches: where(
      ({ minibatches }) => minibatches > 1,
      () => field('actor_rollout_ref.actor.shuffle', 'True'),
    ),
    surrogate: (value, arm) => ownLoss(value, arm) ?? verlLoss(value, arm),
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
    field('actor_rollout_ref.actor.ppo_mini_batch_size', Math.ceil(experiment.batch.groups / arm.minibatches)),
    field('actor_rollout_ref.rollout.n', experiment.batch.groupSize),
    field('trainer.total_training_steps', experiment.updates),
    ...VERL_RUN,
  ],
  cautions: [
    `The recipe echo is at commit c959181 of verl-recipe, and needs commit 8bda422 of verl: config.sh says how to check both out.`,
    'It runs in the folder that lab scale writes, with agent_loop.py and tasks.py beside it, for one GPU with vLLM: add what else the hardware needs.',
    'Warnings are predicted where the arm predicts them, with the weight of observations.',
    'The recipe aggregates the observation loss by loss_agg_mode over the tokens its agent loop selects.',
    'verl keeps a lower bound on clip_ratio_c of its own (3) where this file names none.',
  ],
  write: writeOverrides(VERL_COMMAND),
  files: ({ updates, batch }, arm) => [
    ['agent_loop.py', AGENT_LOOP],
    ['agent_loop.yaml', '- name: lab_agent\n  _target_: agent_loop.LabAgentLoop\n'],
    ['episode.py', episodeOf(arm)],
    ['tasks.py', tasksOf(updates * batch.groups)],
  ],
};

export const rllm: ForeignTrainer = {
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
