/** Probes of what a run would use: the last question's answer counts, whatever becomes of the others. */
import { expect, test } from 'vitest';
import { LabError } from '../../src/foundation/errors';
import { BackendProbes } from '../../src/train/run/choose/backendProbes';
import type { ChosenBackend } from '../../src/train/run/choose/backends';

/** A choice that ends when the test says so. */
function choice() {
  let resolve = (_: ChosenBackend): void => {};
  let reject = (_: LabError): void => {};
  const promise = new Promise<ChosenBackend>((...ends) => {
    [resolve, reject] = ends;
  });
  let released = 0;
  const found = { kind: 'cpu', description: 'CPU', software: true, reason: 'chosen', release: () => (released += 1) };
  return {
    choose: () => promise,
    find: () => resolve(found as never),
    fail: () => reject(new LabError('no-adapter', 'No GPU.', 'Use the CPU.')),
    released: () => released,
  };
}

test('an answer tells the backend, which is freed, or that there is none', async () => {
  const probes = new BackendProbes();
  const [there, none] = [choice(), choice()];
  const answer = probes.ask(there.choose);
  there.find();
  expect(await answer).toEqual({ type: 'backend', kind: 'cpu', description: 'CPU', software: true, reason: 'chosen' });
  expect(there.released()).toBe(1);
  const refusal = probes.ask(none.choose);
  none.fail();
  expect(await refusal).toEqual({ type: 'no-backend', message: 'No GPU. Use the CPU.', advice: 'Use the CPU.' });
});

test('an earlier question is not answered after a later one, nor after a run has begun: found or not', async () => {
  for (const how of ['find', 'fail'] as const) {
    const probes = new BackendProbes();
    const [slow, quick] = [choice(), choice()];
    const [first, second] = [probes.ask(slow.choose), probes.ask(quick.choose)];
    quick.find();
    expect((await second)?.type).toBe('backend');
    slow[how]();
    expect([await first, slow.released()]).toEqual([null, how === 'find' ? 1 : 0]);

    const last = choice();
    const open = probes.ask(last.choose);
    probes.forget();
    last[how]();
    expect(await open).toBeNull();
  }
});
