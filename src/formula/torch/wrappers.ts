/**
 * Losses as the projects register them today, each read in its source: the signature, the mask, who averages. Versions and commits
 * stand in the printed header, so that a reader can see what has changed since.
 */
import type { InputName } from '../vocabulary';
import type { Project, TorchTarget } from './targets';
import type { TokenLoss } from './tokenLoss';

/** Inputs that all of them have: their own tokens are the policy's. */
const common = (logp: string): Project['inputs'] => ({
  logp,
  is_action: `torch.ones_like(${logp})`,
  is_thought: `torch.zeros_like(${logp})`,
  is_observation: `torch.zeros_like(${logp})`,
  turn: 'turns_of(own)',
  turns: `(turns_of(own).amax(-1) + 1).to(${logp}.dtype)`,
});

/** Keyword arguments of token_loss that carry the parameters on. */
const passed = ({ parameters }: TokenLoss): string => parameters.map(({ name }) => `, ${name}=${name}`).join('');

const defaults = ({ parameters }: TokenLoss): string =>
  parameters.map(({ name, parameter }) => `, ${name}=${parameter.default}`).join('');

const readsSampler = (reads: ReadonlySet<InputName>): boolean => reads.has('sampler_logp');

const verl: Project = {
  title: 'verl',
  source: 'verl-project/verl 0.10.0.dev, commit 1dda039 of 22 August 2026, verl/trainer/ppo/core_algos.py',
  notes: [
    'Put this file on the path, name its module in VERL_USE_EXTERNAL_MODULES for every process, and set',
    'actor_rollout_ref.actor.policy_loss.loss_mode to the name below. verl averages by loss_agg_mode, multiplies by its',
    'correction for decoding where one is on, and adds its own KL and entropy terms where they are on.',
  ],
  inputs: { ...common('log_prob'), old_logp: 'old_log_prob', advantage: 'advantages' },
  imports: () => ['from verl.trainer.ppo.core_algos import agg_loss, register_policy_loss'],
  wrapper: (name, given) => `@register_policy_loss("${name}")
def ${name}(
    old_log_prob,
    log_prob,
    advantages,
    response_mask,
    loss_agg_mode="token-mean",
    config=None,
    rollout_is_weights=None,
):
    own = response_mask.bool()
    losses, shown = token_loss(${given})
    if rollout_is_weights is not None:
        losses = losses * rollout_is_weights
    loss = agg_loss(loss_mat=losses, loss_mask=response_mask, loss_agg_mode=loss_agg_mode, **config.global_batch_info)
    return loss, {f"actor/{name}": float(value) for name, value in shown.items()}
`,
};

const skyrl: Project = {
  title: 'SkyRL',
  source: 'NovaSky-AI/SkyRL, commit a956457 of 21 August 2026, skyrl/backends/skyrl_train/utils/ppo_utils.py',
  notes: [
    'Import this file before the trainer is built and set trainer.algorithm.policy_loss_type to the name below. SkyRL has',
    'scaled the advantages by trainer.algorithm.loss_reduction already, so that the losses are summed here and not averaged;',
    'what is shown reads those scaled advantages.',
  ],
  inputs: {
    ...common('log_probs'),
    old_logp: 'old_log_probs',
    advantage: 'advantages',
    sampler_logp: 'rollout_logprobs',
  },
  imports: (reads) => [
    ...(readsSampler(reads)
      ? []
      : ['from skyrl.backends.skyrl_train.utils.off_policy_correction_utils import apply_off_policy_correction']),
    'from skyrl.backends.skyrl_train.utils.ppo_utils import register_policy_loss',
  ],
  wrapper: (name, given, _, reads) => `@register_policy_loss("${name}")
def ${name}(log_probs, old_log_probs, advantages, config, loss_mask=None, rollout_logprobs=None):
    mask = torch.ones_like(log_probs) if loss_mask is None else loss_mask
    own = mask > 0
    losses, shown = token_loss(${given})
    metrics = {name: float(value) for name, value in shown.items()}
${
  readsSampler(reads)
    ? '    # The text corrects for decoding itself.'
    : `    losses, mask, corrected = apply_off_policy_correction(
        losses, old_log_probs, rollout_logprobs, mask, config.off_policy_correction
    )
    metrics.update(corrected)`
}
    return (losses * mask).sum(), metrics
`,
};

