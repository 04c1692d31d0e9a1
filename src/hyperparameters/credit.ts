/** Credit: a reward reaches the tokens before it whole, discounted, or estimated from a critic's values. */
import { index, letter, minus, row, symbol, words } from '../foundation/notation';
import { isCriticTrained } from './critic';
import { both, type Condition, choice, either, isAbove, isOneOf, not, real } from './setting';

/**
 * Credit of a trajectory's tokens.
 *   outcome       every action token gets the trajectory's whole (normalised) score
 *   reward-to-go  the discounted sum of the rewards from this token on
 *   gae           generalised advantage estimation over the critic's values (arXiv 1506.02438)
 *   bilevel-gae   between the ends of turns with turnDiscount, then inside each turn towards its end's return (RAGEN,
 *                 VAGEN)
 *   turn-rewards  Σ_{j ≥ k} turnDiscount^(j − k)·(r_j − mean r)/deviation in turn k: each turn's reward among all turns of
 *                 the group, then what follows (IGPO, arXiv 2510.14967). Divided only where scale is a deviation
 *   tree          Q(s, a) − V'(s) of the token's turn, over the tree that the group's rollouts form (RTMC, arXiv 2604.11037)
 */
export const advantageCredit = choice(
  'Credit',
  'How a trajectory’s reward reaches its tokens: GRPO gives each the whole outcome, PPO estimates from a critic’s values.',
  {
    outcome: 'the outcome, to every action (GRPO)',
    'reward-to-go': { name: 'reward to go (REINFORCE++)', formula: () => letter('G') },
    gae: { name: 'GAE over a critic (PPO)', formula: () => letter('GAE') },
    'bilevel-gae': { name: 'GAE of turns, then tokens (RAGEN)', formula: () => letter('GAE') },
    tree: {
      name: 'the group as a tree (RTMC)',
      formula: () => row(index('Q', 's, a'), minus, index(symbol('V′', 'V prime'), words('s'))),
    },
    'turn-rewards': 'rewards of turns (IGPO)',
  },
);

/** True if rewards are discounted on their way to a token. */
const isByStep: Condition = not(isOneOf(advantageCredit, 'outcome', 'tree', 'turn-rewards'));
export const isByTree: Condition = isOneOf(advantageCredit, 'tree');
export const isByTurnRewards: Condition = isOneOf(advantageCredit, 'turn-rewards');
export const isByCritic: Condition = isOneOf(advantageCredit, 'gae', 'bilevel-gae');
/** True for credit by a critic that no loss trains: its values stay 0. */
export const hasUntrainedCritic: Condition = both(isByCritic, not(isCriticTrained));

/** α. Above 0, λ = 1 − 1/(α·action tokens of the trajectory), at least 0 (VAPO: 0.05); 0: λ = gaeLambda. */
const gaeLambdaLength = real({
  label: 'λ by length α',
  help: 'Longer trajectories look further: λ = 1 − 1/(α · action tokens), at least 0. 0 keeps λ fixed.',
  default: 0,
  min: 0,
  max: 100,
  soft: [0, 10],
  step: 0.05,
  when: isByCritic,
});

/**
 * w of GiGPO's step part (arXiv 2505.10978; 1 in the paper, 0 = off): w·(R − mean R)/deviation over the group's turns that
 * began in the same state; 0 for a state met once. R is the turn's return under turnDiscount. It is divided by the
 * deviation only when scale is a deviation.
 */
const stepWeight = real({
  label: 'GiGPO step weight',
  help: 'Also compares turns of a group that began after the same observation: 1 in GiGPO. 0: off.',
  default: 0,
  min: 0,
  max: 10,
  soft: [0, 2],
  step: 0.1,
  when: not(either(isByTree, isByTurnRewards)),
});

