/**
 * The world-model loss: what is asked of a token that the environment wrote, what its weight is divided by, which tokens
 * count, and how λ changes over training.
 *
 * A token's weight is divided by two numbers: one of its own trajectory or group (worldModelSequenceDenominator) and one of
 * the batch (worldModelBatchDenominator). "Selected" tokens are those whose role has a cross-entropy weight, in the
 * trajectories and turns chosen.
 */
import { type Condition, choice, flag, integer, isBelow, isOneOf, not, onHost, real } from './setting';

/**
 * The world-model loss of a token the environment wrote; w is its weight, p its probability, r its ratio to the policy before the update.
 */
const worldModelForm = choice(
  'World-model loss',
  'What is asked of a predicted token: ECHO and its ports take cross-entropy, OpenEnv’s RFC 010 an advantage of 1, PaW a threshold.',
  {
    /** −w·log p: ECHO (arXiv 2605.24517) and all its ports. */
    'cross-entropy': 'cross-entropy (ECHO)',
    /**
     * −w·min(r, 1 + clip): a policy gradient with the advantage 1, as in OpenEnv's RFC 010. Its gradient equals
     * cross-entropy's while the policy has not moved, grows with r, and ends where r passes 1 + clip.
     */
    'constant-advantage': 'constant advantage (RFC 010)',
    /**
     * w·max(0, threshold − p): PaW (arXiv 2606.02388), reconstructed; no push on tokens already more likely than that.
     */
    'probability-threshold': 'probability threshold (PaW)',
  },
);

/**
 * A token's weight is divided by two numbers: one of its own trajectory (or group), this list, and one of the batch, the
 * next. "Selected" tokens are those whose role has a cross-entropy weight, in the trajectories and turns chosen.
 */
const worldModelSequenceDenominator = choice(
  'Divided in a trajectory by',
  'What a token’s weight is divided by within its trajectory: ECHO’s authors count warnings too, prime-rl and TRL divide by the batch alone.',
  {
    /** 1: all tokens of the batch count alike (token mean, token sum). */
    none: 'nothing (token mean)',
    /**
     * Selected tokens of the trajectory: every trajectory counts alike (verl's seq-mean-token-mean; ECHO's `selected_tokens`).
     */
    'selected-tokens': 'its predicted tokens (verl)',
    /**
     * Observation and warning tokens of the trajectory, selected or not: the more warnings, the less an observation counts
     * (ECHO's authors, `full_observation_tokens`).
     */
    'observation-tokens': 'its observations and warnings (ECHO’s authors)',
    /** A constant, worldModelLength (seq-mean-token-sum-norm; SkyRL's `max_seq_len`). */
    length: 'a fixed length',
    /** Selected tokens of the whole group: every task counts alike (PaW, reconstructed). */
    'group-selected-tokens': 'predicted tokens of its group (PaW)',
  },
);

/** The other number: of the batch. */
const worldModelBatchDenominator = choice(
  'Divided in the batch by',
  'What the sum is divided by; λ means something else with each, so compare the weight of one token shown beside λ.',
  {
    /** Selected tokens: own count. The lab's default; prime-rl, OpenEnv on TRL, rLLM without global counts. */
    'selected-tokens': 'own count of predicted tokens (prime-rl)',
    /** Action tokens: the world-model loss shares the policy's denominator (rLLM in training). */
    'action-tokens': 'action tokens (rLLM)',
    /** Action, observation and warning tokens: one denominator for everything that was learnt from. */
    'all-tokens': 'actions, observations and warnings together',
    /** All trajectories, also those without a selected token (ECHO's authors). */
    sequences: 'all trajectories (ECHO’s authors)',
    /** Trajectories with selected tokens (verl). */
    'selected-sequences': 'trajectories with predicted tokens (verl)',
    /** Trajectories with action tokens (rLLM's managed backend). */
    'action-sequences': 'trajectories with actions (rLLM managed)',
    /** Groups, also those without a selected token (PaW, reconstructed). */
    groups: 'groups (PaW)',
    /** worldModelDenominator, whatever the batch holds: a count over several batches or machines. */
    given: 'a given number',
    /** 1: the raw sum (rLLM on tinker). */
    none: 'nothing: a raw sum (rLLM on tinker)',
  },
);

/**
 * PaW: only what follows the share α of turns whose action was the most uncertain (mean entropy of its tokens when the
 * update began) is learnt; 0 and 1: every turn. PaW's is 0.75.
 */
const worldModelTurnShare = real({
  label: 'Share of turns α',
  help: 'Below 1, learns only what follows this share of turns, those with the most uncertain action (PaW 0.75); 1 learns after every turn (ECHO).',
  default: 1,
  min: 0.01,
  max: 1,
  soft: [0.05, 1],
  step: 0.05,
});

const worldModelSchedule = onHost(
  choice(
    'Schedule of λ',
    'How the world-model weights change over training; ECHO’s paper keeps them constant and its code offers all three.',
    { constant: 'constant', linear: 'linear change', step: 'one step' },
  ),
);
const isScheduled: Condition = not(isOneOf(worldModelSchedule, 'constant'));

export const PREDICTION_REWARD = {
  /**
   * c: a trajectory's score gains c · mean over its observation tokens of the probability that the policy before the update
   * gave them, where scores are token rewards; where credit is not outcome it is given at the last action token. The
   * negative control: prediction as a reward instead of a loss ("The Dark Room in the Reward Channel", arXiv 2607.21273).
   * 0: none.
   */
  predictionReward: real({
    label: 'Prediction as reward',
    help: 'Adds the mean probability of a trajectory’s observations to its score: a negative control that can end in a dark room (arXiv 2607.21273).',
    default: 0,
    min: 0,
    max: 10,
    soft: [0, 1],
    step: 0.01,
  }),
} as const;

