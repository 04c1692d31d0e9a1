/** The cases of a fixture file (docs/fixtures.md) on the device, one after the other, as `lab check` runs them. */
import { FIXTURE_LIMITS, invalid, parseFixtures } from '../../check/format';
import { type CaseReport, familyOf, runCase } from '../../check/run';
import type { KernelDevice } from './device';
import type { FixtureReport } from './report';

/** Cases per backend; its tensors are freed after them. */
const BATCH = 32;

export async function checkFixtures(
  name: string,
  file: Blob,
  device: KernelDevice,
  progress: (done: number, of: number, text: string) => void,
): Promise<FixtureReport> {
  if (file.size > FIXTURE_LIMITS.bytes) {
    throw invalid(`The file has ${file.size} bytes, more than ${FIXTURE_LIMITS.bytes}`);
  }
  const fixtures = parseFixtures(await file.text());
  // Before anything is computed: a file with a case of no known family is refused as a whole.
  for (const fixture of fixtures) familyOf(fixture);
  const began = performance.now();
  const cases: CaseReport[] = [];
  for (let first = 0; first < fixtures.length; first += BATCH) {
    const backend = await device.open();
    try {
      for (const fixture of fixtures.slice(first, first + BATCH)) {
        progress(cases.length, fixtures.length, fixture.name);
        cases.push(await runCase(backend, fixture));
      }
    } finally {
      backend.dispose();
    }
  }
  return { name, device: device.line, seconds: (performance.now() - began) / 1000, cases };
}
