/** Outcome of a changed belief, for reading: means, counts and sentences. */
import type { BeliefView } from '../../../../../train/looks/shown';

type Steered = BeliefView['tried']['steered'][number];

/** Depth in the policy and strength at which the belief is changed. */
export interface Push {
  readonly blocks: number;
  readonly strength: number;
}

/** Words of strengths: 1 is the whole way from one cell's mean activation to the other's. */
const WAYS: Readonly<Record<number, string>> = {
  0.5: 'half the way',
  1: 'the whole way',
  1.5: 'one and a half',
  2: 'twice the way',
  3: 'three times',
};

export const strengthsOf = ({ tried }: BeliefView): [string, string][] =>
  [...new Set(tried.steered.map(({ strength }) => strength))].map((one) => [String(one), WAYS[one] ?? `${one} times`]);

export const depthsOf = ({ tried }: BeliefView): number[] => [...new Set(tried.steered.map(({ blocks }) => blocks))];

/**
 * Results of pushing the belief at the chosen depth, in blocks, and strength; at the deepest depth tried if the policy has fewer
 * blocks.
 */
export function steeredAt({ tried }: BeliefView, { blocks, strength }: Push): Steered | undefined {
  const own = tried.steered.filter((one) => one.strength === strength);
  return own.find((one) => one.blocks === blocks) ?? own.at(-1);
}

/** Mean probability of each action over the random directions. */
export const meanOfRandom = ({ random, after }: Steered): number[] =>
  after.map((_, action) => random.reduce((sum, one) => sum + (one[action] ?? 0), 0) / random.length);

export const cellName = ([x, y]: readonly [number, number]): string => `column ${x + 1}, row ${y + 1}`;

/** Arrows for the four moves; any other action by its word. */
const ARROWS: Readonly<Record<string, string>> = { up: '↑', down: '↓', left: '←', right: '→' };
export const actionSign = (word: string): string => ARROWS[word] ?? word.slice(0, 2);

export function beliefWords({ tried, actions }: BeliefView, steered: Steered): string {
  const likeliest = (decision: readonly number[]): string => actions[decision.indexOf(Math.max(...decision))] ?? '';
  const [before, after, there] = [tried.before, steered.after, tried.there].map(likeliest);
  if (before === there) {
    const now = after === before ? 'and does so still' : `and now “${after}”`;
    return `Its likeliest action is “${before}” in both places, ${now}. Choose a cell with another sign to see whether it walks as from there.`;
  }
  const came =
    after === there
      ? `Its likeliest action goes from “${before}” to “${after}”, as where it truly is there.`
      : after === before
        ? `Its likeliest action stays “${before}”; where it truly is there it is “${there}”.`
        : `Its likeliest action goes from “${before}” to “${after}”, and not to “${there}” as where it truly is there.`;
  const alike = steered.random.filter((one) => likeliest(one) === there).length;
  const third = likeliest(steered.elsewhere) === there ? 'does' : 'does not';
  return `${came} Of ${steered.random.length} pushes of the same length in random directions ${alike} lead to “${there}”; one towards a third cell ${third}.`;
}
