/** Numbers of a run of an earlier release and of the same run now. */
import { expect } from 'vitest';

export interface Numbers {
  readonly experiment: { readonly updates: number; readonly diagnosticsEvery: number };
  readonly backend: string;
  readonly shard?: object;
  readonly arms: readonly {
    readonly id: string;
    readonly seeds: readonly {
      readonly seed: number;
      readonly curve: Readonly<Record<string, (number | null)[]>>;
      /** Readings of the warm start, where it was measured. */
      readonly warmStart?: object;
    }[];
  }[];
}

/** Metrics that are measured less often than they were: at the diagnosis interval alone, where no loss takes them. */
const SPARSER = ['kl'];

/** Checks that every number of a release came again, bit for bit; of `SPARSER` those that are measured still. */
export function expectSame(now: Numbers, then: Numbers): void {
  expect(membersOf(now).map(({ name }) => name)).toEqual(membersOf(then).map(({ name }) => name));
  const { updates, diagnosticsEvery } = then.experiment;
  const isDiagnosed = (update: number): boolean => diagnosticsEvery > 0 && update % diagnosticsEvery === 0;
  membersOf(then).forEach(({ name, curve, warmStart }, member) => {
    const { curve: present = {}, warmStart: presentStart } = membersOf(now)[member] ?? {};
    expect(presentStart).toEqual(warmStart);
    expect(curve.successRate).toHaveLength(updates);
    for (const [metric, values] of Object.entries(curve)) {
      const isLeftOut = (update: number): boolean =>
        SPARSER.includes(metric) && present[metric]?.[update] === null && !isDiagnosed(update);
      const wanted = values.map((value, update) => (isLeftOut(update) ? null : value));
      expect(present[metric], `${metric} of ${name}`).toEqual(wanted);
    }
  });
}

const membersOf = ({ arms }: Numbers) =>
  arms.flatMap(({ id, seeds }) => seeds.map(({ seed, ...rest }) => ({ name: `${id}/${seed}`, ...rest })));
