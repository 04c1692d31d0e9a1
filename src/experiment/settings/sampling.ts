/**
 * Settings of an arm's episodes: the tasks chosen from the candidates, the number of turns, the age of the policy that
 * plays, demonstrations instead of own episodes, hindsight, and replay. Read by rl/play/curriculum.ts, rl/play/collection.ts,
 * rl/learn/imitation.ts, rl/play/hindsight.ts and rl/play/replay.ts.
 */
import { choice, integer, isAbove, isBelow, isOneOf, real } from '../../hyperparameters/setting';
import { REPLAY } from './replay';

const taskChoice = choice(
  'Tasks',
  'Each arm chooses from the same candidates by what it has learned of them. It matters only where tasks come again.',
  {
    drawn: 'the first candidates, as drawn',
    'near-half': 'those solved nearest to half of the time (SFL)',
    'failed-again': 'some that failed before come back (WebRL)',
  },
);

const difficultyStart = real({
  label: 'Difficulty at first',
  help: 'The hardest candidates played at the beginning, as a share of the hardest there can be; 1 takes all from the start.',
  default: 1,
  min: 0,
  max: 1,
  soft: [0, 1],
  step: 0.05,
});

const turnCap = integer({
  label: 'Turns at first',
  help: 'Turns after which an episode is ended in the first stage (ScalingInter-RL, arXiv 2509.08755); 0 leaves that to the environment.',
  default: 0,
  min: 0,
  max: 64,
  soft: [0, 16],
});

const staleness = integer({
  label: 'Staleness',
  help: 'Updates by which the policy that plays is behind the one that learns; what it thought of its actions is stored, and the mismatch shown.',
  default: 0,
  min: 0,
  max: 8,
  soft: [0, 8],
  restart: 'Room for as many earlier policies is laid out in memory, so training starts again.',
});

const imitation = choice(
  'Training data',
  'Its own episodes, or demonstrations in their place: a supervised phase, which a change on the timeline begins or ends. Success is still that of its own episodes; what losses measure is of the demonstrations.',
  {
    none: 'its own episodes',
    actions: 'demonstrations: actions',
    'actions-and-observations': 'demonstrations: actions and observations',
    observations: 'demonstrations: observations',
  },
);

export const SAMPLING = {
  taskChoice,
  candidates: integer({
    label: 'Candidates for a task',
    help: 'How many candidates there are for each task played, to choose those near one half from.',
    default: 4,
    min: 1,
    max: 16,
    soft: [1, 8],
    when: isOneOf(taskChoice, 'near-half'),
  }),
  failedShare: real({
    label: 'Share that comes back',
    help: 'Share of an update’s tasks drawn from those in which every episode failed when they were last played.',
    default: 0.5,
    min: 0,
    max: 1,
    soft: [0, 1],
    step: 0.05,
    when: isOneOf(taskChoice, 'failed-again'),
  }),
  resampling: integer({
    label: 'Dynamic sampling',
    help: 'How often a group of equal rewards is replaced by another task’s (DAPO). Replaced groups train nothing but count as tasks consumed. 0: keep all.',
    default: 0,
    min: 0,
    max: 8,
    soft: [0, 4],
  }),
  difficultyStart,
  difficultyUpdates: integer({
    label: 'Whole difficulty after',
    help: 'Updates over which the difficulty rises, in a straight line, to all there is.',
    default: 100,
    min: 1,
    max: 100_000,
    soft: [10, 300],
    step: 10,
    when: isBelow(difficultyStart, 1),
  }),
  turnCap,
  turnCapStep: integer({
    label: 'More turns a stage',
    help: 'Turns that every later stage adds, up to what the environment allows.',
    default: 2,
    min: 0,
    max: 64,
    soft: [0, 8],
    when: isAbove(turnCap),
  }),
  turnCapUpdates: integer({
    label: 'Updates of a stage',
    help: 'How many updates a stage of turns lasts.',
    default: 50,
    min: 1,
    max: 100_000,
    soft: [10, 200],
    step: 10,
    when: isAbove(turnCap),
  }),
  staleness,
  staleShare: real({
    label: 'Share played by the stale policy',
    help: 'Share of each group’s episodes that the stale policy plays, or the chance of each turn; the present one plays the others.',
    default: 1,
    min: 0,
    max: 1,
    soft: [0, 1],
    step: 0.05,
    when: isAbove(staleness),
  }),
  /**
   * Unit that the stale policy plays.
   *   episodes  whole ones: the first of each group
   *   turns     each turn of each episode by chance, so that both policies play in one episode (cross-policy sampling of AgentRL,
   *             arXiv 2510.04206)
   */
  staleUnit: choice(
    'The stale policy plays',
    'Whole episodes, or single turns of every episode, drawn by chance: then both policies act in one episode (AgentRL’s cross-policy sampling).',
    { episodes: 'some episodes, whole', turns: 'turns within episodes (AgentRL)' },
    {
      when: isAbove(staleness),
      restart:
        'The policy that acts reads the whole episode again, for which room is laid out in memory, so training starts again.',
    },
  ),
  imitation,
  hindsight: real({
    label: 'Hindsight',
    help: 'Chance that a failed episode is learned as a success at what it did reach (HER). Its actions were meant for another task: only a correction for decoding allows for that.',
    default: 0,
    min: 0,
    max: 1,
    soft: [0, 1],
    step: 0.05,
    when: isOneOf(imitation, 'none'),
  }),
  ...REPLAY,
} as const;
