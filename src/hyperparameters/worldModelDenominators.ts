/**
 * Denominators of a token's weight in the world-model loss: one of its own trajectory or group, one of the batch.
 * "Selected" tokens are those whose role has a cross-entropy weight, in the trajectories and turns chosen.
 */
import { type Notation, plus, row, symbol, words } from '../foundation/notation';
import { type Condition, choice, integer, isOneOf, type NumberSetting, type ReadSetting, real } from './setting';

/** Notation of a count of tokens, plus its ε. */
const counted =
  (what: string) =>
  (read: ReadSetting): Notation => {
    const epsilon = read(worldModelCountEpsilon);
    return epsilon > 0 ? row(words(what), plus, epsilon) : words(what);
  };

/** Denominator of the token's own trajectory or group. */
export const worldModelSequenceDenominator = choice(
  'Divided in a trajectory by',
  'What a token’s weight is divided by within its trajectory: ECHO’s authors count warnings too, prime-rl and TRL divide by the batch alone.',
  {
    /** 1: all tokens of the batch count alike (token mean, token sum). */
    none: 'nothing (token mean)',
    /**
     * Selected tokens of the trajectory: every trajectory counts alike (verl's seq-mean-token-mean; ECHO's `selected_tokens`).
     */
    'selected-tokens': { name: 'its predicted tokens (verl)', formula: counted('predicted tokens') },
    /**
     * Observation and warning tokens of the trajectory, selected or not: the more warnings, the less an observation counts
     * (ECHO's authors, `full_observation_tokens`).
     */
    'observation-tokens': {
      name: 'its observations and warnings (ECHO’s authors)',
      formula: counted('observations, warnings'),
    },
    /** A constant, worldModelLength (seq-mean-token-sum-norm; SkyRL's `max_seq_len`). */
    length: {
      name: 'a fixed length',
      formula: (read) => (read(worldModelLength) > 0 ? row(read(worldModelLength)) : symbol('T', 'T')),
    },
    /** Selected tokens of the whole group: every task counts alike (PaW, reconstructed). */
    'group-selected-tokens': {
      name: 'predicted tokens of its group (PaW)',
      formula: counted('predicted tokens of its group'),
    },
  },
);

/** Denominator of the batch. */
export const worldModelBatchDenominator = choice(
  'Divided in the batch by',
  'What the sum is divided by; λ means something else with each, so compare the weight of one token shown beside λ.',
  {
    /** Selected tokens: own count. The lab's default; prime-rl, OpenEnv on TRL, rLLM without global counts. */
    'selected-tokens': { name: 'own count of predicted tokens (prime-rl)', formula: counted('predicted tokens') },
    /** Action tokens: the world-model loss shares the policy's denominator (rLLM in training). */
    'action-tokens': { name: 'action tokens (rLLM)', formula: counted('actions') },
    /** Action, observation and warning tokens: one denominator for everything that was learnt from. */
    'all-tokens': {
      name: 'actions, observations and warnings together',
      formula: counted('actions, observations, warnings'),
    },
    /** All trajectories, also those without a selected token (ECHO's authors). */
    sequences: { name: 'all trajectories (ECHO’s authors)', formula: () => words('trajectories') },
    /** Trajectories with selected tokens (verl). */
    'selected-sequences': {
      name: 'trajectories with predicted tokens (verl)',
      formula: () => words('trajectories that predict'),
    },
    /** Trajectories with action tokens (rLLM's managed backend). */
    'action-sequences': {
      name: 'trajectories with actions (rLLM managed)',
      formula: () => words('trajectories that act'),
    },
    /** Groups, also those without a selected token (PaW, reconstructed). */
    groups: { name: 'groups (PaW)', formula: () => words('groups') },
    /** worldModelDenominator for every batch: a count over several batches or machines. */
    given: { name: 'a given number', formula: (read) => row(read(worldModelDenominator)) },
    /** 1: the raw sum (rLLM on tinker). */
    none: 'nothing: a raw sum (rLLM on tinker)',
  },
);

const isFixedLength: Condition = isOneOf(worldModelSequenceDenominator, 'length');
const isGiven: Condition = isOneOf(worldModelBatchDenominator, 'given');

/** ε, added to divisors that count tokens: 1e-3 in ECHO's authors' code, 1e-8 in verl's seq-mean-token-mean, else 0. */
const worldModelCountEpsilon: NumberSetting = real({
  label: 'Added to token counts',
  help: 'Keeps a division by a count of tokens finite: 0.001 in ECHO’s authors’ code, 1e-8 in verl.',
  default: 0,
  min: 0,
  max: 1,
  soft: [0, 0.01],
  step: 0.001,
});

/** 'length': its number of tokens; 0 is the context T. */
const worldModelLength: NumberSetting = integer({
  label: 'Fixed length',
  help: 'Tokens a trajectory counts as when divided by a fixed length; 0 is the longest there is room for.',
  default: 0,
  min: 0,
  max: 1_000_000,
  soft: [0, 256],
  when: isFixedLength,
});

/** 'given': the denominator; 0 counts as 1. */
const worldModelDenominator: NumberSetting = real({
  label: 'Given denominator',
  help: 'Divides the world-model loss when the batch is divided by a given number, whatever it holds.',
  default: 1000,
  min: 1,
  max: 1e9,
  soft: [1, 10_000],
  scale: 'log',
  step: 1.1,
  when: isGiven,
});

export const DENOMINATORS = {
  worldModelSequenceDenominator,
  worldModelBatchDenominator,
  worldModelCountEpsilon,
  worldModelLength,
  worldModelDenominator,
} as const;
