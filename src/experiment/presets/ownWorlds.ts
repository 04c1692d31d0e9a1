/**
 * Worlds that the field's papers and lessons begin with, each one file in `worlds/`. Their texts are questions: what is known
 * of the answers is said where it was measured.
 */
import type { Arm, Experiment } from '../experiment';
import { actionMask, baseExperiment, type Preset, smallPolicy, worldModelOf } from './preset';

type Question = Pick<Preset, 'claim' | 'expectation' | 'finding'> & Pick<Experiment, 'title'> & Partial<Experiment>;

const mask: Arm = { ...actionMask, entropyCoefficient: 0.01 };

/** Experiment that a world in one file begins with: action mask and world model, a small policy, four seeds. */
export const forOneFile: Experiment = {
  ...baseExperiment,
  policy: smallPolicy,
  updates: 150,
  arms: [mask, worldModelOf(mask, 0.1)],
};

/** Preset of a world of that name. */
function asks(name: string, { claim, expectation, finding, ...differences }: Question): Preset {
  const id = `world-${name}`;
  const environment = { id: 'own', settings: { world: `@${name}` } };
  const experiment = { ...forOneFile, preset: id, environment, ...differences };
  return { id, claim, expectation, ...(finding !== undefined && { finding }), experiment };
}

const imitator: Arm = { ...mask, warmStart: 'actions' };
/** Without an entropy bonus, under which a form is unlearned where nobody in a group succeeds. */
const plain: Arm = { ...imitator, entropyCoefficient: 0 };
const examined = { every: 50, tasks: 64, toolEvery: 0 };

