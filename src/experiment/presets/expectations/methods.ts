/** Expectations of methods: rewards, credit, what an update trains, imitation, replay. */
export const methods: Readonly<Record<string, string>> = {
  'tool-rewards':
    'A question, not a claim: nothing was measured yet. A call is put together freely and can be wrong in form. ToRL ' +
    '(arXiv 2503.23383) pays 1 for a right answer and −1 for a wrong one, and tried 0.5 less where code does not run; ' +
    'ToolRL (arXiv 2504.13958) pays form with 0 or 1 and correctness from −3 to 3, by name, arguments and values of ' +
    'each call: here it is the answer that is right or wrong. The price is paid the other way round, as 0.5 for a ' +
    'trajectory without a malformed turn, which is the same within a group. Watch warned turns, tool calls and success.',
  'similarity-reward':
    'One line of three words has to be written to /answer without a given word. Right or wrong pays 1 or 0; SWE-RL ' +
    '(arXiv 2502.18449) pays the similarity to the right answer, −1 where there is none. Both arms begin by imitating. ' +
    'A file copied whole is worth up to 0.8 here, so that lines that are nearly right may be found instead. Would more ' +
    'words to keep, or a partial credit that grows faster near the end, make similarity pay? Nothing was searched, and ' +
    'nothing is recorded.',
  'credit-short':
    'In the recorded run of four seeds, whose range stands in brackets, the area under the success curve was 0.18 ' +
    '(0.16 to 0.20) for GRPO, 0.17 (0.16 to 0.19) for GiGPO, 0.18 (0.16 to 0.21) for PPO and 0.15 (0.14 to 0.17) for ' +
    'VAPO. VAPO’s policy waits 20 updates for its critic. Eight turns leave little time to learn in 150 updates. ' +
    'Nothing was searched; 12 and 24 turns are asked for under Findings.',
  'credit-long':
    'In a gridworld a state is its cell, which favours comparing states; the critic shares the policy’s small network. ' +
    'Does a longer run, a larger batch or another rate turn the order round? Nothing was searched, and nothing is ' +
    'recorded.',
  'credit-tree':
    'One tree by history and one by observation, beside GRPO and GiGPO. Eight rollouts share no more than the first ' +
    'few turns of their histories. Do larger groups, in which they share more, turn the order round? Nothing was ' +
    'searched, and nothing is recorded.',
  'information-gain':
    'In the recorded run of four seeds, whose range stands in brackets, the area under the success curve was 0.49 ' +
    '(0.46 to 0.54) for GRPO, 0.42 (0.38 to 0.46) for IGPO, 0.46 (0.43 to 0.49) with last turns apart, and 0.51 (0.48 ' +
    'to 0.52) with turns compared and nothing paid for gain. Watch the turns: a policy that knows the corpus by heart ' +
    'answers in one, and what a search tells then makes the answer no likelier, for it never learned to read it. Would ' +
    'one that begins by imitating a searcher be paid for it? Nothing was searched.',
  'world-model-in-turn':
    'In the recorded run of four seeds, whose range stands in brackets, the area under the success curve was 0.19 ' +
    '(0.16 to 0.25) for the action mask, 0.24 (0.20 to 0.28) mixed and 0.18 (0.16 to 0.19) in turn. In turn each loss ' +
    'has half of the updates. Would twice the updates, or another λ, tell something else? Nothing was searched.',
  'lambda-by-success':
    'In the recorded run of four seeds, whose range stands in brackets, the area under the success curve was 0.19 ' +
    '(0.16 to 0.25) for the action mask, 0.24 (0.20 to 0.28) with λ held, 0.22 (0.20 to 0.26) by success and 0.26 ' +
    '(0.21 to 0.29) by update. The factor is a curve under Training (“factor”); by update λ is 0 from update 100 on, ' +
    'and what is foreseen may be forgotten: watch the cross-entropy of observations. Would a longer run, or another λ, ' +
    'tell the arms apart? PaW (arXiv 2606.02388) balances by the reward of each group; this is the same thought over a ' +
    'whole run. Nothing was searched.',
  'inverse-dynamics':
    'In the recorded run of four seeds, whose range stands in brackets, the area under the success curve was 0.19 ' +
    '(0.16 to 0.25) for the action mask, 0.24 (0.20 to 0.28) with prediction, 0.16 (0.14 to 0.20) with inverse ' +
    'dynamics and 0.19 (0.17 to 0.20) with both. With η = 1 watch whether the action comes to be read off: a guess ' +
    'among four moves has 1.4 nats. Both losses share the weights, so that each may cost the other. Would a longer ' +
    'run, or a world whose controls are hidden, tell something else? Nothing was searched.',
  exploration:
    'In the recorded run of four seeds, whose range stands in brackets, the area under the success curve was 0.19 ' +
    '(0.16 to 0.25) as the policy says, 0.19 (0.18 to 0.20) with ε, 0.20 (0.18 to 0.23) hot and 0.19 (0.17 to 0.22) ' +
    'with top-p. A policy that knows nothing finds this goal in one episode in eight, so little is rare about it. ' +
    'Would a larger grid or a longer run tell the arms apart? Nothing was searched.',
  actobs:
    'Between its 60 supervised steps pass@1, pass@16, entropy, KL to the start and the gradients of actions and ' +
    'observations are measured: curves under Training. What of it is left after 100 updates of reinforcement is the ' +
    'question, and whether one success or one in sixteen tells. Nothing was searched, and nothing is recorded.',
  hindsight:
    'Half of the failures told again, all of them, and all of them with importance weights, beside an action mask and ' +
    'a world model. Where a whole group is told again its rewards are equal and teach nothing, so more need not be ' +
    'better. The shop has hindsight, too. Nothing was searched, and nothing is recorded.',
  'replay-of-successes':
    'In the recorded run of four seeds, whose range stands in brackets, the area under the success curve was 0.19 ' +
    '(0.16 to 0.25) with fresh episodes alone, 0.38 (0.27 to 0.45) with successes imitated besides, 0.32 (0.26 to ' +
    '0.39) with successes trained again and 0.45 (0.41 to 0.52) where half of each update is imitated and nothing else ' +
    'is learned. Successes are imitated besides, trained again by the policy gradient, or imitated as half of each ' +
    'update with nothing else learned. What is replayed comes from policies of some updates ago. Would another ' +
    'learning rate, or a longer run, let fresh episodes catch up? Nothing was searched.',
  'self-distillation':
    'SDPO (arXiv 2601.20802) asks it of language models, which can read; this policy begins with random weights. In ' +
    'the recorded run of four seeds, whose range stands in brackets, the area under the success curve was 0.19 (0.16 ' +
    'to 0.25) for the action mask, 0.16 (0.15 to 0.17) with the told self as a teacher beside it, 0.14 (0.13 to 0.14) ' +
    'with that teacher alone and 0.18 (0.15 to 0.24) held to the reference. Nothing teaches this policy what a success ' +
    'before its attempt means, so its told self need not know more than it does: watch whether both come to agree ' +
    'where neither says anything. That arm keeps the entropy bonus; without it, in a run of the same seeds, the policy ' +
    'learned as well to say the same whether it is told or not (Jensen–Shannon from 4e-4 to 2e-3 nats at first, 1e-6 ' +
    'to 4e-6 at last), at the success of a random policy. Would a policy that has learned to read, or a longer ' +
    'context, make a teacher of itself? Nothing was searched.',
};
