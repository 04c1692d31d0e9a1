/**
 * Reward of a trajectory: a weighted sum of parts, each of which may be capped. One is the task's own outcome. The
 * others are common additions and common causes of reward hacking, so each is also logged by itself. rl/play/rewards.ts
 * computes them.
 */
import { both, type Condition, choice, integer, isAbove, type NumberSetting, real } from './setting';

/** Steps that subgoals count, where a world has no words of its own for them. */
const MILESTONES = 'milestones between start and goal reached';

/** A help text in a world's own words for its milestones; unchanged where the world has none. */
export const inWordsOf = (milestones: string | undefined, help: string): string =>
  milestones === undefined ? help : help.replace(MILESTONES, milestones);

/** Title, one sentence of help, and the usual range of the weight. In the order of OUTCOME.part (tensor/columns.ts). */
export const REWARD_TABLE = {
  outcome: {
    title: 'Outcome',
    help: 'What the environment, or a verifier of success, gives for the result.',
    usual: 1,
  },
  format: {
    title: 'Format',
    help: 'The share of turns without a warning, 0 to 1, or whether all were: pays for well-formed actions whatever they achieve.',
    usual: 1,
  },
  efficiency: {
    title: 'Tool efficiency',
    help: 'For a reached goal alone: 1 in a single turn, less with every turn more, by a cosine (OTC-PO).',
    usual: 1,
  },
  length: {
    title: 'Length',
    help: 'Minus 1 for every action token beyond the length target.',
    usual: 0.1,
  },
  overlong: {
    title: 'Overlong',
    help: 'From 0 down to −1 over the last stretch before the longest possible trajectory (DAPO’s soft punishment).',
    usual: 1,
  },
  shaping: {
    title: 'Shaping',
    help: 'Every turn’s gain in progress, γΦ(after) − Φ(before), given at that turn: what the potential Φ says of how far the task has come.',
    usual: 1,
  },
  subgoals: {
    title: 'Subgoals',
    help: `The share of ${MILESTONES}, each paid once and at its turn.`,
    usual: 1,
  },
  repetition: {
    title: 'Repetition',
    help: 'Minus 1 at every turn that does again what was already done after the same observation.',
    usual: 0.1,
  },
  information: {
    title: 'Information gain',
    help: 'How much likelier each turn but the last made the right answer, by the policy’s own probability of it (IGPO); only where the world knows one.',
    usual: 1,
  },
  agreement: {
    title: 'Agreement',
    help: 'The share of the group’s episodes that end with the same action as this one, its own among them (majority voting, TTRL): no label is needed; only where an action says a result.',
    usual: 1,
  },
  variety: {
    title: 'Variety of tools',
    help: 'The share of the world’s tools that were called, each paid once and at its turn; only in a world with tools.',
    usual: 0.5,
  },
  calls: {
    title: 'Correct calls',
    help: 'The share of each action’s words that are the scripted expert’s in the same place, from the same state; a mean over turns (ToolRL). Only in a world with an expert.',
    usual: 1,
  },
} as const;

export type RewardPart = keyof typeof REWARD_TABLE;

export const REWARD_PART_IDS = Object.keys(REWARD_TABLE) as readonly RewardPart[];

const weight = (part: RewardPart, initial = 0) =>
  real({
    label: `Weight of ${REWARD_TABLE[part].title.toLowerCase()}`,
    help: REWARD_TABLE[part].help,
    default: initial,
    min: -10,
    max: 10,
    soft: [0, REWARD_TABLE[part].usual],
    step: REWARD_TABLE[part].usual / 20,
  });

const WEIGHTS = {
  outcome: weight('outcome', 1),
  format: weight('format'),
  efficiency: weight('efficiency'),
  length: weight('length'),
  overlong: weight('overlong'),
  shaping: weight('shaping'),
  subgoals: weight('subgoals'),
  repetition: weight('repetition'),
  information: weight('information'),
  agreement: weight('agreement'),
  variety: weight('variety'),
  calls: weight('calls'),
} as const satisfies Record<RewardPart, NumberSetting>;