export const ownWorlds: readonly Preset[] = [
  asks('key-door', {
    title: 'Key, door and unseen maps',
    claim: 'Does predicting what one will see help on maps that were never trained on?',
    expectation:
      'Every map comes from a generator and those of the examination have other walls. A random policy succeeds in about one of ' +
      'twenty episodes. Watch success on held-out tasks beside that of training: a map learned by heart helps nobody here.',
    evaluation: examined,
    updates: 200,
  }),
  asks('bandit', {
    title: 'A bandit has no world to model',
    claim: 'Has a world-model loss anything to say where rewards are all there is?',
    expectation:
      'What an arm pays depends on the sign and on chance, not on what came before. The cross-entropy has an exact floor, at a ' +
      'good arm’s odds 0.5 nats an answer; what is learned by predicting is those odds.',
    updates: 100,
  }),
  asks('frozen-lake', {
    title: 'Frozen lake: how low can prediction come?',
    claim: 'Does learning where one may slip help to walk around the holes?',
    expectation:
      'A step slips to one side in a fifth of all cases, so no predictor comes below the floor, which is drawn with the curves and ' +
      'is exact: it is computed from the dice.',
  }),
  asks('sokoban', {
    title: 'Sokoban: mistakes that cannot be undone',
    claim: 'Does foreseeing where the box will be help not to push it into a corner?',
    expectation:
      'Levels come from a generator, with others held out for the examination; a random policy solves about a third of these ' +
      'easy ones. Nothing is left to chance, so the floor of prediction is 0.',
    evaluation: examined,
  }),
  asks('mastermind', {
    title: 'Mastermind: prediction as inference',
    claim: 'Can a policy learn to foresee answers that follow only from all answers before?',
    expectation:
      'The floor is exact: the entropy over the codes that are still possible. A table of answers does not get there; whoever ' +
      'comes near the floor infers. A random policy finds the code in under one of a hundred episodes, so both arms begin by imitating.',
    arms: [imitator, worldModelOf(imitator, 0.1)],
  }),
  asks('wordle', {
    title: 'Wordle with two dozen words',
    claim: 'Does predicting the marks on a guess lead to better guesses?',
    expectation:
      'The words are few, so that the floor, the entropy over the words still possible, can be come near. A guess is one token ' +
      'here; the setting guess has it spelled letter by letter.',
    finding: 'prediction-as-inference',
  }),
  asks('countdown', {
    title: 'Countdown: sums that have to be well-formed',
    claim: 'Does predicting what is left after an operation help to reach the target?',
    expectation:
      'An operation is three words put together freely, and a random policy hardly ever gets the form right; so both ' +
      'arms begin by imitating, as they would begin from a language model. Where nobody in a group succeeds an entropy ' +
      'bonus is all there is: watch whether the form is unlearned, and try the bonus at 0.',
    arms: [imitator, worldModelOf(imitator, 0.1)],
    evaluation: examined,
  }),
  asks('calculator', {
    title: 'A calculator that has to be told what to work out',
    claim: 'Does predicting what a tool answers help to call it rightly?',
    expectation:
      'A call is put together freely, `calc 7 + 5`, and a sum of three numbers takes two of them; a random policy ' +
      'answers one sum in a hundred. Both arms begin by imitating, so the form is known: what is left is which sum to ' +
      'ask for, and when to answer. The calls and the turn they come in are charted. There is no entropy bonus, which ' +
      'is all there is where nobody in a group succeeds: with one of 0.01, watch whether the form is unlearned.',
    arms: [plain, worldModelOf(plain, 0.1)],
    evaluation: examined,
  }),
  asks('sum', {
    title: 'Sums in the head: which loss should thoughts carry?',
    claim: 'Does it help to learn one’s thoughts from the reward, where thinking makes the answer easier?',
    expectation:
      'Four numbers are given and the last digit of their sum is asked for. Before it answers the policy thinks up to five words ' +
      'that nobody hears. All arms begin by imitating an expert that thinks in running sums; then one learns its thoughts from the ' +
      'reward as it learns its answers, one leaves them alone, and one predicts the world’s answer, too. With the setting thinking ' +
      'at 0 there are no thoughts, and the sum has to be known at once.',
    arms: [
      imitator,
      {
        ...imitator,
        id: 'thoughts-masked',
        name: 'Thoughts masked',
        pg: { ...imitator.pg, thought: 0 },
        entropy: { ...imitator.entropy, thought: 0 },
      },
      worldModelOf(imitator, 0.1),
    ],
    evaluation: examined,
  }),
  asks('program', {
    title: 'Programs: is a test passed worth something?',
    claim: 'Does pay for each example that a program gets right help to write one that gets all of them right?',
    expectation:
      'A question, not a claim. A program of up to three words is to compute what three examples show; a random one does in two of ' +
      'a hundred episodes, so all arms begin by imitating. One is paid for all examples alone, one also for the share of them that ' +
      'its best program gets right (partial credit, as by unit tests in CodeRL, arXiv 2207.01780), and one predicts what its programs ' +
      'will give.',
    arms: [
      plain,
      {
        ...plain,
        id: 'partial-credit',
        name: 'Partial credit',
        reward: { ...plain.reward, subgoals: 0.5 },
        subgoalCount: 3,
      },
      worldModelOf(plain, 0.1),
    ],
    evaluation: examined,
  }),
  asks('search', {
    title: 'Search, with one hop and two',
    claim: 'Should what a search tool answers be learned, or masked?',
    expectation:
      'Half of the questions need a second search for what the first one found. The corpus is the same in all tasks, so its facts ' +
      'can be learned by heart: then a search is no longer needed, and turns get fewer.',
    evaluation: examined,
  }),
  asks('customer', {
    title: 'A customer who changes its mind',
    claim: 'Does foreseeing a customer make for better offers?',
    expectation:
      'What is wanted is hidden and asked for over several turns; the customer may change its mind once. The floor of its answers ' +
      'is exact. pass@k of the examination is how often at least one of k conversations comes to a sale.',
  }),
  asks('blackjack', {
    title: 'Blackjack: what nobody can foresee',
    claim: 'What does a world-model loss do where most of what is said is chance?',
    expectation:
      'Cards come from an endless deck: the floor is near 2 nats an answer, and no learning brings it down. The best play wins ' +
      'somewhat more than four of ten hands.',
    updates: 100,
  }),
];
