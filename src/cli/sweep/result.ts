/** Result of a sweep: one JSON value of small numbers, made from the results of its cells. Undefined numbers are null. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { summarise } from '../../experiment/conclude/statistics';
import type { Axis } from '../../experiment/grid/axes';
import type { Cell } from '../../experiment/grid/cells';
import { type ArmNumbers, gridInWords, numbersOf, type SweptNumber } from '../../experiment/grid/finding';
import { encodeLink } from '../../experiment/link/link';
import { MachinesSchema } from '../../experiment/machines';
import { checkExperiment } from '../../experiment/parse';
import type { Interval, RunResult } from '../../train/result/result';
import { cellFolder, type ReadPlan } from './folder';

const CellResult = v.object({
  experiment: v.unknown(),
  backend: v.string(),
  adapter: v.string(),
  machines: v.optional(MachinesSchema, []),
  wallSeconds: v.number(),
  tokens: v.number(),
  arms: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      seeds: v.array(
        v.object({
          seed: v.number(),
          curve: v.object({ successRate: v.array(v.nullable(v.number())) }),
          nonFinite: v.unknown(),
        }),
      ),
    }),
  ),
});

export interface SweptArm extends ArmNumbers {
  readonly summary: { readonly final: Interval; readonly area: Interval };
}

export interface SweptCell extends Pick<RunResult, 'backend' | 'adapter' | 'machines' | 'wallSeconds' | 'tokens'> {
  readonly values: readonly string[];
  /** The cell alone, as a link's fragment. */
  readonly link: string;
  /** True where the gradient of a policy is not finite. */
  readonly diverged: boolean;
  readonly arms: readonly SweptArm[];
}

export interface SweepResult {
  readonly link: string;
  readonly axes: readonly Axis[];
  readonly shard?: string;
  readonly cells: readonly SweptCell[];
  /** Finding in sentences, one an arm. */
  readonly finding: readonly string[];
}

/** A finished cell; null where its run is not done. */
export async function readCell(folder: string, cell: Cell): Promise<SweptCell | null> {
  const text = await readFile(join(cellFolder(folder, cell), 'result.json'), 'utf8').catch(() => null);
  if (text === null) return null;
  const read = v.safeParse(CellResult, JSON.parse(text));
  if (!read.success) return null;
  const { experiment, arms, ...run } = read.output;
  const isWhole = arms.every(({ seeds }) =>
    seeds.every(({ curve }) => curve.successRate.length === cell.experiment.updates),
  );
  // Read like a file: a lab that has learned new settings since fills them in.
  const trained = checkExperiment(experiment).experiment;
  if (!isWhole || JSON.stringify(trained) !== JSON.stringify(cell.experiment)) return null;
  return {
    values: cell.values,
    link: encodeLink(cell.experiment),
    backend: run.backend,
    adapter: run.adapter,
    machines: run.machines,
    wallSeconds: run.wallSeconds,
    tokens: run.tokens,
    diverged: arms.some(({ seeds }) => seeds.some(({ nonFinite }) => nonFinite !== null)),
    arms: arms.filter(({ seeds }) => seeds.length > 0).map(sweptArm),
  };
}

function sweptArm(arm: v.InferOutput<typeof CellResult>['arms'][number]): SweptArm {
  const numbers = numbersOf(arm);
  const over = (by: SweptNumber): Interval => overSeeds(numbers.seeds.map((seed) => seed[by]));
  return { ...numbers, summary: { final: over('final'), area: over('area') } };
}

function overSeeds(values: readonly (number | null)[]): Interval {
  const { mean, interval } = summarise(values);
  return { mean, low: interval?.[0] ?? null, high: interval?.[1] ?? null };
}

export function sweepResult({ link, axes, shard }: ReadPlan, cells: readonly SweptCell[]): SweepResult {
  return { link, axes, ...(shard === undefined ? {} : { shard }), cells, finding: gridInWords(axes, cells) };
}
