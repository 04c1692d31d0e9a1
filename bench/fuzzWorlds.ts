/**
 * `npm run fuzz:worlds [-- --texts 10000] [-- --seed 1]`: worlds with mistakes in them must get a report, in bounded time, and
 * leave nothing behind. The tests do the same with few. The exit code is 1 where something did not hold, with the text.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { openWorlds } from '../src/environments/own/here';
import { RandomStream } from '../src/foundation/philox';
import { judgedWorld, mutatedWorld } from '../test/support/mutatedWorlds';

const { values } = parseArgs({
  options: { texts: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
});
const texts = Number(values.texts);
/** Seconds that a text may take: some calls that each come to their deadline. */
const MOST = 60;

const random = new RandomStream(Number(values.seed), 0, 0, 0, 0);
const began = performance.now();
const before = Object.getOwnPropertyNames(globalThis).join();
const failures = new Map<string, number>();
let [sound, slowest] = [0, 0];
for (let i = 0; i < texts; i++) {
  const text = mutatedWorld(random);
  const start = performance.now();
  try {
    await openWorlds();
    const failed = judgedWorld(text, 4).checks.filter(({ ok }) => ok === false);
    if (failed.length === 0) sound++;
    for (const { id } of failed) failures.set(id, (failures.get(id) ?? 0) + 1);
    if (Object.getOwnPropertyNames(globalThis).join() !== before)
      throw new Error('Something is left in the global object.');
    if (performance.now() - start > MOST * 1000) throw new Error('It took too long.');
  } catch (cause) {
    process.exitCode = 1;
    console.error(`${cause instanceof Error ? cause.stack : cause}\n${JSON.stringify(text)}`);
  }
  slowest = Math.max(slowest, performance.now() - start);
}
const kinds = [...failures].map(([id, count]) => `${id} ${count}`).join(', ');
console.log(
  `${texts} texts: ${sound} passed, failed: ${kinds}; slowest ${(slowest / 1000).toFixed(1)} s, ` +
    `${((performance.now() - began) / 1000).toFixed(0)} s in all`,
);
