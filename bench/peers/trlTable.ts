/** What the curves of bench/trlCurves.ts come to, as the table of docs/scale.md. */
import { final, meanOf, summarise, unpairedDifference } from '../../src/experiment/conclude/statistics';

export interface Seed {
  readonly seed: number;
  readonly curve: Readonly<Record<string, readonly (number | null)[]>>;
}

export interface TrlCurves {
  readonly arms: readonly { readonly id: string; readonly name: string; readonly seeds: readonly Seed[] }[];
}

/** Updates whose mean is an end. */
const LAST = 10;

const MEASURES: readonly [name: string, metric: string, of: (curve: Seed['curve'][string]) => number | null][] = [
  ['reward, all updates', 'return', meanOf],
  [`reward, last ${LAST}`, 'return', (curve) => final(curve, LAST)],
  [`Tom's questions, last ${LAST}, nats`, 'observationCrossEntropy', (curve) => final(curve, LAST)],
  ['ordinary stories, end, nats', 'ordinaryCrossEntropy', (curve) => curve.at(-1) ?? null],
];

const written = (value: number | null | undefined): string => (value ?? Number.NaN).toFixed(2).replace('-', '−');

/** A row for each arm and measure: both means, and TRL less the lab with its 95% interval. */
export function tableOf({ arms }: TrlCurves): string {
  const rows = arms.flatMap(({ id, name, seeds }) => {
    const theirs = arms.find((arm) => arm.id === `trl-${id}`);
    if (theirs === undefined) return [];
    return MEASURES.map(([measure, metric, of]) => {
      const [here, there] = [seeds, theirs.seeds].map((side) => side.map(({ curve }) => of(curve[metric] ?? [])));
      const { mean, interval } = unpairedDifference(here ?? [], there ?? []);
      const means = [here, there].map((values) => written(summarise(values ?? []).mean));
      const difference = `${written(mean)} (${interval?.map(written).join(' to ') ?? ''})`;
      return [name.replace(', the lab', ''), measure, ...means, difference];
    });
  });
  return [['arm', 'measure', 'the lab', 'TRL', 'difference'], Array(5).fill('-'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
