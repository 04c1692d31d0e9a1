/**
 * Findings of the recorded runs, in the few sentences that experiments need; verdicts and numbers are loaded later.
 * `npm run fair -- --report` writes them, and a test compares them with the runs.
 */
import known from './known.json';

/** What was recorded of a world with both arms at the settings that a search picked for the mask; empty if nothing was. */
export function knownAtMask(world: string): string {
  const texts: Readonly<Record<string, string>> = known.atMask;
  return texts[world] ?? '';
}

/** Recorded result of a world with both arms at the mask's pick, where it does not bear the verdict out; else empty. */
export function knownContrary(world: string): string {
  const texts: Readonly<Record<string, string>> = known.contrary;
  return texts[world] ?? '';
}
