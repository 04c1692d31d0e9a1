/** Fault: something that goes wrong on purpose, and a judgement of what was lost by it. */
export interface Fault {
  /** Name, for `--only`. */
  readonly name: string;
  /** The fault, in words. */
  readonly injected: string;
  /** Number of injections in the tests, and in `npm run faults` unless --times says otherwise. */
  readonly times: { readonly short: () => number | Promise<number>; readonly long: () => number | Promise<number> };
  /** Injects it once, and says what was lost: null for nothing. `n` counts from 0; the same n is the same fault. */
  inject(n: number): Promise<string | null>;
  /** Reason why this machine cannot have the fault; null if it can. */
  missing?(): string | null;
}

export const times = (short: number, long: number): Fault['times'] => ({ short: () => short, long: () => long });

/** Injections and what was lost by them. */
export interface Outcome {
  readonly times: number;
  readonly lost: readonly string[];
}

export async function injectAll(
  fault: Fault,
  count: number,
  told: (done: number) => void = () => {},
): Promise<Outcome> {
  const lost: string[] = [];
  for (let n = 0; n < count; n++) {
    const what = await fault.inject(n);
    if (what !== null) lost.push(`${fault.name} ${n}: ${what}`);
    told(n + 1);
  }
  return { times: count, lost };
}
