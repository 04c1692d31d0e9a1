/** Results of linear probes, put together for reading: arm by arm a mean over the seeds probed. */
import { targetsCalled } from '../../../../../environments/probes';
import { summarise, tellingInterval } from '../../../../../experiment/conclude/statistics';
import type { Probed } from '../../../../../train/looks/shown';
import type { ProbeMoment } from '../../../../../train/protocol';

/** Target that probes look for, and the tokens at which they read. */
export interface ProbeQuery {
  readonly target: string;
  readonly moment: ProbeMoment;
}

/** Shares predicted rightly; means over the seeds, with a 95% interval where several were probed. */
export interface ProbeAccuracy {
  readonly arm: string;
  readonly seeds: number;
  /** Tokens of all seeds. */
  readonly examples: number;
  readonly majority: number;
  readonly layers: readonly {
    readonly accuracy: number;
    readonly interval: readonly [low: number, high: number] | null;
    readonly untrained: number;
  }[];
}

export const MOMENT_NAMES: Readonly<Record<ProbeMoment, string>> = {
  action: 'after its action, before the answer',
  answer: 'after the answer',
};

/** Targets that this world has, in their order. */
export function targetsOf(probed: Probed): { id: string; name: string }[] {
  return targetsCalled(new Set(probed.members.flatMap(({ probes }) => probes.map(({ target }) => target))));
}

/** Arms of which nothing could be asked are left out. */
export function answersTo({ target, moment }: ProbeQuery, { members }: Probed): ProbeAccuracy[] {
  const arms = [...new Set(members.map(({ arm }) => arm))];
  return arms.flatMap((arm) => {
    const probes = members
      .filter((member) => member.arm === arm)
      .flatMap((member) => member.probes.filter((probe) => probe.target === target && probe.moment === moment));
    const [first] = probes;
    if (first === undefined) return [];
    const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
    const layers = first.accuracy.map((_, layer) => {
      const accuracy = summarise(probes.map((probe) => probe.accuracy[layer] as number));
      return {
        accuracy: accuracy.mean as number,
        interval: tellingInterval(accuracy),
        untrained: mean(probes.map((probe) => probe.untrained[layer] as number)),
      };
    });
    const examples = probes.reduce((sum, probe) => sum + probe.examples, 0);
    return [{ arm, seeds: probes.length, examples, majority: mean(probes.map(({ majority }) => majority)), layers }];
  });
}

/** Layer 0 is what goes into the first block. */
export function layerName(layer: number): string {
  return layer === 0 ? 'embeddings' : `after block ${layer}`;
}
