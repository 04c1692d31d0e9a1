/** Meaning of each rule, and its remedy in verl and in TRL. */
import type { RuleId } from './report';

interface RuleText {
  readonly meaning: string;
  readonly verl: string;
  readonly trl: string;
}

const IDS = 'Keep the ids that the engine sampled; never decode a turn and apply the chat template to its text.';

export const RULE_TEXTS: Readonly<Record<RuleId, RuleText>> = {
  leak: {
    meaning:
      'Tokens that the policy did not sample (prompt, observation, warning) carry policy gradient, by which failures push observed text down, or are in the KL to the reference, which holds the policy to what it knew of the world.',
    verl: 'Give tool tokens 0 in response_mask of the agent loop’s output, and let loss and KL read response_mask, not attention_mask.',
    trl: 'Return env_mask from rollout_func, or let the trainer make tool_mask: 1 for sampled tokens, 0 for the environment’s; the loss multiplies completion_mask by it.',
  },
  template: {
    meaning:
      'Tokens that the chat template writes (headers, ends of other authors’ turns) carry policy gradient, or the template that was given writes others than the batch has.',
    verl: `Give them 0 in response_mask. ${IDS}`,
    trl: `Give them 0 in env_mask. ${IDS}`,
  },
  'untrained-action': {
    meaning: 'Tokens that the policy sampled have no weight in its loss, so that they never learn.',
    verl: 'Look where response_mask is made: a turn found again by its text, or a mask cut at a length, loses tokens. What rejection sampling (rollout_rs) leaves out is told here too: response_mask no longer has it.',
    trl: 'Look at completion_mask × tool_mask: a mask found again by the chat template’s text loses tokens.',
  },
  'untrained-stop': {
    meaning:
      'The token that ends a turn is sampled but has no weight: the policy never learns to stop, and turns grow longer.',
    verl: 'Let response_mask include the end-of-turn token that the engine gave; the agent loop must not strip it.',
    trl: 'Let the tokenizer’s eos_token be the one that ends a turn (generation_kwargs: eos_token_id), or append it with its log-prob in rollout_func.',
  },
  shift: {
    meaning: 'A mask or log-probs stand one token beside where they belong: the logits at a token score the next one.',
    verl: 'Cut scores as logits[:, -response_length - 1 : -1], and build masks from target tokens.',
    trl: 'Drop the last logit, not the first, before gathering log-probs; masks are those of target tokens.',
  },
  retokenised: {
    meaning:
      'A turn was decoded and tokenised again, to other ids than were sampled: mask and log-probs belong to text that was not.',
    verl: `${IDS} Append only the new messages’ tokens to the agent loop’s ids.`,
    trl: `${IDS} Return completion_ids and logprobs of the whole episode from rollout_func.`,
  },
  mismatch: {
    meaning:
      'The rollout engine and the trainer give the same tokens other probabilities, so that training is off-policy unseen.',
    verl: 'Set actor_rollout_ref.rollout.calculate_log_probs=True and correct the ratio: algorithm.rollout_correction.rollout_is=token, rollout_is_threshold=2.0. Compare precision and weights of the two.',
    trl: 'Leave vllm_importance_sampling_correction=True; compare the precision of vLLM and of the model in training.',
  },
  'advantage-varies': {
    meaning:
      'Advantages differ within a turn although no critic is there: a batch was gathered, padded or broadcast wrongly, or the KL of what came back is in the returns. Rewards by token (process rewards) make them differ on purpose; so does a KL penalty, which is seen where reference log-probs are there.',
    verl: 'GRPO and RLOO give an episode one advantage: look at what is done to advantages after compute_advantage. Multiply KL by response_mask before returns are summed up.',
    trl: 'Advantages have one value an episode: look at what your loss does before it multiplies.',
  },
  'silent-group': {
    meaning:
      'All trajectories of a prompt have the same reward, so that their advantages are 0 and the group teaches nothing.',
    verl: 'Filter and sample again (algorithm.filter_groups.enable=True, as DAPO does), or choose prompts that are sometimes solved.',
    trl: 'Watch frac_reward_zero_std; choose prompts that are sometimes solved, or raise num_generations.',
  },
  truncated: {
    meaning:
      'Episodes that were cut off are trained as if they had ended: their reward says nothing of how they would have.',
    verl: 'Raise data.max_response_length, shape the reward (reward_model.overlong_buffer), or give their response_mask 0.',
    trl: 'Set mask_truncated_completions=True, or raise max_completion_length.',
  },
  duplicate: {
    meaning:
      'The same prompt with the same response is in the batch more than once: counted twice, or sampled with one seed.',
    verl: 'Look at seeds and temperature of the rollout, and at batches that are repeated or padded to a size.',
    trl: 'Look at temperature and seeds of the generation, and at what is written twice by several processes.',
  },
  'non-finite': {
    meaning: 'A number is NaN, infinite or beyond single precision; one of them in a loss makes all weights NaN.',
    verl: 'Find the first step that has one; look at rewards, at groups of one (std 0) and at log-probs of −∞.',
    trl: 'Look at reward functions that return NaN or None, and at log-probs of −∞ under top-k or top-p.',
  },
  dominated: {
    meaning: 'A few episodes carry half of the gradient by log-probs, so that a step learns from them alone.',
    verl: 'Compare actor_rollout_ref.actor.loss_agg_mode: token-mean favours long episodes, seq-mean-token-mean weighs all alike.',
    trl: 'Compare loss_type: dapo favours long completions, grpo weighs all alike, dr_grpo divides by a constant.',
  },
};
