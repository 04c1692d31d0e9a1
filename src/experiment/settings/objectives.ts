/**
 * Names of the objectives an arm can begin from; objectives/ has what each sets. An arm keeps the name, so the screen can
 * show what was changed since. Ids stand in links: published ones stay.
 */
import { choice } from '../../hyperparameters/setting';

/** Titles by id, in the order they are offered; the first is the default. */
export const OBJECTIVE_TITLES = {
  lab: 'GRPO, as the lab begins',
  grpo: 'GRPO',
  'dr-grpo': 'Dr. GRPO',
  dapo: 'DAPO',
  gspo: 'GSPO',
  luspo: 'LUSPO',
  'turn-ratio': 'Ratio by turn',
  cispo: 'CISPO',
  rloo: 'RLOO',
  gdpo: 'GDPO',
  'reinforce-pp': 'REINFORCE++',
  'reinforce-pp-baseline': 'REINFORCE++ baseline',
  remax: 'ReMax',
  ppo: 'PPO with a critic',
  vapo: 'VAPO-like',
  'vapo-whole': 'VAPO',
  maxrl: 'MaxRL',
  gigpo: 'GiGPO',
  rtmc: 'RTMC',
  opo: 'OPO',
  gpg: 'GPG',
  'pass-at-k': 'Pass@k training',
  otb: 'Optimal token baseline',
  erpo: 'ERPO (AutoForge)',
  agentrl: 'AgentRL task normalisation',
  'bilevel-gae': 'Bi-level GAE (RAGEN, VAGEN)',
  sapo: 'SAPO',
  gmpo: 'GMPO',
  dppo: 'DPPO',
  'prime-rl': 'prime-rl',
  'prime-ipo': 'IPO (prime-rl)',
  dro: 'DRO',
  'reinforce-kl': 'REINFORCE with KL (rLLM)',
  'clip-cov': 'Clip-Cov',
  'kl-cov': 'KL-Cov',
  vespo: 'VESPO',
  tis: 'TIS, truncated importance sampling',
  icepop: 'IcePop',
  'starpo-s': 'StarPO-S',
  'ragen-2': 'RAGEN-2 filter',
  'world-model': 'World model, as the lab begins',
  echo: 'ECHO, the authors’ code',
  'echo-paper': 'ECHO, the paper’s equation',
  'echo-verl': 'ECHO on verl',
  'echo-prime-rl': 'ECHO on prime-rl',
  'echo-trl': 'ECHO on TRL (OpenEnv)',
  'echo-rllm': 'ECHO on rLLM',
  'echo-constant-advantage': 'ECHO as a constant advantage',
  'paw-low': 'PaW, threshold 0.2',
  'paw-high': 'PaW, threshold 0.8',
  actobs: 'ActObs-style',
  'env-only': 'World model only',
  'failed-only': 'World model from failures',
  'solved-only': 'World model from successes',
  'shared-denominator': 'World model, divided by all tokens',
  'step-decay': 'World model, then policy alone',
  'no-mask': 'No mask: the classic error',
  placebo: 'Placebo: shuffled observations',
  'prediction-reward': 'Prediction as reward',
  'prediction-reward-no-std': 'Prediction as reward, without deviation',
} as const;

export type ObjectiveId = keyof typeof OBJECTIVE_TITLES;

export const OBJECTIVE = {
  objective: choice(
    'Objective',
    'The objective this arm began from, with all of its settings; what was changed since decides.',
    OBJECTIVE_TITLES,
  ),
} as const;