export const CREDIT = {
  /** γ of reward-to-go, gae and inside a turn of bilevel-gae; 1 in most agent recipes. */
  discount: real({
    label: 'Discount γ',
    help: 'How much a reward counts one step earlier; 1 in most recipes for agents.',
    default: 1,
    min: 0,
    max: 1,
    soft: [0.8, 1],
    step: 0.005,
    when: isByStep,
  }),
  /** λ of gae and bilevel-gae. */
  gaeLambda: real({
    label: 'GAE λ',
    help: 'How far GAE looks beyond the critic’s next value: 1 is the whole return, 0 only the next value.',
    default: 1,
    min: 0,
    max: 1,
    soft: [0.8, 1],
    step: 0.005,
    when: both(isByCritic, not(isAbove(gaeLambdaLength))),
  }),
  gaeLambdaLength,
  /**
   * λ of the critic's targets: that of the advantages, or 1 (Monte Carlo returns; VAPO's decoupled GAE, arXiv 2504.05118).
   */
  returnLambda: choice(
    'λ of the critic’s targets',
    'Whether the critic learns towards the same mixture as the policy or towards whole returns, as in VAPO.',
    { same: 'the same', one: '1: whole returns (VAPO)' },
    { when: both(isByCritic, isCriticTrained) },
  ),
  /**
   * Step that discount and λ count.
   *   action-tokens  a step an action token; other tokens are passed over (verl)
   *   every-token    a step a token; tokens that are no action have value and reward 0 (OpenRLHF)
   *   turns          a step a turn: no discount, and λ 1, inside a turn
   */
  creditClock: choice(
    'A step is',
    'What discount and λ count: verl passes over observations, OpenRLHF counts every token; a turn may count as one.',
    { 'action-tokens': 'an action token (verl)', 'every-token': 'any token (OpenRLHF)', turns: 'a turn' },
    { when: isByStep },
  ),
  /** γ between turns: bilevel-gae and GiGPO's step returns (0.95 in both), tree (0.99 in RTMC), turn-rewards (1 in IGPO's code). */
  turnDiscount: real({
    label: 'Discount between turns',
    help: 'How much a return counts one turn earlier: 0.95 in GAE of turns and in GiGPO’s steps, 0.99 in RTMC’s tree, 1 in IGPO’s code.',
    default: 0.95,
    min: 0,
    max: 1,
    soft: [0.8, 1],
    step: 0.01,
    when: either(isOneOf(advantageCredit, 'bilevel-gae', 'tree', 'turn-rewards'), isAbove(stepWeight)),
  }),
  stepWeight,
  /**
   * State of a turn, by which rollouts of a group meet in a node of the tree.
   *   history      all that was seen and done before the turn, thoughts left out
   *   observation  the last observation alone, as GiGPO tells states apart: more rollouts meet, and paths may join again
   */
  treeState: choice(
    'A node of the tree is',
    'When two rollouts are at the same node: after the same observations and actions throughout, or wherever the last observation is the same. RTMC uses a signature of the history, somewhere between the two.',
    {
      history: { name: 'the same history', remark: 's: the history so far' },
      observation: { name: 'the same last observation', remark: 's: the last observation' },
    },
    { when: isByTree },
  ),
  /** Weight of the group's mean score in V′, in visits of a node: 2 in RTMC. */
  treePrior: real({
    label: 'Prior visits of a node',
    help: 'Draws the value of a node towards the group’s mean score, as if so many rollouts more had passed it: 2 in RTMC. At 0 a node that one rollout passed has no advantage.',
    default: 2,
    min: 0,
    max: 100,
    soft: [0, 10],
    step: 0.5,
    when: isByTree,
  }),
  /**
   * Turns that credit turn-rewards compares a turn with.
   *   all         every turn of the group ("joint" in IGPO's code, and its paper)
   *   last-apart  the last turns, which the outcome pays, apart from the others ("separate" there)
   */
  turnComparison: choice(
    'A turn is compared with',
    'Among which turns of the group a turn’s reward is normalised: all of them, or last turns and others apart, since the outcome is larger than what a turn before it is paid.',
    {
      all: { name: 'all turns of the group (IGPO)', remark: 'mean and σ of all turns of the group' },
      'last-apart': {
        name: 'the last, or the others, apart',
        remark: 'mean and σ of the group’s last turns, and of its other turns',
      },
    },
    { when: isByTurnRewards },
  ),
} as const;