const pays =
  (part: RewardPart): Condition =>
  (read) =>
    read(WEIGHTS[part]) !== 0;

const verifierNoise = real({
  label: 'Verifier noise q',
  help: 'The verdict on the outcome is turned round with this probability, in the same episodes in every arm; success is still charted as it is.',
  default: 0,
  min: 0,
  max: 1,
  soft: [0, 0.5],
  step: 0.01,
  when: pays('outcome'),
});
/** True if some verdicts are wrong. */
const errs = both(pays('outcome'), isAbove(verifierNoise));

const cap = (part: RewardPart) =>
  real({
    label: `Cap on ${REWARD_TABLE[part].title.toLowerCase()}`,
    help: 'Bounds the part, before its weight, on both sides of 0; 0 is no bound.',
    default: 0,
    min: 0,
    max: 1000,
    soft: [0, 2],
    step: 0.1,
    when: pays(part),
  });

export const REWARD = {
  reward: WEIGHTS,
  rewardCap: {
    outcome: cap('outcome'),
    format: cap('format'),
    efficiency: cap('efficiency'),
    length: cap('length'),
    overlong: cap('overlong'),
    shaping: cap('shaping'),
    subgoals: cap('subgoals'),
    repetition: cap('repetition'),
    information: cap('information'),
    agreement: cap('agreement'),
    variety: cap('variety'),
    calls: cap('calls'),
  },
  outcomeForm: choice(
    'Outcome is',
    'The environment’s own score, partial credit and penalties included, or only whether the goal was reached.',
    {
      environment: 'the environment’s score',
      binary: '1 if reached, else 0',
      signed: '1 if reached, else −1 (ReTool)',
    },
    { when: pays('outcome') },
  ),
  /**
   * ToolRL (arXiv 2504.13958): R_format is 0 or 1. With the weight ½, ToRL's (arXiv 2503.23383) −½ for code that fails, moved by ½.
   */
  formatForm: choice(
    'Format is',
    'Share of turns without a warning, or 1 only if there was none.',
    { share: 'the share of turns', all: '1 if all turns, else 0 (ToolRL)' },
    { when: pays('format') },
  ),
  verifierNoise,
  lengthTarget: integer({
    label: 'Length target',
    help: 'Action tokens a trajectory may have before the length part begins to cost.',
    default: 8,
    min: 0,
    max: 100_000,
    soft: [0, 64],
    when: pays('length'),
  }),
  overlongCache: real({
    label: 'Overlong stretch',
    help: 'The share of the most action tokens possible over which the overlong part falls: a fifth in DAPO.',
    default: 0.2,
    min: 0.01,
    max: 1,
    soft: [0.05, 1],
    step: 0.05,
    when: pays('overlong'),
  }),
  shapingEnd: choice(
    'Potential at the end',
    'Kept, progress made is paid even without success; 0, the best policy stays what it was (Ng, Harada and Russell, 1999).',
    { kept: 'kept: pays for progress', zero: '0: leaves the best policy as it is' },
    { when: pays('shaping') },
  ),
  subgoalCount: integer({
    label: 'Milestones',
    help: 'Into how many equal steps of progress the way to the goal is cut.',
    default: 4,
    min: 1,
    max: 100,
    soft: [1, 10],
    when: pays('subgoals'),
  }),
  verifierCount: integer({
    label: 'Verifiers',
    help: 'How many verifiers judge an outcome, each wrong by itself with the probability q: an ensemble of reward models.',
    default: 1,
    min: 1,
    max: 31,
    soft: [1, 9],
    when: errs,
  }),
  verifierVote: choice(
    'Success is said by',
    'How many of the verifiers must call an episode a success for it to be paid as one: more than half, or all, which is the most careful reading of an ensemble.',
    { majority: 'most of them', all: 'all of them (worst case)' },
    { when: errs },
  ),
} as const;

/** True if a setting belongs to the reward: the task's side of an arm, which no objective changes. */
export function isOfReward(path: string): boolean {
  return Object.hasOwn(REWARD, path.split('.')[0] ?? '');
}
