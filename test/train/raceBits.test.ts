/** No bit of a run depends on the race before it: it ends as one whose backend was named. The GPU says that it is no software. */
import { expect, test } from 'vitest';
import type { PoolChoice, PoolPort } from '../../src/train/pool/port';
import type { BackendChoice } from '../../src/train/protocol';
import { faultyGpuHere } from '../support/faultyGpuHere';
import { startHere } from '../support/poolHere';
import { finishedPage, type SessionPage, twoMembers } from '../support/sessionPage';

const experiment = twoMembers(3);
const gpu = faultyGpuHere();

async function run(choice: BackendChoice, start: PoolChoice['start'] = startHere): Promise<SessionPage> {
  gpu().isHardware = true;
  const page = await finishedPage(choice, experiment, () => {}, { pool: () => ({ workers: 1, start }) });
  expect(page.curves.length).toBeGreaterThan(0);
  return page;
}

test('where the GPU trains', async () => {
  // The CPU never answers, so the GPU has no rival.
  const page = await run('auto', () => ({ send: () => {}, end: () => {} }));
  expect(page.machines).toMatchObject([{ backend: 'webgpu' }]);
  expect(gpu().devices).toHaveLength(1);
  const submissions = gpu().submissions;
  const named = await run('webgpu');
  // The race made two updates more, on the same device.
  expect(submissions).toBeGreaterThan(1.3 * (gpu().submissions - submissions));
  expect(page.curves).toEqual(named.curves);
});

test('where the CPU trains, because it is faster or the GPU was lost', async () => {
  const named = await run('cpu');
  // The GPU compiles when the CPU begins its third update, as the second was timed.
  let updates = 0;
  let timed = (): void => {};
  gpu().compiles = new Promise((resolve) => {
    timed = resolve;
  });
  const faster = await run('auto-plain', (listener) => {
    const port = startHere(listener);
    const send: PoolPort['send'] = (command, transfer) => {
      if (command.type === 'update' && ++updates === 3) timed();
      port.send(command, transfer);
    };
    return { ...port, send };
  });
  expect(faster.of('backend').at(-1)?.reason).toMatch(/ms an update/);
  gpu().loseAfter = [20];
  const lost = await run('auto-plain');
  expect(lost.of('backend').at(-1)?.reason).toMatch(/^the GPU failed before the run\. /);
  for (const page of [faster, lost]) {
    expect(page.machines).toMatchObject([{ backend: 'cpu' }]);
    expect(page.curves).toEqual(named.curves);
  }
});
