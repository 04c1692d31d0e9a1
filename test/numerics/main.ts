/**
 * `npm run numerics`: records the digests of tiny trainings in test/numerics/recorded.json, of each backend that this machine
 * has, and refuses where a numerics number does not go with them.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { NUMERICS } from '../../src/experiment/provenance';
import { METRICS } from '../../src/rl/measure/metrics';
import { digestsOf, EVERYWHERE, judge, placeOf, RECORD, type Recorded, readRecords } from './digests';

const before = existsSync(RECORD) ? readRecords() : { metrics: METRICS, backends: {} };
const isOfAll = String(before.metrics) === String(METRICS);
const backends: Record<string, Recorded> = { ...before.backends };
for (const kind of [...EVERYWHERE, 'webgpu'] as const) {
  const place = await placeOf(kind);
  if (place === null) {
    process.stdout.write(`${kind} does not run on this processor: what is recorded of it stays.\n`);
    continue;
  }
  const digests = await digestsOf(kind, before.metrics);
  const judged = judge(kind, before.backends[place], digests);
  if (judged !== null && !judged.mayRecord) {
    process.stderr.write(`${judged.problem}\n`);
    process.exit(1);
  }
  // Other processors of an earlier number have nothing to be compared with any more.
  for (const [name, { numerics }] of Object.entries(backends)) {
    if (name.startsWith(`${kind}:`) && numerics < NUMERICS[kind]) delete backends[name];
  }
  backends[place] = { numerics: NUMERICS[kind], digests: isOfAll ? digests : await digestsOf(kind, METRICS) };
  process.stdout.write(`${place}: ${judged === null ? 'as recorded' : 'recorded'}\n`);
}
writeFileSync(RECORD, `${JSON.stringify({ metrics: METRICS, backends }, null, 2)}\n`);
