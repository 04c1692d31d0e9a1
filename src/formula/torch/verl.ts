/** verl's loss of the policy by the name that it registers, and by the place of its own loss, which sees the whole batch. */
import type { InputName } from '../vocabulary';
import { common, readsSampler } from './common';
import type { Project } from './targets';

/** Fields of verl's batch. */
const VERL_FIELDS: Partial<Readonly<Record<InputName | 'group', string>>> = {
  old_logp: 'old_log_probs',
  sampler_logp: 'rollout_log_probs',
  ref_logp: 'ref_log_prob',
  advantage: 'advantages',
  returns: 'returns',
  value: 'values',
  turn_reward: 'token_level_rewards',
  reward: 'token_level_scores',
};

const VERL = 'verl-project/verl 0.10.0.dev, commit 1dda039 of 22 August 2026';

/** verl's own loss of the actor sees the batch, so that what is put in its place does. */
const verlOuter: Project = {
  title: 'verl',
  source: `${VERL}, verl/workers/utils/losses.py`,
  isWhole: true,
  notes: [
    'Put this file on the path and name its module in VERL_USE_EXTERNAL_MODULES for every process: it takes the place of ppo_loss',
    'before the workers import it. What the batch does not have is named when it runs: values need a critic, ref_log_prob a reference,',
    'rollout_log_probs actor_rollout_ref.rollout.calculate_log_probs. KL and entropy terms of the configuration are not added.',
  ],
  inputs: {
    ...common('logp'),
    ...Object.fromEntries(Object.entries(VERL_FIELDS).map(([name, field]) => [name, `padded["${field}"]`])),
    entropy: 'entropy',
    group: 'group',
    turn_reward: 'turn_sums(padded["token_level_rewards"], own)',
    reward: 'padded["token_level_scores"].sum(-1)',
  },
  imports: () => [
    'import verl.workers.utils.losses',
    'from verl.trainer.ppo.core_algos import agg_loss',
    'from verl.workers.utils.padding import no_padding_2_padding',
  ],
  wrapper: (name, given, { takes, compares }, reads) => {
    const fields = [...reads].flatMap((read) => VERL_FIELDS[read] ?? []);
    const corrects = !readsSampler(reads);
    return `def ${name}(config, model_output, data, dp_group=None):
    needed = [${fields.map((field) => `"${field}"`).join(', ')}]
    missing = [field for field in needed${takes.includes('group') ? ' + ["uid"]' : ''} if field not in data]
    if missing:
        raise ValueError(f"The formula reads what this batch does not have: {missing}.")
${
  compares
    ? `    if len(data["response_mask"]) != data["global_batch_size"]:
        raise ValueError("The formula compares trajectories of a batch: give one GPU the whole mini-batch as one micro-batch.")
`
    : ''
}    logp = no_padding_2_padding(model_output["log_probs"], data)
${reads.has('entropy') ? '    entropy = no_padding_2_padding(model_output["entropy"], data)\n' : ''}${
  takes.includes('group')
    ? `    uids = list(data["uid"])
    group = torch.tensor([uids.index(uid) for uid in uids], device=logp.device)
`
    : ''
}${corrects ? '    needed += ["rollout_is_weights"] if "rollout_is_weights" in data else []\n' : ''}    padded = data.select("response_mask", *needed).to_padded_tensor()
    own = padded["response_mask"].bool()
    losses, shown = token_loss(${given})
${corrects ? '    if "rollout_is_weights" in needed:\n        losses = losses * padded["rollout_is_weights"]\n' : ''}    sizes = {key: data[key] for key in ("dp_size", "batch_num_tokens", "global_batch_size")}
    loss = agg_loss(
        loss_mat=losses,
        loss_mask=own,
        loss_agg_mode=config.loss_agg_mode,
        loss_scale_factor=config.loss_scale_factor,
        **sizes,
    )
    return loss, {f"actor/{name}": float(value) for name, value in shown.items()}


verl.workers.utils.losses.ppo_loss = ${name}
`;
  },
};

export const verl: Project = {
  title: 'verl',
  source: `${VERL}, verl/trainer/ppo/core_algos.py`,
  notes: [
    'Put this file on the path, name its module in VERL_USE_EXTERNAL_MODULES for every process, and set',
    'actor_rollout_ref.actor.policy_loss.loss_mode to the name below. verl averages by loss_agg_mode, multiplies by its',
    'correction for decoding where one is on, and adds its own KL and entropy terms where they are on.',
  ],
  inputs: { ...common('log_prob'), old_logp: 'old_log_prob', advantage: 'advantages' },
  imports: () => ['from verl.trainer.ppo.core_algos import agg_loss, register_policy_loss'],
  outer: verlOuter,
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
