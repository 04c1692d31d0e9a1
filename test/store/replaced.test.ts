/** A trainer's Worker that crashes, ends or is silent: the run goes on in another, and rests where its world ends them. */
import { beforeEach, expect, test, vi } from 'vitest';
import { Editor } from '../../src/store/edit/editor';
import { createLabStore } from '../../src/store/lab';
import { Runner } from '../../src/store/run/runner';
import { TrainerBridge } from '../../src/store/run/trainerBridge';
import type { Phase, WorkerCommand } from '../../src/train/protocol';
import { workers } from './scriptedWorker';

beforeEach(() => void vi.useFakeTimers());

const pass = (seconds: number): void => void vi.advanceTimersByTime(1000 * seconds);

function training(phase: Phase = 'running') {
  const store = createLabStore();
  const worker = workers();
  const runner = new Runner(store, worker.start, () => 'cpu');
  const editor = new Editor(store, runner);
  editor.run();
  worker.latest.enter('preparing');
  worker.latest.enter(phase, 9);
  return { store, worker, runner };
}

const startOf = ({ commands }: { readonly commands: readonly WorkerCommand[] }) =>
  commands.find((command) => command.type === 'start');

test('a crashed Worker is ended, and the run goes on in another as the page has it', () => {
  const { store, worker } = training();
  const crashed = worker.latest;
  const changes = [{ update: 7, arm: '*', setting: 'learningRate', value: 0.002 }];
  crashed.say({ type: 'changed', changes });
  const before = store.getState();
  crashed.crash('out of memory');
  expect(crashed.terminated).toBe(true);
  expect(worker.count).toBe(2);
  expect(startOf(worker.latest)).toMatchObject({
    trains: true,
    experiment: { timeline: changes },
    keep: { run: before.run, resume: true },
    ended: { what: 'The trainer stopped unexpectedly: out of memory.', update: 9, restsFor: null },
  });
  expect(store.getState()).toMatchObject({ phase: 'preparing', run: before.run, failure: null });
  const text = 'The trainer stopped. It was replaced.';
  for (let i = 0; i < 2; i++) worker.latest.say({ type: 'notice', kind: 'recovered', update: 5, text });
  expect(store.getState()).toMatchObject({ notice: { text }, happenings: [{ update: 5, text }] });
});

test.each([
  ['paused', false],
  ['finished', false],
  ['running', true],
] as const)('a run that is %s goes on so in another Worker', (phase, trains) => {
  const { worker } = training(phase);
  worker.latest.crash('');
  expect(startOf(worker.latest)).toMatchObject({ trains });
});

test('a silent Worker is asked, and replaced where it does not answer', () => {
  const { worker } = training();
  const silent = worker.latest;
  pass(22);
  expect(silent.commands.at(-1)).toEqual({ type: 'ask' });
  silent.say({ type: 'here' });
  pass(41);
  expect(worker.count).toBe(1);
  pass(3);
  expect(worker.count).toBe(2);
  expect(silent.terminated).toBe(true);
  expect(startOf(worker.latest)?.ended?.what).toMatch(/^The trainer was silent for 4\d seconds\.$/);
});

test('a Worker that compiles for minutes and answers, one that only computes, and one that rests are let be', () => {
  const { worker } = training('preparing');
  for (let i = 0; i < 600; i++) {
    pass(1);
    if (worker.latest.commands.at(-1)?.type !== 'ask') continue;
    worker.latest.commands.pop();
    worker.latest.say({ type: 'here' });
  }
  worker.latest.enter('running');
  for (let i = 0; i < 600; i++) {
    pass(1);
    worker.latest.say({ type: 'pulse', update: 3, call: null });
  }
  worker.latest.enter('paused', 3);
  pass(10_000);
  expect(worker.count).toBe(1);
});

test('a Worker that rests and does not answer a command either is replaced', () => {
  const { worker, runner } = training('paused');
  runner.resume();
  pass(45);
  expect(worker.count).toBe(2);
});

test('a Worker whose code has not arrived is waited for', () => {
  const worker = workers();
  const runner = new Runner(createLabStore(), worker.start, () => 'cpu');
  runner.probe();
  pass(1000);
  expect(worker.count).toBe(1);
});

test('a function of the world that ends two Workers after the same update has the third one rest', () => {
  const { store, worker } = training();
  for (const restsFor of [null, 'step']) {
    worker.latest.enter('running');
    worker.latest.say({ type: 'pulse', update: 12, call: 'step' });
    // What was measured before arrives late.
    worker.latest.enter('running', 11);
    pass(45);
    expect(startOf(worker.latest)?.ended).toMatchObject({ update: 12, restsFor });
  }
  worker.latest.say({
    type: 'stranded',
    update: 10,
    text: 'step().',
    advice: 'Mend it.',
    world: { line: 3, column: 1 },
  });
  worker.latest.enter('stranded', 10);
  expect(store.getState()).toMatchObject({ phase: 'stranded', failure: { world: { line: 3 } } });
});

test('Workers that end again and again without an update between end the run, and its curves stay', () => {
  const { store, worker } = training();
  for (let i = 0; i < 4; i++) worker.latest.crash('no luck');
  expect(worker.count).toBe(4);
  expect(store.getState()).toMatchObject({
    phase: 'failed',
    failure: { what: 'The trainer stopped unexpectedly: no luck.' },
  });
  expect(store.getState().history).not.toBeNull();
});

test('whoever trains nothing has no Worker replaced', () => {
  const worker = workers();
  const told: string[] = [];
  const bridge = new TrainerBridge(worker.start, ({ type }) => told.push(type));
  bridge.send({ type: 'probe', backend: 'cpu', members: 1 });
  worker.latest.crash('no luck');
  expect(told).toEqual(['error', 'phase']);
  expect(worker.count).toBe(1);
});
