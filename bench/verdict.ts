/**
 * `npm run verdict [-- PRESET] [--updates N] [--seeds N]`: seconds from Run until an experiment is decided, on all cores of this
 * machine, and processor seconds besides, for a machine that is busy. Decided: the 95% interval of the difference between the
 * first arm and the last leaves out 0, and does so at every later update of the run.
 */
import { availableParallelism, loadavg } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { compare, conclude, SUMMARIES, type Summary, summaryOf } from '../src/experiment/conclude/comparison';
import { defaultPreset, findPreset } from '../src/experiment/presets/presets';
import { chooseNodeBackend } from '../src/node/backend';
import { isPoolThread, servePoolThread, threadPool } from '../src/node/poolThread';
import { METRIC } from '../src/rl/measure/metrics';
import { membersOf } from '../src/rl/population';
import { openTraining } from '../src/train/run/choose/opening';

const ASKED: readonly Summary[] = ['area', 'final'];

interface Moment {
  readonly seconds: number;
  readonly processorSeconds: number;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { updates: { type: 'string' }, seeds: { type: 'string' } },
    allowPositionals: true,
  });
  const name = positionals[0] ?? defaultPreset.id;
  const preset = findPreset(name);
  if (preset === undefined) throw new RangeError(`There is no preset “${name}”.`);
  const { experiment: written } = preset;
  const seeds = Number(values.seeds ?? written.seeds);
  const experiment = { ...written, seeds, updates: Number(values.updates ?? written.updates) };
  const { members, arms } = { members: membersOf(experiment.arms, [...Array(seeds).keys()]), arms: experiment.arms };
  const pool = threadPool(members.length, undefined, new URL(import.meta.url));
  const began = performance.now();
  const { training } = await openTraining(experiment, {
    choose: () => chooseNodeBackend('cpu', pool),
    members: { members },
    snapshot: null,
    detail: () => {},
  });
  const curves = members.map((): number[] => []);
  const moments: Moment[] = [];
  const verdicts: Record<string, string[]> = Object.fromEntries(ASKED.map((summary) => [summary, []]));
  while (training.finished < experiment.updates) {
    const row = await (await training.runUpdate()).metrics;
    const width = row.length / members.length;
    for (const [member, curve] of curves.entries()) curve.push(row[member * width + METRIC.successRate] as number);
    const { user, system } = process.cpuUsage();
    moments.push({ seconds: (performance.now() - began) / 1e3, processorSeconds: (user + system) / 1e6 });
    for (const summary of ASKED) {
      const ofArm = (arm: number): number[] =>
        curves
          .filter((_, i) => members[i]?.arm === arms.at(arm)?.id)
          .map((curve) => summaryOf(curve, summary, curve.length));
      verdicts[summary]?.push(conclude(compare(ofArm(-1), ofArm(0), false), false));
    }
  }
  training.dispose();
  const said = `${arms.at(-1)?.name} against ${arms[0]?.name}, ${seeds} seeds, ${experiment.updates} updates`;
  console.log(`${name}: ${said}; ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`);
  for (const summary of ASKED) console.log(told(summary, verdicts[summary] ?? [], moments));
  console.log(`whole run: ${inWords(moments.at(-1))}`);
}

function told(summary: Summary, verdicts: readonly string[], moments: readonly Moment[]): string {
  const last = verdicts.at(-1) ?? '';
  const { label } = SUMMARIES[summary];
  if (last !== 'better' && last !== 'worse') return `${label}: ${last} in the end`;
  const from = verdicts.findLastIndex((verdict) => verdict !== last) + 1;
  return `${label}: ${last} from update ${from + 1} on, after ${inWords(moments[from])}`;
}

const inWords = (moment: Moment | undefined): string =>
  `${moment?.seconds.toFixed(0)} s (${moment?.processorSeconds.toFixed(0)} s of processors)`;

if (isPoolThread()) servePoolThread();
else {
  await main();
  process.exit();
}
