/** Success of a random policy in an environment. A simulated one takes a little time per task, so that the page stays alive. */
import { useEffect, useState } from 'react';
import type { Environment } from '../../environments/environment';
import { randomSuccesses } from '../../environments/replay';

/** Milliseconds of simulation at a stretch. */
const SLICE = 8;

const rates = new WeakMap<Environment, Promise<number | null>>();

/** Success of a random policy; null where unknown, or not known yet. */
export function useRandomSuccess(environment: Environment | null): number | null {
  const [known, setKnown] = useState<{ environment: Environment; rate: number | null } | null>(null);
  useEffect(() => {
    let current = true;
    if (environment === null) return;
    void randomSuccessOf(environment).then((value) => {
      if (current) setKnown({ environment, rate: value });
    });
    return () => {
      current = false;
    };
  }, [environment]);
  return known?.environment === environment ? known.rate : null;
}

/** Success of a random policy; null where unknown. */
export function randomSuccessOf(environment: Environment): Promise<number | null> {
  // A user's world that cannot be played says so where it is drawn.
  const rate = rates.get(environment) ?? measure(environment).catch(() => null);
  rates.set(environment, rate);
  return rate;
}

async function measure(environment: Environment): Promise<number | null> {
  if (environment.elsewhere !== undefined) return environment.elsewhere.randomSuccess();
  if (environment.simulatedEpisodes === undefined) return environment.randomSuccess;
  const simulation = randomSuccesses(environment, environment.simulatedEpisodes);
  for (;;) {
    const end = performance.now() + SLICE;
    do {
      const { done, value } = simulation.next();
      if (done) return value;
    } while (performance.now() < end);
    await new Promise((resolve) => setTimeout(resolve));
  }
}