export const WORLD_MODEL = {
  worldModelForm,
  /** 'constant-advantage': how far above 1 the ratio may go, such as 0.2. */
  worldModelClip: real({
    label: 'World-model clip',
    help: 'With a constant advantage: how far a token’s ratio may rise over 1 before it is no longer pushed.',
    default: 0.2,
    min: 0,
    max: 100,
    soft: [0, 1],
    step: 0.01,
    when: isOneOf(worldModelForm, 'constant-advantage'),
  }),
  /** 'probability-threshold': ρ, where the push ends; 0.2 (read literally) or 0.8 (the other reading). */
  worldModelThreshold: real({
    label: 'Threshold ρ',
    help: 'Tokens already likelier than this are not pushed; PaW’s 0.2 can also be read as 0.8, and cross-entropy then levels off near −ln ρ.',
    default: 0.2,
    min: 0,
    max: 1,
    soft: [0.05, 0.95],
    step: 0.01,
    when: isOneOf(worldModelForm, 'probability-threshold'),
  }),
  worldModelSequenceDenominator,
  worldModelBatchDenominator,
  /**
   * Added to every count of tokens that divides: 1e-3 in ECHO's authors' code, 1e-8 in verl's seq-mean-token-mean, else 0.
   */
  worldModelCountEpsilon: real({
    label: 'Added to token counts',
    help: 'Keeps a division by a count of tokens finite: 0.001 in ECHO’s authors’ code, 1e-8 in verl.',
    default: 0,
    min: 0,
    max: 1,
    soft: [0, 0.01],
    step: 0.001,
  }),
  /** 'length': tokens; 0 is the longest trajectory there is room for, T. */
  worldModelLength: integer({
    label: 'Fixed length',
    help: 'Tokens a trajectory counts as when divided by a fixed length; 0 is the longest there is room for.',
    default: 0,
    min: 0,
    max: 1_000_000,
    soft: [0, 256],
    when: isOneOf(worldModelSequenceDenominator, 'length'),
  }),
  /** 'given': the denominator; 0 counts as 1. */
  worldModelDenominator: real({
    label: 'Given denominator',
    help: 'Divides the world-model loss when the batch is divided by a given number, whatever it holds.',
    default: 1000,
    min: 1,
    max: 1e9,
    soft: [1, 10_000],
    scale: 'log',
    step: 1.1,
    when: isOneOf(worldModelBatchDenominator, 'given'),
  }),
  /** Which trajectories the world-model loss learns from. The policy loss is not touched. */
  worldModelTrajectories: choice(
    'Learns from trajectories',
    'Which trajectories the world model learns from; the policy gradient is not touched.',
    { all: 'all', failed: 'failed only', solved: 'solved only' },
  ),
  /**
   * Trajectories with a smaller share of well-formed actions are left out; 0 keeps all (ECHO's `wm_filter_min_valid_tool_call_pct`).
   */
  worldModelMinValid: real({
    label: 'Least well-formed share',
    help: 'Leaves trajectories with a smaller share of well-formed actions out of the world-model loss (ECHO’s rollout filters); 0 keeps all.',
    default: 0,
    min: 0,
    max: 1,
    soft: [0, 1],
    step: 0.05,
  }),
  worldModelTurnShare,
  /** Among which turns the most uncertain are looked for. */
  worldModelTurnScope: choice(
    'Uncertain among',
    'Among which turns the most uncertain are looked for; PaW’s abstract leaves it open.',
    { batch: 'the whole batch', group: 'the group' },
    { when: isBelow(worldModelTurnShare, 1) },
  ),
  /**
   * PaW: the weight of a group is multiplied by 1 − mean reward/R, kept within 0 and 1, R being this column: the less a
   * group succeeds, the more of the world it learns. 0: no such factor.
   */
  worldModelRewardScale: real({
    label: 'Reward balance R',
    help: 'Multiplies λ of a group by 1 − mean reward ÷ R, so that groups that fail learn more of the world (PaW, reconstructed); 0 turns it off.',
    default: 0,
    min: 0,
    max: 1000,
    soft: [0, 2],
    step: 0.05,
  }),
  worldModelSchedule,
  worldModelScheduleStart: onHost(
    integer({
      label: 'Schedule begins at',
      help: 'The update at which a linear change begins, or the one step happens.',
      default: 100,
      min: 0,
      max: 100_000,
      soft: [0, 1000],
      step: 10,
      when: isScheduled,
    }),
  ),
  worldModelScheduleEnd: onHost(
    integer({
      label: 'Schedule ends at',
      help: 'The update at which a linear change is complete.',
      default: 200,
      min: 0,
      max: 100_000,
      soft: [0, 1000],
      step: 10,
      when: isOneOf(worldModelSchedule, 'linear'),
    }),
  ),
  worldModelFinalScale: onHost(
    real({
      label: 'Final factor of λ',
      help: 'What the world-model weights are multiplied by once the schedule is through; 0 hands over to the policy gradient alone.',
      default: 0,
      min: 0,
      max: 10,
      soft: [0, 1],
      step: 0.05,
      when: isScheduled,
    }),
  ),
  placebo: onHost(
    flag(
      'Placebo: shuffled observations',
      'Predicts observations that belong to other turns: the same tokens and the same loss, and nothing of the world in them.',
      { restart: 'The batch is laid out with other targets, so training starts again.' },
    ),
  ),
  ...PREDICTION_REWARD,
} as const;
