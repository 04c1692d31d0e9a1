/**
 * Losses in the form that projects register today, each read in its source: the signature, the mask, the averaging. The
 * printed header has versions and commits, so that a reader can see what has changed since.
 */
import { common, defaults, passed, readsSampler } from './common';
import type { Project, TorchTarget } from './targets';
import { trl } from './trl';
import { verl } from './verl';

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

/** OpenRLHF registers no losses: a class takes the place of its own, and sees the experience of the step. */
const openRlhf: Project = {
  title: 'OpenRLHF',
  source:
    'OpenRLHF/OpenRLHF, commit 3c3be62 of 13 August 2026, openrlhf/models/loss.py and openrlhf/trainer/ray/ppo_actor.py',
  notes: [
    'OpenRLHF registers no losses: put this file beside openrlhf/trainer/ray/ppo_actor.py and, at that file’s end, the line',
    '“from . import <this module>”, so that the actors of Ray load it. Its KL and entropy terms are added where they are on.',
  ],
  inputs: {
    ...common('log_probs'),
    old_logp: 'old_log_probs',
    advantage: 'advantages',
    sampler_logp: 'given(rollout_log_probs, "rollout_log_probs")',
    ref_logp: 'given(self.experience.base_action_log_probs, "base_action_log_probs")',
    value: 'given(self.experience.values, "values")',
    returns: 'given(self.experience.returns, "returns")',
    reward: 'given(self.experience.rewards, "rewards")',
  },
  imports: () => [
    'import openrlhf.trainer.ray.ppo_actor',
    'from openrlhf.models.loss import PolicyLoss, aggregate_loss',
  ],
  wrapper: (name, given, _, reads) => `def given(tensor, name):
    if tensor is None:
        raise ValueError(f"The formula reads {name}, which this step does not have.")
    return tensor


class ${name}(PolicyLoss):
    def forward(
        self,
        log_probs,
        old_log_probs,
        advantages,
        action_mask=None,
        rollout_log_probs=None,
        dp_size=1,
        batch_num_tokens=None,
        global_batch_size=None,
    ):
        own = action_mask.bool()
        losses, shown = token_loss(${given})
        for name, value in shown.items():
            self.experience.info[name] = torch.as_tensor(value, device=losses.device)
${
  readsSampler(reads)
    ? ''
    : `        if self.enable_vllm_is_correction:
            raise ValueError("The correction for decoding is not part of this formula: switch it off.")
`
}        loss = aggregate_loss(
            losses,
            action_mask,
            token_level_loss=self.token_level_loss,
            dp_size=dp_size,
            batch_num_tokens=batch_num_tokens,
            global_batch_size=global_batch_size,
        )
        moved = (old_log_probs - log_probs.detach())[own].sum() / own.sum().clamp(min=1)
        return loss, torch.zeros_like(moved), moved, None


class Trainer(openrlhf.trainer.ray.ppo_actor.ActorPPOTrainer):
    def training_step(self, experience, *args, **kwargs):
        self.actor_loss_fn.experience = experience
        return super().training_step(experience, *args, **kwargs)


openrlhf.trainer.ray.ppo_actor.PolicyLoss = ${name}
openrlhf.trainer.ray.ppo_actor.ActorPPOTrainer = Trainer
`,
};

export const WRAPPERS: Readonly<Record<Exclude<TorchTarget, 'torch'>, Project>> = {
  verl,
  skyrl,
  'prime-rl': primeRl,
  trl,
  openrlhf: openRlhf,
};
