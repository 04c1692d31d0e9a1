/** TRL's trainer with the loss of a formula in the place of its own. */
import type { InputName } from '../vocabulary';
import { common, readsSampler } from './common';
import type { Project } from './targets';

/** Settings of TRL with which a step does not see the whole batch. */
const TRL_WHOLE = [
  '"steps_per_generation (trajectories are compared, all in one step)": self.args.steps_per_generation != 1,',
  '"gradient_accumulation_steps (trajectories are compared, all in one step)": self.args.gradient_accumulation_steps != 1,',
  '"number of processes (trajectories are compared, all in one)": self.accelerator.num_processes != 1,',
];

/** Methods that keep each trajectory's reward and the group that it is compared in. */
const TRL_REWARDS = `
    def _calculate_rewards(self, *args):
        found = super()._calculate_rewards(*args)
        self.rewards_found = (found * self.reward_weights.to(found.device)).nansum(dim=1)
        return found

    def _generate_and_score_completions(self, inputs):
        output = super()._generate_and_score_completions(inputs)
        generations = self.num_generations if self.model.training else self.num_generations_eval
        count = len(output["advantages"])
        first = self.accelerator.process_index * count
        output["reward"] = self.rewards_found[first : first + count]
        output["group"] = torch.arange(first, first + count, device=self.rewards_found.device) // generations
        return output
`;

const trlWrapper: Project['wrapper'] = (name, given, { compares }, reads) => `class ${name}(GRPOTrainer):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        refused = {
            "use_liger_kernel": self.use_liger_kernel,
            "router_aux_loss_coef": self.aux_loss_enabled,
            "top_entropy_quantile": self.top_entropy_quantile < 1,
            "off_policy_mask_threshold": self.off_policy_mask_threshold is not None,
            "loss_type": self.loss_type not in ("dapo", "grpo", "dr_grpo"),
${[...trlNeeds(reads), ...(compares === undefined ? [] : TRL_WHOLE)].map((line) => `            ${line}`).join('\n')}
        }
        for setting, is_refused in refused.items():
            if is_refused:
                raise ValueError(f"This loss does not go with that {setting}.")
${compares === undefined && !reads.has('reward') ? '' : TRL_REWARDS}
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
`;

export const trl: Project = {
  title: 'TRL',
  isWhole: true,
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
    reward: 'inputs["reward"]',
    group: 'inputs["group"]',
    advantage: 'advantages',
  },
  imports: () => ['from trl import GRPOTrainer'],
  wrapper: trlWrapper,
};

/** Settings without which TRL does not hand over an input, or adds terms that the formula lacks. */
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
