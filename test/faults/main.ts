/** `npm run faults [-- --only NAME --times N]`: injects faults and writes what was lost into docs/reliability.md. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { injectAll } from './fault';
import { FAULTS } from './registry';
import { rowOf, withRows } from './report';

const PAGE = 'docs/reliability.md';
const { values } = parseArgs({ options: { only: { type: 'string', multiple: true }, times: { type: 'string' } } });
const { only, times } = values;
const unknown = only?.find((name) => FAULTS.every((fault) => fault.name !== name));
if (unknown !== undefined) throw new Error(`There is no fault ${unknown}. They are: ${FAULTS.map(({ name }) => name)}`);
if (times !== undefined && !/^[1-9]\d{0,6}$/.test(times)) throw new Error(`--times ${times} is no number of times.`);

const date = new Date().toISOString().slice(0, 10);
const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim();
for (const fault of FAULTS) {
  if (only !== undefined && !only.includes(fault.name)) continue;
  const why = fault.missing?.() ?? null;
  if (why !== null) {
    process.stdout.write(`${fault.name}: left out, ${why}\n`);
    continue;
  }
  const count = times === undefined ? await fault.times.long() : Number(times);
  const outcome = await injectAll(fault, count, (done) => {
    if (process.stderr.isTTY === true) process.stderr.write(`\r\x1b[K${fault.name}: ${done} of ${count}`);
  });
  process.stdout.write(
    `${fault.name}: ${outcome.times} times, ${outcome.lost.length === 0 ? 'nothing lost' : 'LOST'}\n`,
  );
  for (const what of outcome.lost.slice(0, 5)) process.stdout.write(`  ${what}\n`);
  if (outcome.lost.length > 0) process.exitCode = 1;
  const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
  writeFileSync(PAGE, withRows(page, FAULTS, new Map([[fault.name, rowOf(fault, outcome, date, commit)]])));
}
