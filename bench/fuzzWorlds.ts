/**
 * `npm run fuzz:worlds [-- --texts 10000] [-- --seed 1]`: worlds with mistakes in them, and some that mean harm, must get a report,
 * in bounded work, and leave nothing behind. The tests do the same with few. The exit code is 1 where something did not hold, with
 * the text. Each call is timed by the processor's clock, so that other programs count as little as they can.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { openWorlds } from '../src/environments/own/here';
import { Guest, MOST_LINES, WORK, WORK_A_LINE } from '../src/environments/own/sandbox';
import { RandomStream } from '../src/foundation/philox';
import { HOSTILE, processorTime, tried } from '../test/support/hostile';
import { judgedWorld, mutatedWorld } from '../test/support/mutatedWorlds';

const { values } = parseArgs({
  options: { texts: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
});
const texts = Number(values.texts);
/** Milliseconds of a unit of work by which a bound is told, and how many times its bound a call may take. */
const UNIT = 1e-5;
const MOST = 3;

/** The longest call of all: how many times its bound it took. */
let longest = { times: 0, about: '' };
const { ask } = Guest.prototype;
Guest.prototype.ask = function (command, lines) {
  const began = processorTime();
  try {
    return ask.call(this, command, lines);
  } finally {
    // The longest crossing is no longer than all of them, and one of them at least comes to its bound where it is long.
    const bound = UNIT * (WORK + WORK_A_LINE * Math.min(lines.length, MOST_LINES));
    const times = (processorTime() - began) / bound;
    if (times > longest.times)
      longest = { times, about: `${command}, ${lines.length} lines, ${JSON.stringify(this.text)}` };
  }
};

const random = new RandomStream(Number(values.seed), 0, 0, 0, 0);
const began = processorTime();
const before = Object.getOwnPropertyNames(globalThis).join();
for (const body of Object.values(HOSTILE)) await tried(body, WORK);
const ofHostile = longest.times;
const failures = new Map<string, number>();
let sound = 0;
for (let i = 0; i < texts; i++) {
  const text = mutatedWorld(random);
  try {
    await openWorlds();
    const failed = judgedWorld(text, 4).checks.filter(({ ok }) => ok === false);
    if (failed.length === 0) sound++;
    for (const { id } of failed) failures.set(id, (failures.get(id) ?? 0) + 1);
    if (Object.getOwnPropertyNames(globalThis).join() !== before)
      throw new Error('Something is left in the global object.');
  } catch (cause) {
    process.exitCode = 1;
    console.error(`${cause instanceof Error ? cause.stack : cause}\n${JSON.stringify(text)}`);
  }
}
if (longest.times > MOST) {
  process.exitCode = 1;
  console.error(`A call took ${longest.times.toFixed(1)} times its bound: ${longest.about}`);
}
const kinds = [...failures].map(([id, count]) => `${id} ${count}`).join(', ');
console.log(
  `${texts} texts: ${sound} passed, failed: ${kinds}; longest call ${longest.times.toFixed(2)} times its bound ` +
    `(${ofHostile.toFixed(2)} among ${Object.keys(HOSTILE).length} that were written to be long), ` +
    `${((processorTime() - began) / 1000).toFixed(0)} s of the processor in all`,
);
