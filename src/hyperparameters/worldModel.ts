/** The world-model loss: its form, its denominators, the tokens it learns from, and the change of λ over training. */
import { EXPONENT } from './exponents';
import {
  type Condition,
  choice,
  flag,
  integer,
  isAbove,
  isBelow,
  isOneOf,
  type NumberSetting,
  not,
  onHost,
  real,
} from './setting';
import { DENOMINATORS } from './worldModelDenominators';

/** World-model loss of a token; FORM_TEXTS has each form. */
const worldModelForm = choice(
  'World-model loss',
  'What is asked of a predicted token: ECHO and its ports take cross-entropy, OpenEnv’s RFC 010 an advantage of 1, PaW a threshold.',
  {
    /** ECHO (arXiv 2605.24517, equations 1 to 3: L = L_GRPO + λ · L_Env, L_Env = −(1/Z) Σ log p over observations) and its ports. */
    'cross-entropy': 'cross-entropy (ECHO)',
    /**
     * A policy gradient with the advantage 1, as in OpenEnv's RFC 010. Its gradient equals
     * cross-entropy's while the policy has not moved, grows with r, and ends where r passes 1 + clip.
     */
    'constant-advantage': 'constant advantage (RFC 010)',
    /** PaW (arXiv 2606.02388), reconstructed. */
    'probability-threshold': 'probability threshold (PaW)',
  },
);

/** The loss of a token in each form, as surrogateTexts.ts has those of the policy. */
export const FORM_TEXTS = {
  'cross-entropy': { title: 'Cross-entropy', lines: ['loss = -logp'] },
  'constant-advantage': {
    title: 'A policy gradient with the advantage 1',
    lines: [
      `ratio = exp(clip(logp - old_logp, ${-EXPONENT.logRatio}, ${EXPONENT.logRatio}))`,
      'loss = -min(ratio, 1 + high)',
    ],
  },
  'probability-threshold': {
    title: 'PaW: no push on tokens that are likely already',
    lines: ['loss = max(0, threshold - exp(logp))'],
  },
} as const satisfies Readonly<Record<string, { readonly title: string; readonly lines: readonly string[] }>>;

/** Numbers that the forms' texts use. */
export const FORM_NUMBERS = { high: 'worldModelClip', threshold: 'worldModelThreshold' } as const;

const isConstantAdvantage: Condition = isOneOf(worldModelForm, 'constant-advantage');
const isThreshold: Condition = isOneOf(worldModelForm, 'probability-threshold');

/** 'constant-advantage': how far above 1 the ratio may go, such as 0.2. */
const worldModelClip: NumberSetting = real({
  label: 'World-model clip',
  help: 'With a constant advantage: how far a token’s ratio may rise over 1 before it is no longer pushed.',
  default: 0.2,
  min: 0,
  max: 100,
  soft: [0, 1],
  step: 0.01,
  when: isConstantAdvantage,
});

/** 'probability-threshold': ρ, the probability where the push ends; 0.2 (read literally) or 0.8 (the other reading). */
const worldModelThreshold: NumberSetting = real({
  label: 'Threshold ρ',
  help: 'Tokens already likelier than this are not pushed; PaW’s 0.2 can also be read as 0.8, and cross-entropy then levels off near −ln ρ.',
  default: 0.2,
  min: 0,
  max: 1,
  soft: [0.05, 0.95],
  step: 0.01,
  when: isThreshold,
});

/**
 * α: the loss learns only from the share α of turns whose actions were the most uncertain (mean entropy of their tokens
 * when the update began); 0 and 1: from every turn. PaW's is 0.75.
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
    'How the world-model weights change over training; ECHO’s paper keeps them constant and its code offers all three. By success, or by a formula: a prediction loss of one’s own can read success_rate and update.',
    { constant: 'constant', linear: 'linear change', step: 'one step' },
  ),
);
const isScheduled: Condition = not(isOneOf(worldModelSchedule, 'constant'));

export const PREDICTION_REWARD = {
  /**
   * c: a trajectory's score gains c · the mean probability that the policy before the update gave its observation
   * tokens, where scores are token rewards. Credit other than outcome gives it at the last action token. A negative
   * control: prediction as a reward instead of a loss ("The Dark Room in the Reward Channel", arXiv 2607.21273). 0:
   * none.
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

const worldModelEvery = onHost(
  integer({
    label: 'World model alone, every',
    help: 'Every so many updates, one trains only the world model. 0: both losses in every update (ECHO).',
    default: 0,
    min: 0,
    max: 1000,
    soft: [0, 10],
  }),
);

export const WORLD_MODEL = {
  worldModelForm,
  worldModelClip,
  worldModelThreshold,
  ...DENOMINATORS,
  /** Trajectories that the world-model loss learns from; the policy loss is as before. */
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
  /** Turns among which the most uncertain are chosen. */
  worldModelTurnScope: choice(
    'Uncertain among',
    'Among which turns the most uncertain are looked for; PaW’s abstract leaves it open.',
    { batch: 'the whole batch', group: 'the group' },
    { when: isBelow(worldModelTurnShare, 1) },
  ),
  /**
   * R: a group's weight is multiplied by 1 − mean reward/R, kept within 0 and 1 (PaW): the less a group succeeds, the
   * more of the world it learns. 0: no such factor.
   */
  worldModelRewardScale: real({
    label: 'Reward balance R',
    help: 'Lets groups that fail learn more of the world: λ × (1 − mean reward ÷ R), never below 0 or above λ (PaW, reconstructed). 0: off.',
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
  worldModelEvery,
  /** Losses of the updates between two of the world model alone. */
  worldModelBetween: onHost(
    choice(
      'In between',
      'What the other updates train: both losses, or the policy alone, so that no step ever has both (TAPO, arXiv 2607.27973, alternates).',
      { both: 'policy and world model', policy: 'the policy alone (TAPO)' },
      { when: isAbove(worldModelEvery) },
    ),
  ),
} as const;
