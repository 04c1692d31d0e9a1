/** Data, imitation, curricula, and how results are judged. */
import { chart, experiment, type Method, method, objective, place, setting } from '../method';

const IMITATOR = 'calculator-without-tool';

export const dataMethods: readonly Method[] = [
  method(
    'AgentTuning; supervised fine-tuning on trajectories; SFT',
    'arXiv 2310.12823',
    'Imitates trajectories of agents, mixed with general text.',
    [setting('warmStart', 'actions'), setting('imitation', 'actions')],
    'Trajectories of scripted experts; there is no general text to mix in.',
  ),
  method(
    'Agent-FLAN; negative examples; failed demonstrations',
    'arXiv 2403.12881',
    'Separates form from reasoning in demonstrations, and adds negative ones.',
    setting('warmStart.noisy', 0.5, IMITATOR),
    'Demonstrations spoilt by random actions, many of which fail; nothing tells good from bad unless observations alone are learned.',
  ),
  method(
    'ReFT; Reinforced fine-tuning; Reinforcement fine-tuning; SFT then PPO',
    'arXiv 2401.08967',
    'Imitates, then goes on with PPO on the same questions.',
    [experiment(IMITATOR), objective('ppo')],
    'Give the arm the objective PPO; the experiment has group advantages.',
  ),
  method(
    'RFT; Rejection fine-tuning; rejection sampling; RAFT; STaR; expert iteration; filtered imitation; filtered behaviour cloning',
    'arXiv 2308.01825, arXiv 2304.06767, arXiv 2203.14465',
    'Samples several answers, keeps those that are right, and imitates them.',
    [
      experiment('replay-of-successes'),
      setting('replay', 'cross-entropy', 'gridworld-small', { 'pg.action': 0, entropyCoefficient: 0 }),
      setting('worldModelTrajectories', 'solved', 'gridworld-small', {
        'ce.action': 1,
        'pg.action': 0,
        entropyCoefficient: 0,
      }),
    ],
    'On a memory of past successes, or on those of each update as it comes; always from the present weights, where RFT begins again from the first. RFT leaves out duplicate solutions: the memory holds the same actions of a task once, but of an update’s own successes all are imitated.',
  ),
  method(
    'Replay of successes; experience replay; memory of solved episodes; success buffer; self-imitation learning; SIL; RLEP',
    'arXiv 1806.05635, arXiv 2507.07451, arXiv 2411.02337',
    'Solved episodes are kept, so many of a task, and trained on again beside what was just played.',
    [
      experiment('replay-of-successes'),
      setting('replay', 'cross-entropy'),
      setting('replay', 'policy-gradient', 'gridworld-small', { ratioBase: 'behaviour' }),
      chart('replayAge'),
    ],
    'Of whichever tasks (RLEP: those of the batch). By policy gradient an episode has the advantage it had among its group when it was played.',
  ),
  method(
    'Prioritised experience replay; priority replay; prioritized replay; PER; replay by advantage',
    'arXiv 1511.05952, arXiv 1806.05635',
    'What one can learn most from is replayed most often.',
    setting('replayDraws', 'by-advantage', 'gridworld-small', { replay: 'policy-gradient', ratioBase: 'behaviour' }),
    'In proportion to the advantage an episode had (self-imitation), not to a critic’s error, and without weights that undo the preference.',
  ),
  method(
    'LUFFY; off-policy guidance; policy shaping; mixed-policy GRPO',
    'arXiv 2504.14945',
    'Traces of a stronger policy are mixed into the groups, with a ratio bent so that words of low probability still teach.',
    [
      setting('replay', 'policy-gradient', 'gridworld-small', { ratioBase: 'behaviour' }),
      setting('imitation', 'actions'),
    ],
    'Traces come from the policy’s own past successes, or from a script in a phase of its own: no stronger model is asked within a group. The bent ratio, p/(p + γ), is not there for them: a replay takes the lab’s own loss.',
  ),
  method(
    'R-Zero; Absolute Zero; SFL; sampling for learnability; tasks near one half; p(1−p)',
    'arXiv 2508.05004, arXiv 2505.03335, arXiv 2408.15099',
    'Prefers tasks that are solved about half of the time, where there is most to learn.',
    setting('taskChoice', 'near-half'),
    'Chooses among the world’s own tasks, as SFL does; no model proposes new ones.',
  ),
  method(
    'Curriculum; difficulty schedule; WebShaper; formal task synthesis',
    'arXiv 2507.15061',
    'Tasks are made with a known difficulty, the easier ones first.',
    [setting('difficultyStart', 0.3), setting('environment.features', 2, 'shop-pages')],
    'Seeded generators of the worlds, no formal language of sets.',
  ),
  method(
    'AgentFounder; continual pre-training of agents; world model first',
    'arXiv 2509.13310',
    'Learns from synthetic traces of agents before any reinforcement.',
    [setting('warmStart', 'actions-and-observations'), setting('warmStart.source', 'random', IMITATOR)],
    'Traces of scripts and of random policies, some thousands.',
  ),
  method(
    'pass@k; pass at k; HumanEval estimator; unbiased pass@k',
    'arXiv 2107.03374',
    'The chance that one of k tries succeeds, estimated without bias from n of them: 1 − C(n − c, k)/C(n, k).',
    [chart('heldOutPassAt8'), setting('evaluation.every', 50), objective('pass-at-k')],
  ),
  method(
    'pass^k; pass hat k; reliability of agents; measure of τ-bench',
    'arXiv 2406.12045',
    'The chance that all of k independent tries of a task succeed, estimated without bias from n of them: C(c, k)/C(n, k).',
    [chart('heldOutPassHat8'), setting('evaluation.every', 50, 'world-customer')],
    'For k of 2, 4 and 8 of a group’s episodes in every examination; the chart has 8, files have all.',
  ),
  method(
    'Mutual information of task and behaviour; retrieval accuracy; template collapse; RAGEN-2 diagnostics',
    'arXiv 2604.06268',
    'How much the actions tell of the task they belong to: nothing where all tasks are answered by one template, however varied.',
    [
      experiment('template-collapse'),
      chart('taskInformation'),
      setting('informationEpisodes', 4),
      chart('taskRetrieval'),
    ],
    'Behaviour is the actions of a whole episode, thoughts among them. Only the prompt is exchanged.',
  ),
  method(
    'Held-out examination; verifier’s rule; trustworthy evaluation; generalisation',
    'jasonwei.net/blog/asymmetry-of-verification-and-verifiers-law',
    'Judged on tasks that were never trained on, the same each time.',
    [setting('evaluation.every', 50), chart('heldOutSuccess'), experiment('world-key-door')],
  ),
  method(
    'Statistical precipice; rliable; interquartile mean; seeds and intervals; probability of improvement',
    'arXiv 2108.13264',
    'Says of arms only what their seeds can carry.',
    [place('sure', 'Arms compared over seeds'), setting('seeds', 8)],
    'The library’s aggregates, with differences seed by seed.',
  ),
  method(
    'Fair comparison; search for each arm; tuned baselines',
    'made for this lab',
    'Each arm has the same search for its settings, and the picks are compared on new seeds.',
    place('sure', 'Does predicting the world help? Pick against pick'),
  ),
  method(
    'Sweep; λ sweep; grid search; sweeps of anything; group size, horizon and width; inverted U',
    'made for this lab',
    'One setting over several values, as arms of one population; or any settings in all combinations, a population after the other.',
    place('sure', 'Success against'),
    'A grid is trained whole: no cell is stopped early, and no value is proposed by what came before.',
  ),
  method(
    'Failure modes; health panel; debug checklist; collapse; lights',
    'made for this lab',
    'Seven failures, each a number over curves with two thresholds: mask leak, hacking, length, missing tools, loops, no variance, entropy.',
    [place('why', 'Signs of failure'), place('lessons', 'How training fails', 'failing')],
  ),
  method(
    'Multi-environment training; mixture of worlds; multi-task',
    'arXiv 2510.04206',
    'One policy in several worlds at once.',
    [experiment('mixture'), setting('advantageScale', 'environment-deviation', 'mixture')],
  ),
  method(
    'Key, door and unseen maps; procedural generation',
    'arXiv 1912.01588',
    'Levels from a generator, those of the examination unseen.',
    [experiment('world-key-door'), setting('environment.map', 'told', 'gridworld-small', { 'environment.walls': 0.2 })],
    'Not Procgen’s games: grids in words.',
  ),
];
