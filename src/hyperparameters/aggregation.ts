/** Aggregation of the tokens' losses into one number; policy gradient, KL, entropy and critic share it. */
import { fraction, operator, over, row, symbol, words } from '../foundation/notation';
import { type Condition, choice, integer, isOneOf, type NumberSetting, real } from './setting';

const sum = operator('∑', 'the sum');
const mean = words('mean');

/**
 * One number from the losses ℓ of a batch. n_b is the number of carrying tokens in trajectory b, N in the batch; S is
 * the number of trajectories. Trajectories of dropped groups count nowhere; those that are not usable count as without
 * tokens.
 */
export const aggregation = choice(
  'Aggregation',
  'How the losses of tokens become one: DAPO averages all tokens, GRPO each trajectory first, Dr. GRPO divides by a fixed length.',
  {
    /**
     * Σ ℓ/N (DAPO). verl and SkyRL `token-mean`, OpenRLHF `token_level_loss`, prime-rl, TRL `bnpo`, `dapo`, `cispo`, `vespo`.
     */
    'token-mean': { name: 'token mean (DAPO)', formula: (_, tokens) => row(over(mean, tokens)) },
    /** Σ ℓ. verl `token-sum`. */
    'token-sum': { name: 'token sum', formula: (_, tokens) => row(over(sum, tokens)) },
    /** Σ_b (Σ_t ℓ/n_b)/S (GRPO). verl, TRL `grpo` and `sapo` and SkyRL `sequence_mean` with S of all trajectories. */
    'seq-mean-token-mean': {
      name: 'mean of trajectories’ means (GRPO)',
      formula: (_, tokens) => row(over(mean, 'trajectories'), over(mean, tokens)),
    },
    /** Σ_b (Σ_t ℓ)/S. verl; TRL `luspo` with S of all trajectories and ratios of the sequence. */
    'seq-mean-token-sum': {
      name: 'mean of trajectories’ sums',
      formula: (_, tokens) => row(over(mean, 'trajectories'), over(sum, tokens)),
    },
    /** Σ_b (Σ_t ℓ)/(S·L) (Dr. GRPO). verl, TRL `dr_grpo` and SkyRL with S of all trajectories. */
    'seq-mean-token-sum-norm': {
      name: 'sums over a fixed length (Dr. GRPO)',
      formula: (read, tokens) => {
        const length = read(lengthDenominator) > 0 ? read(lengthDenominator) : symbol('T', 'T');
        return row(over(mean, 'trajectories'), fraction(1, length), over(sum, tokens));
      },
    },
  },
);

const isByTrajectory: Condition = isOneOf(
  aggregation,
  'seq-mean-token-mean',
  'seq-mean-token-sum',
  'seq-mean-token-sum-norm',
);

const isByFixedLength: Condition = isOneOf(aggregation, 'seq-mean-token-sum-norm');

/** L, tokens; 0 is T (verl's `loss_scale_factor`, TRL's `max_completion_length`, SkyRL's `max_seq_len`). */
const lengthDenominator: NumberSetting = integer({
  label: 'Fixed length L',
  help: 'Tokens each trajectory counts as in Dr. GRPO’s aggregation; 0 is the longest there is room for.',
  default: 0,
  min: 0,
  max: 1_000_000,
  soft: [0, 256],
  when: isByFixedLength,
});

export const AGGREGATION = {
  aggregation,
  /** Trajectories that the denominator S counts. */
  countedSequences: choice(
    'Counted trajectories',
    'Whether trajectories without such a token count in the mean: verl leaves them out, TRL and SkyRL count all.',
    {
      /** Trajectories with at least one such token: verl. */
      'with-tokens': 'with tokens (verl)',
      /** All: TRL, SkyRL, verl's gmpo. */
      all: 'all (TRL)',
    },
    { when: isByTrajectory },
  ),
  lengthDenominator,
  /** Factor of the whole loss; 0 is 1 (verl's `dp_size`, 1/`gradient_accumulation_steps`). */
  lossScale: real({
    label: 'Loss scale',
    help: 'Multiplies the policy loss with its regularisers, as the number of workers does in verl.',
    default: 1,
    min: 0.0001,
    max: 10_000,
    soft: [0.01, 100],
    scale: 'log',
    step: 1.1,
  }),
} as const;
