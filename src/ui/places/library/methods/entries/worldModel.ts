/** Losses on observations: predicting them, and the controls of it. */
import { aboutObjective } from '../../../../../experiment/objectives/objectiveAbout';
import { chart, experiment, type Method, method, objective, place, setting } from '../method';
import { named } from './policy';

const PREDICTS = { 'ce.observation': 0.1 };

export const worldModelMethods: readonly Method[] = [
  named(
    'echo',
    'ECHO; environment cross-entropy; world-model loss; auxiliary observation loss; microsoft echo-rl; SkyRL ECHO',
    [setting('ce.observation', 0.05), objective('echo-paper')],
  ),
  named('echo-paper', 'ECHO, the paper’s equation'),
  named('echo-verl', 'ECHO on verl; verl-recipe echo'),
  named('echo-prime-rl', 'ECHO on prime-rl; per-role weights; True agents model the world'),
  named('echo-trl', 'ECHO on TRL; OpenEnv demonstration'),
  named('echo-rllm', 'ECHO on rLLM'),
  named('echo-constant-advantage', 'OpenEnv RFC 010; constant advantage; SFT as RL; world_loss_target'),
  named('world-model', 'World model, as the lab begins; λ; lambda of the world model'),
  named(
    'paw-low',
    'PaW; policy and world model; noise-tolerant world-model loss; clipped MAE; CMAE; clipped mean absolute error; action-entropy selection',
    [
      objective('paw-high'),
      setting('worldModelTurnShare', 0.75, 'gridworld-small', PREDICTS),
      setting('worldModelRewardScale', 1, 'gridworld-small', PREDICTS),
    ],
    `The loss is linear in the probability p of a word, max(0, ρ − p). ${aboutObjective('paw-low').caveat}`,
  ),
  named('paw-high', 'PaW, threshold 0.8'),
  named('actobs', 'ActObs by successes; online ActObs'),
  method(
    'ActObs; Don’t mask the environment; supervise observations in SFT',
    'arXiv 2609.20715',
    'Supervised training before reinforcement learns observations besides actions; the reinforcement after it is masked as usual.',
    [
      experiment('actobs'),
      setting('warmStart', 'actions-and-observations'),
      setting('warmStart', 'observations-then-actions'),
      setting('warmStart.observationWeight', 0.5, 'gridworld-small', { warmStart: 'actions-and-observations' }),
      setting('warmStart.measureEvery', 10, 'gridworld-small', { warmStart: 'actions-and-observations' }),
    ],
    'Demonstrations come from a script or a random policy, not from a language model. Under Training, over the warm start’s steps: pass@1 and pass@16, entropy, KL to the start, and the ratio and cosine of the gradients of observations and actions. How the paper weighs observations is not told in what is public: the weight is a setting.',
  ),
  named('env-only', 'World model only; environment-only training; verifier-free adaptation'),
  named('failed-only', 'World model from failures'),
  named('solved-only', 'World model from successes'),
  named('shared-denominator', 'Shared denominator; normalisation of two losses'),
  named('step-decay', 'Step decay of λ; handover', [
    setting('worldModelSchedule', 'linear', 'gridworld-small', PREDICTS),
  ]),
  named('no-mask', 'No mask; unmasked policy gradient; forgotten mask; mask leak', [
    experiment('failure-mask-leak'),
    experiment('mask-bug-inverted'),
  ]),
  method(
    'Mask inside or outside the ratio; mask in the log-ratio; masked importance ratio',
    'made for this lab',
    'A mask may multiply the loss of a token or its log-ratio: the derivatives are the same, what is logged of ratios and clips is not.',
    experiment('mask-in-ratio'),
    'A test holds the derivatives to be equal bit for bit.',
  ),
  named('placebo', 'Placebo; shuffled observations; shuffled-gold control'),
  named(
    'prediction-reward',
    'Dark Room; The Dark Room in the Reward Channel; prediction as reward; curiosity turned round',
    [objective('prediction-reward-no-std'), experiment('failure-loops')],
  ),
  named('prediction-reward-no-std', 'Dark Room without deviation'),
  method(
    'Noisy TV; unpredictable observations; stochastic environment',
    'arXiv 1808.04355',
    'Part of what is seen is chance: an agent paid for surprise, or trained to predict, never finishes with it.',
    [experiment('noisy-tv'), setting('environment.noiseShare', 0.3), chart('observationFloor')],
    'The entropy of what nobody can foresee is computed exactly and drawn under the curve. The paper’s agents are paid for surprise; here prediction is a loss.',
  ),
  method(
    'ECHO’s maze; microcosm of ECHO',
    'arXiv 2605.24517',
    'A transformer trained from scratch on fresh mazes; the world answers with the neighbouring cells and the way to the goal.',
    setting('environment.observation', 'egocentric', 'gridworld-small', {
      'environment.walls': 0.2,
      'environment.map': 'told',
    }),
    'Some 100,000 parameters or fewer, where the authors write of 10 million; four neighbours and a direction instead of a distance.',
  ),
  method(
    'BabyAI; text gridworld; ECHO on BabyAI',
    'arXiv 1810.08272',
    'A partly seen grid in words, with keys, doors and boxes.',
    [setting('environment.puzzle', 'key-door'), experiment('world-key-door')],
    'The lab’s own grid and words, without instructions in sentences. The study of ECHO on BabyAI (Hoy and Mueller, 2026) used λ of 0.05 to 1, three seeds and a language model.',
  ),
  method(
    'Role leakage; imagined observations',
    'bhoy1.github.io/echo-babyai-findings',
    'A policy trained to write observations may write them where an action belongs.',
    [setting('environment.decoding', 'free'), chart('warningShare')],
    'Where only legal actions can be drawn it cannot happen; with free decoding it shows as warned turns.',
  ),
  method(
    'Dreams; world models; world model rollout; imagination',
    'arXiv 1803.10122',
    'The policy writes what it expects the world to answer, and goes on from there.',
    place('why', 'Look inside an episode'),
    'For looking only: nothing is trained inside a dream, as the controllers of that paper are.',
  ),
  method(
    'Linear probes; what is represented',
    'arXiv 1610.01644',
    'A linear reading of the hidden state tells what a policy knows of its world.',
    place('why', 'What can be read off the policy'),
  ),
  method(
    'Activation steering; activation addition; causal probing; interventions',
    'arXiv 2210.13382, arXiv 2308.10248, arXiv 2312.06681',
    'What a probe reads is moved inside the policy, and one sees whether it then acts as from there.',
    place('why', 'What can be read off the policy'),
    'By differences of mean activations, at the last token before an action; random directions and a third cell of the same length stand beside it. Othello’s moves changed by gradient steps on a probe; sentences by a fixed vector at every token.',
  ),
  method(
    'Gradient cosine; conflict of gradients; orthogonal gradients',
    'arXiv 2609.20715',
    'The angle between what the reward asks of the weights and what prediction asks.',
    [chart('gradientCosine'), chart('worldModelGradNorm'), place('why', 'What a batch teaches')],
    'Measured every few updates during reinforcement, and between the steps of a warm start where that is asked for.',
  ),
  method(
    'TAPO; world model and policy in turn; alternating updates',
    'arXiv 2607.27973',
    'Updates of the world model alone stand between those of the policy, instead of one loss that mixes both.',
    [
      setting('worldModelEvery', 2, 'gridworld-small', { 'ce.observation': 0.1, worldModelBetween: 'policy' }),
      experiment('world-model-in-turn'),
    ],
    'From a summary of the paper. “In between” sets what the other updates train. λ by success: the entry below, and PaW’s balance by group.',
  ),
  method(
    'λ by success; λ by formula; schedule of the world-model weight; curriculum of an auxiliary loss',
    'made for this lab',
    'The weight of prediction follows the run: a prediction loss of one’s own reads the update and the running success rate.',
    [
      experiment('lambda-by-success'),
      setting('worldModelSchedule', 'linear', 'gridworld-small', PREDICTS),
      setting('worldModelRewardScale', 1, 'gridworld-small', PREDICTS),
    ],
    'The running rate is an exponential mean over some ten updates, from before the update’s own episodes. The whole length of a run is no name of the language: a run can be made longer while it trains.',
  ),
  method(
    'Early Experience; Agent learning via early experience; implicit world modelling; implicit world modeling',
    'arXiv 2510.08558',
    'Before any reward a policy predicts what the expert’s actions and others lead to, and then imitates the expert.',
    [
      experiment('actobs'),
      setting('warmStart', 'observations-then-actions'),
      setting('warmStart.noisy', 0.5, 'calculator-without-tool', { warmStart: 'observations-then-actions' }),
    ],
    'Of all papers the nearest to what this lab asks. The other actions are random ones within demonstrations, which go on from there; the paper tries the policy’s own at every state of the expert. Its second way, to reflect in words on why the expert did better, would need a language model that can.',
  ),
  method(
    'RWML; Reinforcement world model learning; next-state reward; frozen world model',
    'arXiv 2602.05842',
    'A stage of its own rewards predicted states that are like the real ones, in an embedding; reinforcement by success comes after it.',
    [
      setting('kl.observation', 1, 'gridworld-small', {
        warmStart: 'observations',
        klCoefficient: 0.1,
        'kl.action': 0,
      }),
      setting('worldModelEvery', 2, 'gridworld-small', { 'ce.observation': 0.1, worldModelBetween: 'policy' }),
      setting('warmStart', 'observations'),
    ],
    'The stage is cross-entropy: there are no embeddings to compare. The policy that it ends with is frozen as the reference; a KL on observations alone holds the predictions to it while success trains the actions. Stages in turn are the second setting, where nothing is frozen.',
  ),
  method(
    'CubeLM; Better world models can lead to better post-training; Rubik’s cube',
    'Better World Models Can Lead to Better Post-Training Performance (2025)',
    'Predicting the state of a small cube before GRPO makes states easier to read and to steer inside the network, and success follows.',
    [setting('warmStart', 'observations'), place('why', 'What can be read off the policy')],
    'Grids and other small worlds instead of a cube; observations instead of whole states. Lists of the field have the name CubeLM; that they mean this study is our reading.',
  ),
  method(
    'VPT; Video pre-training; inverse dynamics; inverse dynamics model; IDM',
    'arXiv 2206.11795',
    'Predicts the action from what was seen before and after it.',
    [setting('inverseDynamics', 1), experiment('inverse-dynamics'), chart('inverseCrossEntropy')],
    'A loss of the policy’s own beside the others, on sequences of one turn. VPT trains a model of its own that sees both sides, and labels videos with it; nothing is unlabelled here.',
  ),
];
