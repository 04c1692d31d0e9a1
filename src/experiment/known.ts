/**
 * What the recorded runs say, in the few sentences that the first screen and its experiment need; the numbers behind them
 * are loaded later. Written by `npm run fair -- --report`, and held to the runs by a test.
 */
import known from './known.json';

export const { headline: KNOWN_HEADLINE, first: KNOWN_OF_FIRST } = known;

/** A world's verdict, best against best; undefined where it was not among them. */
export function knownVerdict(world: string): string | undefined {
  const verdicts: Readonly<Record<string, string>> = known.verdicts;
  return verdicts[world];
}
