/**
 * Settings that the search tries, the same for every arm. First round: every initialisation with every learning rate,
 * sixteen in all; levels of the other settings are dealt out in equal shares. Second round: for each of the two best
 * settings, its initialisation and learning rate with four draws of the others. The four best of these 24 by area get two
 * more seeds; the best of the four, by its mean over three seeds, is the arm's pick.
 */
import { RandomStream, STREAM } from '../../../foundation/philox';
import type { LinkFields } from '../ledger';
import { type ArmId, armFields } from './arms';
import type { SearchWorld } from './worlds';

const INITIALISATIONS = ['normal-0.02', 'normal-0.05', 'fan-in', 'gpt-2'] as const;
export type Initialisation = (typeof INITIALISATIONS)[number];
const LEARNING_RATES = [5e-4, 1e-3, 2e-3, 4e-3] as const;
const OTHERS = {
  /** Updates of warm-up, as a share of all. */
  warmUp: [0, 1 / 15],
  entropy: [0.003, 0.01, 0.03, 0.06],
  innerEpochs: [1, 2, 4],
  /** Factor of the world's own tasks an update. The number of updates is divided by it, so the number of episodes stays. */
  batch: [0.5, 1, 2],
  /** World-model weight; ignored by arms without a world model. */
  lambda: [0.05, 0.1, 0.2, 0.4],
} as const;

export interface SearchSetting {
  readonly id: string;
  readonly initialisation: Initialisation;
  readonly learningRate: number;
  readonly warmUp: number;
  readonly entropy: number;
  readonly innerEpochs: number;
  readonly batch: number;
  readonly lambda: number;
}

type Others = Omit<SearchSetting, 'id' | 'initialisation' | 'learningRate'>;

/** `count` draws for a round of a search. Levels of a setting come up equally often, or differ by one. */
function deal(count: number, round: number, search: number): Others[] {
  const columns = Object.entries(OTHERS).map(([name, levels], factor) => {
    const random = new RandomStream(0, STREAM.statistics, round, factor, search);
    const cards: number[] = Array.from({ length: count }, (_, i) => levels[i % levels.length] as number);
    for (let i = count - 1; i > 0; i--) {
      const swapped = random.below(i + 1);
      [cards[i], cards[swapped]] = [cards[swapped] as number, cards[i] as number];
    }
    return [name, cards] as const;
  });
  return Array.from({ length: count }, (_, i) =>
    Object.fromEntries(columns.map(([name, cards]) => [name, cards[i] as number])),
  ) as unknown as Others[];
}

const number = (index: number): string => String(index + 1).padStart(2, '0');

/** Settings of the first round of a search, sixteen. `search`: its number, from 0. */
export const firstRound = (search: number): SearchSetting[] =>
  deal(INITIALISATIONS.length * LEARNING_RATES.length, 0, search).map((others, i) => ({
    id: number(i),
    initialisation: INITIALISATIONS[i % INITIALISATIONS.length] as Initialisation,
    learningRate: LEARNING_RATES[Math.floor(i / INITIALISATIONS.length)] as number,
    ...others,
  }));

/** Settings of the second round: eight, four for each of the two best so far. */
export function secondRound(best: readonly SearchSetting[], search: number): SearchSetting[] {
  return deal(8, 1, search).map((others, i) => {
    const { initialisation, learningRate } = best[Math.floor(i / 4)] as SearchSetting;
    return { id: number(INITIALISATIONS.length * LEARNING_RATES.length + i), initialisation, learningRate, ...others };
  });
}

const INITIAL_FIELDS: Readonly<Record<Initialisation, LinkFields>> = {
  'normal-0.02': { 'policy.initialisation': 'normal', 'policy.initialScale': 0.02 },
  'normal-0.05': { 'policy.initialisation': 'normal', 'policy.initialScale': 0.05 },
  'fan-in': { 'policy.initialisation': 'fan-in' },
  'gpt-2': { 'policy.initialisation': 'gpt-2' },
};

/** Fields of a link for an arm with a setting in a world. `seed`: the experiment's, from which all randomness is drawn. */
export function fieldsOf(world: SearchWorld, arm: ArmId, setting: SearchSetting, seed: number): LinkFields {
  const updates = world.updates / setting.batch;
  return {
    ...world.fields,
    seed,
    seeds: 16,
    updates,
    'evaluation.every': updates,
    'batch.groups': world.groups * setting.batch,
    ...INITIAL_FIELDS[setting.initialisation],
    ...armFields(arm, {
      learningRate: setting.learningRate,
      learningRateWarmUp: Math.round(setting.warmUp * updates),
      entropyCoefficient: setting.entropy,
      innerEpochs: setting.innerEpochs,
      lambda: setting.lambda,
    }),
  };
}