const primeRl: Project = {
  title: 'prime-rl',
  source: 'PrimeIntellect-ai/prime-rl 0.8.1.dev67, commit 559b447 of 21 August 2026, src/prime_rl/trainer/rl/loss.py',
  notes: [
    'In the trainer’s configuration: [trainer.loss] type = "custom" and import_path = "<this module>.<the name below>";',
    'parameters go into [trainer.loss.kwargs]. The function sees one sequence; prime-rl divides by the tokens of all.',
    'There is no policy before the update: old_logp is what decoding recorded, as in prime-rl’s own losses.',
  ],
  inputs: {
    ...common('logp'),
    old_logp: 'inputs.inference_logprobs.unsqueeze(0)',
    sampler_logp: 'inputs.inference_logprobs.unsqueeze(0)',
    ref_logp: 'inputs.ref_logprobs.unsqueeze(0)',
    advantage: 'inputs.advantages.unsqueeze(0)',
    position: 'torch.arange(logp.shape[-1], device=logp.device, dtype=logp.dtype).unsqueeze(0)',
  },
  imports: () => ['from prime_rl.trainer.rl.loss import LossInputs, LossOutputs'],
  wrapper: (name, given, loss, reads) => `def ${name}(inputs: LossInputs${defaults(loss)}) -> LossOutputs:
${reads.has('ref_logp') ? '    if inputs.ref_logprobs is None:\n        raise ValueError("The formula reads ref_logp: choose an algorithm that scores with a reference.")\n' : ''}    own = inputs.loss_mask.unsqueeze(0)
    logp = inputs.trainer_logprobs.unsqueeze(0)
    losses, shown = token_loss(${given}${passed(loss)})
    if inputs.loss_weights is not None:
        losses = losses * inputs.loss_weights
    metrics = {name: torch.as_tensor(value, device=logp.device) for name, value in shown.items()}
    return LossOutputs(loss=losses.sum(), metrics=metrics)
`,
};

const trl: Project = {
  title: 'TRL',
  source: 'huggingface/trl 1.10.0.dev0, commit f2cd577 of 24 July 2026, trl/trainer/grpo_trainer.py',
  notes: [
    'Use the class below in the place of GRPOTrainer, for models that read text alone. It averages as loss_type "dapo",',
    '"grpo" or "dr_grpo" does, and has the formula’s terms only: what else the configuration asks for is refused.',
  ],
  inputs: {
    ...common('logp'),
    entropy: 'entropy',
    old_logp: 'old_logp',
    sampler_logp: 'inputs["sampling_per_token_logps"]',
    ref_logp: 'inputs["ref_per_token_logps"]',
    advantage: 'advantages',
  },
  imports: () => ['from trl import GRPOTrainer'],
  wrapper: (name, given, _, reads) => `class ${name}(GRPOTrainer):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        refused = {
            "use_liger_kernel": self.use_liger_kernel,
            "router_aux_loss_coef": self.aux_loss_enabled,
            "top_entropy_quantile": self.top_entropy_quantile < 1,
            "off_policy_mask_threshold": self.off_policy_mask_threshold is not None,
            "loss_type": self.loss_type not in ("dapo", "grpo", "dr_grpo"),
${trlNeeds(reads)
  .map((line) => `            ${line}`)
  .join('\n')}
        }
        for setting, is_refused in refused.items():
            if is_refused:
                raise ValueError(f"This loss does not go with that {setting}.")

    def _compute_loss(self, model, inputs):
        completion = inputs["completion_mask"]
        own = (completion * inputs["tool_mask"] if "tool_mask" in inputs else completion).bool()
        logp, ${reads.has('entropy') ? 'entropy' : '_'}, _ = self._get_per_token_logps_and_entropies(
            model,
            torch.cat([inputs["prompt_ids"], inputs["completion_ids"]], dim=1),
            torch.cat([inputs["prompt_mask"], completion], dim=1),
            completion.size(1),
            compute_entropy=${reads.has('entropy') ? 'True' : 'False'},
        )
${[
  reads.has('old_logp')
    ? '        old_logp = inputs.get("old_per_token_logps")\n        old_logp = logp.detach() if old_logp is None else old_logp\n'
    : '',
  reads.has('advantage')
    ? '        advantages = inputs["advantages"]\n        advantages = advantages.unsqueeze(1).expand_as(logp) if advantages.dim() == 1 else advantages\n'
    : '',
].join('')}        losses, shown = token_loss(${given})
${
  readsSampler(reads)
    ? ''
    : `        if "importance_sampling_ratio" in inputs:
            losses = losses * inputs["importance_sampling_ratio"]
`
}        mode = "train" if self.model.training else "eval"
        for name, value in shown.items():
            self._metrics[mode][name].append(float(value))
        if self.loss_type == "dapo":
            return losses.sum() / (inputs["num_items_in_batch"].clamp(min=1) / self.accelerator.num_processes)
        if self.loss_type == "grpo":
            loss = (losses.sum(-1) / own.sum(-1).clamp(min=1)).mean()
        else:
            loss = losses.sum() / (len(own) * self.max_completion_length)
        return loss / (self.current_gradient_accumulation_steps if mode == "train" else 1)
`,
};

/** Settings without which TRL does not hand over what is read, or adds what is not part of the formula. */
function trlNeeds(reads: ReadonlySet<InputName>): readonly string[] {
  return [
    reads.has('ref_logp')
      ? '"beta (any but 0, or there is no reference)": self.beta == 0,'
      : '"beta (its KL term is not part of the formula)": self.beta != 0,',
    reads.has('entropy')
      ? '"entropy_coef (any but 0, or the entropy has no derivative)": not self._entropy_bonus_enabled,'
      : '"entropy_coef (its term is not part of the formula)": self._entropy_bonus_enabled,',
    ...(readsSampler(reads) ? ['"use_vllm (the text reads what decoding recorded)": not self.use_vllm,'] : []),
  ];
}

export const WRAPPERS: Readonly<Record<Exclude<TorchTarget, 'torch'>, Project>> = {
  verl,
  skyrl,
  'prime-rl': primeRl,
  trl,
};
