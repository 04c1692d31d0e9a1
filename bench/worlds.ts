/**
 * `npm run worlds [-- --out DIR] [--only bandit,sokoban]`: trains the presets of the worlds in one file, four seeds on the CPU
 * backend with two threads, one after the other, and writes what came of them into docs/worlds.md. A run that is finished in DIR is
 * read and not repeated; one that was cut off begins again.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { openWorlds } from '../src/environments/own/here';
import type { Preset } from '../src/experiment/presets/preset';
import { ownWorlds } from '../src/experiment/presets/worlds/ownWorlds';
import { createEnvironment } from '../src/train/population/shape';
import type { RunResult } from '../src/train/result/result';

const { values } = parseArgs({
  options: { out: { type: 'string', default: 'lab-runs/worlds' }, only: { type: 'string' } },
});
const DOCUMENT = 'docs/worlds.md';
const [BEGIN, END] = ['<!-- npm run worlds -->\n\n', '\n<!-- end of what npm run worlds wrote -->'];
/** Updates at the end that success and cross-entropy are means of. */
const LAST = 20;

/** Result of a preset, with the processor's seconds; trains it where there is none. */
function resultOf(id: string): { result: RunResult; seconds: number } {
  const folder = join(values.out, id.replace('world-', ''));
  const [file, clock] = [join(folder, 'result.json'), `${folder}.seconds`];
  if (!existsSync(file) || !existsSync(clock)) {
    mkdirSync(values.out, { recursive: true });
    const run = `node scripts/run.mjs src/cli/main.ts run ${id} --backend cpu --workers 2 --out ${folder} --force --json >&2`;
    // The last line of `times` is what the shell's children used: user and system.
    const { stdout, status } = spawnSync('sh', ['-c', `${run} || exit 1; times`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (status !== 0) throw new Error(`${id} could not be trained.`);
    const used = [
      ...stdout
        .trim()
        .split('\n')
        .at(-1)!
        .matchAll(/(\d+)m([\d.]+)s/g),
    ];
    writeFileSync(clock, String(used.reduce((sum, [, minutes, rest]) => sum + 60 * Number(minutes) + Number(rest), 0)));
  }
  return { result: JSON.parse(readFileSync(file, 'utf8')) as RunResult, seconds: Number(readFileSync(clock, 'utf8')) };
}

/** Mean over the seeds that have a number. */
function mean(list: readonly number[]): number {
  const found = list.filter(Number.isFinite);
  return found.reduce((sum, value) => sum + value, 0) / found.length;
}
const numbers = (list: readonly (number | null)[]): number[] => list.filter((value) => value !== null);
const told = (value: number): string => (Number.isFinite(value) ? value.toFixed(2) : '–');

function rowOf({ id, experiment }: Preset): string[] {
  const { result, seconds } = resultOf(id);
  const arms = ['action-mask', 'world-model'].flatMap((one) => result.arms.filter((arm) => arm.id === one));
  const last = (metric: 'successRate' | 'observationCrossEntropy' | 'observationFloor') =>
    arms.map(({ seeds }) => seeds.map(({ curve }) => mean(numbers(curve[metric].slice(-LAST)))));
  const heldOut = arms.map(({ seeds }) =>
    numbers(seeds.map((one) => numbers(one.curve.heldOutSuccess).at(-1) ?? null)),
  );
  const random = createEnvironment(experiment).randomSuccess ?? Number.NaN;
  const [mask = [], model = []] = last('successRate');
  const [maskHeld = [], modelHeld = []] = heldOut.map((list) => (list.length === 0 ? '–' : told(mean(list))));
  const [maskNats = 0, modelNats = 0] = last('observationCrossEntropy').map(mean);
  const floor = mean(last('observationFloor').flat());
  return [
    id.replace('world-', ''),
    told(random),
    mask.map(told).join(' '),
    model.map(told).join(' '),
    `${maskHeld} / ${modelHeld}`,
    `${told(maskNats)} / ${told(modelNats)} (${told(floor)})`,
    (seconds / 120).toFixed(1),
  ];
}

await openWorlds();
const chosen = ownWorlds.filter(({ id }) => values.only?.split(',').includes(id.replace('world-', '')) ?? true);
const head = ['world', 'random', 'action mask', 'world model', 'held out', 'cross-entropy (floor)', 'minutes'];
const rows = chosen.map(rowOf);
const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
const line = (row: readonly string[]): string =>
  `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |\n`;
const table = [head, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('');
process.stdout.write(table);
const text = readFileSync(DOCUMENT, 'utf8');
writeFileSync(DOCUMENT, text.slice(0, text.indexOf(BEGIN) + BEGIN.length) + table + text.slice(text.indexOf(END)));
