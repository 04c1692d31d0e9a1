/** Machines of a run in the store: recorded from the trainer's events, shared beside the experiment, listed in order. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { MachineEntry } from '../../src/experiment/machines';
import { readExperimentFile, shareFile, shareLink } from '../../src/store/edit/arrival';
import { machineRows, machineWords } from '../../src/store/look/machineRows';
import { openLab } from '../../src/store/openLab';
import { runningLab, workers } from './scriptedWorker';

const TINY = '#preset=gridworld-tiny';
const webgpu: MachineEntry = { update: 0, backend: 'webgpu' };
const cpu: MachineEntry = { update: 37, backend: 'cpu' };

beforeEach(() => {
  vi.useFakeTimers();
});

function runOn(...entries: MachineEntry[]) {
  const { lab, worker } = runningLab(TINY);
  for (const entry of entries) worker.latest.say({ type: 'machine', entry });
  return { lab, worker };
}

describe('what a run ran on', () => {
  test('goes into the link and the file beside an experiment that is the same as ever', () => {
    const { lab } = runOn(webgpu, cpu);
    const { machines, running } = lab.store.getState();
    expect(machines).toEqual([webgpu, cpu]);
    expect(running).toEqual(openLab(TINY, workers().start).editor.shared());
    const link = shareLink(lab.editor.shared(), lab.editor.sharedMachines(), 'http://lab/#old');
    expect(link).toMatch(/^http:\/\/lab\/#preset=gridworld-tiny.*&ran=0:webgpu;37:cpu$/);
  });

  test('begins anew with the next run', () => {
    const { lab, worker } = runOn(webgpu, cpu);
    lab.editor.reset('values');
    expect(lab.store.getState().machines).toEqual([]);
    lab.editor.run();
    worker.latest.say({ type: 'machine', entry: webgpu });
    expect(lab.editor.sharedMachines()).toEqual([webgpu]);
  });

  test('behind an opened link is shown and passed on, and is not what one’s own run ran on', () => {
    const worker = workers();
    const lab = openLab(`${TINY}&ran=0:webgpu;37:cpu`, worker.start);
    expect(lab.store.getState()).toMatchObject({ machines: [], linkedMachines: [webgpu, cpu] });
    expect(lab.editor.sharedMachines()).toEqual([webgpu, cpu]);
    lab.editor.run();
    worker.latest.say({ type: 'machine', entry: { update: 0, backend: 'cpu' } });
    expect(lab.editor.sharedMachines()).toEqual([{ update: 0, backend: 'cpu' }]);
    expect(lab.store.getState().linkedMachines).toEqual([webgpu, cpu]);
  });

  test('behind a link is forgotten when its experiment is edited before a run', () => {
    const lab = openLab(`${TINY}&ran=0:webgpu;37:cpu`, workers().start);
    lab.editor.edit({ ...lab.store.getState().edited, seeds: 3 });
    expect(lab.editor.sharedMachines()).toEqual([]);
  });

  test('survives a file', async () => {
    const { lab } = runOn(webgpu, cpu);
    const shared = lab.editor.shared();
    const arrival = await readExperimentFile(new Blob([shareFile(shared, lab.editor.sharedMachines())]));
    expect(arrival).toMatchObject({ experiment: shared, machines: [webgpu, cpu] });
    expect(JSON.parse(shareFile(shared, [webgpu]))).toEqual(shared);
  });
});

describe('the list of machines', () => {
  test('has none where a run had one usual machine', () => {
    expect(machineRows([webgpu])).toEqual([]);
    expect(machineRows([webgpu, cpu])).toEqual([webgpu, cpu]);
  });

  test('says in words what took over', () => {
    expect(machineWords(webgpu, null)).toBe('on WebGPU');
    expect(machineWords(cpu, webgpu)).toBe('on the CPU instead of WebGPU: numbers of another device');
    expect(machineWords({ ...webgpu, parts: 4 }, webgpu)).toMatch(/cut into 4 parts.*numbers are the same/);
    expect(machineWords({ ...cpu, parts: 4 }, webgpu)).toMatch(/instead of WebGPU.*cut into 4 parts/);
    expect(machineWords(webgpu, { ...webgpu, parts: 4 })).toBe('batches cut as usual again');
  });

  test('does not repeat as a happening what an entry says', () => {
    const { lab, worker } = runOn(webgpu, cpu);
    worker.latest.say({ type: 'notice', kind: 'switched', update: 37, text: 'On the CPU now.' });
    worker.latest.say({ type: 'notice', kind: 'smaller-plan', update: 37, text: 'Cut smaller.' });
    worker.latest.say({ type: 'notice', kind: 'recovered', update: 37, text: 'Another was opened.' });
    expect(lab.store.getState().happenings).toEqual([{ update: 37, text: 'Another was opened.' }]);
    expect(lab.store.getState().notice?.text).toBe('Another was opened.');
  });
});
