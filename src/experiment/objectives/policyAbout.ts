/** Source, reason and caveat of each objective in policy.ts. */
import { about, type ObjectiveAbout } from './preset';

/** Caveat of surrogates without a ratio. */
const ONE_STEP = 'There is no ratio that corrects further steps on a batch: set inner epochs to 1.';

export const POLICY_ABOUT = {
  lab: about(
    'made for this lab',
    'What every arm begins with: group advantages, PPO’s clip, a mean over all action tokens and a small entropy bonus.',
    '',
  ),
  grpo: about(
    'arXiv 2402.03300',
    'The group’s mean and deviation stand in for a critic; each trajectory counts alike, however long.',
    'The paper’s KL weight is 0.04; verl averages over tokens and takes 0.001, TRL takes none.',
  ),
  'dr-grpo': about(
    'arXiv 2503.20783',
    'Takes out what favours long wrong answers and easy or hard tasks: no division by length or deviation.',
    'The fixed length is the longest trajectory there is room for.',
  ),
  dapo: about(
    'arXiv 2503.14476',
    'Clips higher above than below, averages over tokens, and leaves out groups that all fail or all succeed.',
    'Groups left out are not drawn again, and there is no penalty for overlong answers.',
  ),
  gspo: about(
    'arXiv 2507.18071',
    'One ratio for the whole trajectory, as the reward is one for the whole trajectory, and a very narrow clip.',
    'Differs from GRPO only from the second inner step on; TRL differentiates the shared ratio, verl does not.',
  ),
  luspo: about(
    'arXiv 2602.05261',
    'GSPO without its leaning to short answers: each trajectory’s loss is multiplied by its length.',
    'The paper’s clip as TRL gives it, through the shared ratio; differs from a plain sum only from the second inner step on.',
  ),
  'turn-ratio': about(
    'arXiv 2511.20718',
    'One ratio for each turn: neither single tokens nor whole trajectories, but what the agent decides at once.',
    'Group advantages here; the paper has a critic and also normalises by what was clipped. With one-token turns it equals a ratio by token.',
  ),
  cispo: about(
    'arXiv 2506.13585',
    'Bounds the weight of a token instead of dropping its gradient, so rare decisive tokens keep learning.',
    'ScaleRL’s bound of 5 as TRL applies it; verl bounds on both sides of 1.',
  ),
  rloo: about(
    'arXiv 2402.14740',
    'Plain REINFORCE, whose baseline is the mean of the group’s other trajectories: unbiased and simple.',
    `KL 0.03 is taken from the reward, as in the paper; TRL clips a ratio of the whole trajectory. ${ONE_STEP}`,
  ),
  gdpo: about(
    'arXiv 2601.05242',
    'Normalises every part of the reward within its group before adding them, so that none drowns the others.',
    'Tells from GRPO once the reward has several parts: give them weights under Reward. Whitened over tokens as in verl.',
  ),
  'reinforce-pp': about(
    'arXiv 2501.03262',
    'No critic and no groups: returns are whitened over the whole batch.',
    'OpenRLHF’s KL weight of 0.01 in the reward.',
  ),
  'reinforce-pp-baseline': about(
    'arXiv 2501.03262',
    'The group’s mean as the baseline, the whole batch’s deviation as the scale.',
    'Without the k2 penalty OpenRLHF adds.',
  ),
  remax: about(
    'arXiv 2310.10505',
    'REINFORCE whose baseline is what the policy earns when it always takes its likeliest action.',
    `One greedy trajectory a task is played besides the batch; no KL is taken from the reward. ${ONE_STEP}`,
  ),
  ppo: about(
    'arXiv 1707.06347',
    'A critic values every state, so credit is given token by token; works without groups.',
    'Agent settings, γ = λ = 1; the critic shares the policy’s network, where peers train a second one.',
  ),
  vapo: about(
    'arXiv 2504.05118',
    'PPO for long trajectories: λ grows with length, the critic learns from whole returns, and the clip is wider above.',
    'The paper’s α = 0.05 suits thousands of tokens; for short episodes here it is 5 (λ is 0.95 at 4 tokens, 0.99 at 20). Without value pre-training and imitation of successes.',
  ),
  'vapo-whole': about(
    'arXiv 2504.05118',
    'PPO for long trajectories, whole: the critic learns first, successes are imitated a little, and λ grows with length.',
    'For short episodes α is 5. The critic alone trains for 20 updates (paper: about 50, with its own network). For several steps a batch, set minibatches or inner epochs.',
  ),
  maxrl: about(
    'arXiv 2602.02710',
    'Divides by the mean instead of the deviation, so hard tasks count the more, towards maximum likelihood of success.',
    'The paper has no ε; 1e-8 here.',
  ),
  gigpo: about(
    'arXiv 2505.10978',
    'Also compares turns that began in the same state within a group: credit by the step, still without a critic.',
    'A state is found again by an equal last observation: where that does not tell the whole state, unlike states count as one. Of the sizes of such groups the mean and the share of one are drawn, not a histogram.',
  ),
  rtmc: about(
    'arXiv 2604.11037',
    'Takes the rollouts of a task as a tree: a step is worth how much better the rollouts did that took it than all that stood there.',
    'A node is the same history of observations and actions, thoughts left out, or the same last observation; the paper tells states by a signature of which files were touched and how. Its optional division by the steps’ deviation is left out: it makes much of a discount where all rollouts agree.',
  ),
  igpo: about(
    'arXiv 2510.14967',
    'Compares the reward of each turn with those of all turns of the group, and lets a turn have what follows it too.',
    'What pays the turns before the last is a setting of the reward, the weight of information gain; without it they are paid by what the world gives. Every turn counts as one, also one that is paid 0, which the code leaves out of mean and deviation.',
  ),
  opo: about(
    'arXiv 2505.23585',
    'The baseline of least variance where gradients grow with length: scores averaged by length.',
    'The paper is strictly on-policy: set inner epochs to 1.',
  ),
  gpg: about(
    'arXiv 2504.02546',
    'REINFORCE on centred scores, made up for the trajectories that teach nothing.',
    ONE_STEP,
  ),
  'pass-at-k': about(
    'arXiv 2503.19595',
    'Only the best of a group is pushed, by its lead over the second: rewards finding something at all.',
    'verl’s form of it.',
  ),
  otb: about(
    'verl',
    'A baseline for each position that minimises the variance of the gradient, from how uncertain the tokens were.',
    'As verl computes it, without the lone longest trajectory’s tail.',
  ),
  erpo: about(
    'arXiv 2512.22857',
    'AutoForge’s normalisation: the group’s mean, but the deviation of all trajectories of an environment, which is less noisy.',
    'The worlds of a mixture have a deviation each; elsewhere it is the batch’s. Trajectories spoiled by a simulated user do not occur here.',
  ),
  agentrl: about(
    'arXiv 2510.04206',
    'Normalises over all action tokens of a task, so that tasks of unlike difficulty share one batch.',
    'The normalisation alone: turns of a stale copy of the policy are settings beside it, “Staleness” and “The stale policy plays”.',
  ),
  'bilevel-gae': about(
    'arXiv 2504.20073',
    'GAE from turn to turn, then within a turn: credit follows the turns of an agent.',
    'RAGEN’s discount of 0.95 between turns and entropy bonus of 0.001.',
  ),
  sapo: about(
    'arXiv 2511.20347',
    'A smooth gate in place of the clip; it closes a little faster where the advantage is negative.',
    'The same as GRPO on the first inner step.',
  ),
  gmpo: about(
    'arXiv 2507.20673',
    'The geometric mean of a trajectory’s ratios, which single extreme tokens cannot move much.',
    'The clip is on log-ratios, ±0.4.',
  ),
  dppo: about(
    'arXiv 2602.04879',
    'Stops at how far a probability moved, not its ratio: rare tokens may change a lot, likely ones may not.',
    'Thresholds of 0.2 as in prime-rl, the largest ratio of 20 as in verl.',
  ),
  'prime-rl': about(
    'prime-rl',
    'prime-rl’s default until IPO took its place: no division by the deviation, DPPO’s bounds, a small penalty on the squared log-ratio.',
    'The ratio is to what decoding recorded, as there.',
  ),
  'prime-ipo': about(
    'prime-rl',
    'prime-rl’s IPO: as its DPPO, but a token is left out once its probability has moved by 0.1 either way, whatever its advantage.',
    'The ratio is to what decoding recorded, as there. Later versions allow 0.3 and leave the penalty out.',
  ),
  dro: about(
    'arXiv 2405.19107',
    'REINFORCE held near the old policy by a squared log-ratio instead of a clip; made for data of other policies.',
    'Weight β is 0.05 as in Tinker’s example, verl gives none; the paper’s learned value is left out, advantages are the group’s.',
  ),
  'reinforce-kl': about(
    'rLLM',
    'REINFORCE weighted by the ratio to what decoding recorded, and a small pull back to it by an exact KL gradient.',
    'rLLM’s ratio has no bounds: here they are 0 and 101, which is out of reach. Its backward KL has the weight 0.0025.',
  ),
  'clip-cov': about(
    'arXiv 2505.22617',
    'Keeps entropy up by leaving out a few of the tokens that would lower it most.',
    'Shares are those for long answers: in a small batch it is one token.',
  ),
  'kl-cov': about(
    'arXiv 2505.22617',
    'Keeps entropy up by holding back the tokens that would lower it most.',
    'Weight 1 on a share of 0.002, as in verl.',
  ),
  vespo: about(
    'TRL',
    'Weighs a trajectory by a smooth function of its ratio that fades on both sides of 1.',
    'TRL’s numbers; its importance correction is left out.',
  ),
  tis: about(
    'verl',
    'GRPO whose tokens are weighed by how likely training finds what decoding drew: truncated importance sampling.',
    'The weight is at most 2. Both run the same arithmetic here, so it differs from 1 by rounding alone.',
  ),
  icepop: about(
    'arXiv 2510.18855',
    'Drops tokens on which decoding and training disagree too much.',
    'rLLM’s bounds of 0.5 and 5; where both agree it is REINFORCE.',
  ),
  'starpo-s': about(
    'arXiv 2504.20073',
    'Keeps the quarter of groups whose rewards differ most, against the collapse called the echo trap.',
    'With a critic and without KL; the penalty for malformed actions is the environment’s.',
  ),
  'ragen-2': about(
    'arXiv 2604.06268',
    'Keeps the groups that hold nine tenths of the variance of rewards; the others only add noise.',
    'The filter alone, on group advantages.',
  ),
} as const satisfies Record<string, ObjectiveAbout>;
