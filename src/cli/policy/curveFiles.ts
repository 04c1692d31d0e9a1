/** `lab export` of a run's curves: a table as CSV or Parquet, a row for each arm, seed and update, or a metric's chart as SVG. */
import { open, readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { openWorldsOf } from '../../experiment/ownWorld';
import { parseExperiment } from '../../experiment/parse';
import { MetricHistory } from '../../measured/history';
import { METRIC, METRICS } from '../../rl/measure/metrics';
import { readCurvesJson } from '../../train/result/read';
import { buildResult } from '../../train/result/result';
import { advise, usage } from '../errors';
import type { OutputKind } from '../guardOutput';
import { csvPieces, measurementsOf, type ResultCurves } from '../run/resultText';
import { readRun } from '../run/runFolder';

type Result = ResultCurves & { readonly experiment: unknown };

/** First bytes of each kind of file. */
const KINDS: Readonly<Record<string, string>> = { '.csv': 'arm,seed,update', '.parquet': 'PAR1', '.svg': '<svg ' };

export const endingOf = (path: string): string => extname(path).toLowerCase();

/** True where a file of this name is one of curves. */
export const isOfCurves = (path: string): boolean => Object.hasOwn(KINDS, endingOf(path));

/** Files like the one that is to be written. */
export const curveFile = (path: string): OutputKind => ({
  name: `a file of curves as ${endingOf(path)}`,
  async isOne(there) {
    const head = KINDS[endingOf(path)] as string;
    const file = await open(there, 'r');
    try {
      const { buffer } = await file.read(Buffer.alloc(head.length), 0, head.length, 0);
      return buffer.toString('latin1') === head;
    } finally {
      await file.close();
    }
  },
});

/** Curves of a run's folder, finished or as last saved, or of its result.json alone. Throws LabError. */
export async function readCurves(place: string): Promise<Result> {
  const entry = await stat(place).catch(() => null);
  if (entry?.isFile() === true) return readResult(place);
  const { checkpoint, remarks } = await readRun(place);
  for (const remark of remarks) process.stderr.write(`${remark}\n`);
  const { snapshot, experiment: saved, backend, machines, tokens, curves } = checkpoint;
  await openWorldsOf(saved);
  const experiment = parseExperiment({ ...saved, timeline: snapshot.timeline });
  const about = { experiment, backend, adapter: '', machines, tokens, wallSeconds: 0 };
  return buildResult(about, snapshot.members, curves);
}

async function readResult(path: string): Promise<Result> {
  try {
    return readCurvesJson(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    const advice = 'Name the folder of a run, or the result.json in it.';
    throw usage(`${path} cannot be read as a result.`, advice, { cause });
  }
}

/** Content of the file. Throws LabError for a metric that no chart draws. */
export async function curvesAs(
  path: string,
  result: Result,
  metric = 'successRate',
): Promise<string | Uint8Array | AsyncIterable<string>> {
  if (endingOf(path) === '.csv') return withEnd(csvPieces(result));
  return endingOf(path) === '.parquet' ? asParquet(result) : asChart(result, metric);
}

async function* withEnd(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield* pieces;
  yield '\n';
}

/** Parquet with a row group for each member. Numbers are the measured float32. */
async function asParquet(curves: ResultCurves): Promise<Uint8Array> {
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import('hyparquet-writer');
  const { members, metrics } = measurementsOf(curves);
  const columnsOf = ({ id, seed, curve, updates }: (typeof members)[number]) => [
    { name: 'arm', type: 'STRING' as const, nullable: false, data: Array(updates).fill(id) },
    { name: 'seed', data: new Int32Array(updates).fill(seed) },
    { name: 'update', data: Int32Array.from({ length: updates }, (_, update) => update) },
    ...metrics.map((name) => ({ name, type: 'FLOAT' as const, data: [...(curve[name] ?? Array(updates).fill(null))] })),
  ];
  const writer = new ByteWriter();
  const none = columnsOf({ id: '', seed: 0, curve: {}, updates: 0 });
  const file = new ParquetWriter({ writer, schema: schemaFromColumnData({ columnData: none }), createdBy: 'Unmask' });
  for (const member of members) {
    if (member.updates > 0) await file.write({ columnData: columnsOf(member), rowGroupSize: member.updates });
  }
  await file.finish();
  return writer.getBytes();
}

async function asChart(result: Result, metric: string): Promise<string> {
  const { DRAWN, stillChart } = await import('../../ui/model/charts/drawn/stillChart');
  const known = measurementsOf(result).metrics.filter((one) => DRAWN.includes(one));
  if (!known.some((one) => one === metric)) {
    const what = `“${metric}” was not measured in this run, or no chart draws it.`;
    throw usage(what, advise(metric, known, `Choose one of: ${known.join(', ')}.`));
  }
  await openWorldsOf(result.experiment);
  const experiment = parseExperiment(result.experiment);
  return stillChart(experiment, historyOf(result), metric);
}

/** History of curves. Arms with fewer seeds than others are filled up with NaN. */
function historyOf({ arms }: ResultCurves): MetricHistory {
  const seeds = Math.max(0, ...arms.map((arm) => arm.seeds.length));
  const updates = Math.max(0, ...measurementsOf({ arms }).members.map((member) => member.updates));
  const width = arms.length * seeds * METRICS.length;
  const values = new Float32Array(updates * width).fill(Number.NaN);
  arms.forEach((arm, armIndex) => {
    arm.seeds.forEach(({ curve }, seed) => {
      for (const metric of METRICS) {
        const at = (armIndex * seeds + seed) * METRICS.length + METRIC[metric];
        curve[metric]?.forEach((value, update) => {
          if (value !== null) values[update * width + at] = value;
        });
      }
    });
  });
  return MetricHistory.of(arms.length, seeds, values, new Float32Array(updates).fill(Number.NaN));
}
