/**
 * `npm run fuzz [-- --times 10000] [-- --only links] [-- --seed 1]`: hostile links, files, results and addresses for everything
 * that reads such. Each must be read or refused in words; the smallest input that does other harm is printed, and the exit
 * code is 1. The tests do the same with few inputs.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { fuzz } from '../test/support/fuzz/fuzz';
import { SUBJECTS } from '../test/support/fuzz/subjects';

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '10000' },
    only: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});

const chosen = SUBJECTS.filter(({ name }) => values.only === undefined || name.includes(values.only));
if (chosen.length === 0) throw new Error(`There is nothing called “${values.only}”.`);
const [times, seed] = [Number(values.times), Number(values.seed)];
for (const subject of chosen) {
  const began = performance.now();
  try {
    const { refused, slowest } = await fuzz(subject, times, seed);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`${subject.name}: ${times} read, ${refused} refused, slowest ${slowest.toFixed(0)} ms, ${seconds} s`);
  } catch (cause) {
    process.exitCode = 1;
    console.error(`${subject.name}, seed ${seed}: ${cause instanceof Error ? cause.message : cause}`);
  }
}
