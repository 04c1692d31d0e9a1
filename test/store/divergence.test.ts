// A divergence as the page shows it, and what becomes of the curves when the run goes back.
import { beforeEach, expect, test, vi } from 'vitest';
import { defaultPreset } from '../../src/experiment/presets/presets';
import { openLab } from '../../src/store/openLab';
import type { TrainerEvent } from '../../src/train/protocol';
import { workers } from './scriptedWorker';

const { experiment } = defaultPreset;
const arm = experiment.arms[0]?.id ?? '';
const members = experiment.arms.length * experiment.seeds;
const change = { update: 4, arm, setting: 'learningRate', value: 1e-4 };
const diverged: TrainerEvent = {
  type: 'diverged',
  members: [{ arm, seed: 0, update: 6, cause: 'gradient norm passed 1000 at update 5; learning rate 1' }],
  isAll: true,
  to: 4,
  changes: [change],
};

beforeEach(() => {
  vi.useFakeTimers();
});

function running() {
  const worker = workers();
  const lab = openLab('', worker.start, null);
  lab.editor.run();
  worker.latest.enter('running');
  worker.latest.measure(0, 12, members);
  worker.latest.say(diverged);
  worker.latest.enter('diverged', 12);
  return { lab, worker: worker.latest };
}

test('it is shown until it is answered; left, the run goes on when it is told to', () => {
  const { lab, worker } = running();
  expect(lab.store.getState()).toMatchObject({ phase: 'diverged', divergence: { to: 4, isAll: true } });
  lab.runner.answerDivergence(false);
  expect(lab.store.getState().divergence).toBeNull();
  lab.editor.run();
  expect(worker.commands.slice(-2)).toEqual([{ type: 'answer-divergence', goesBack: false }, { type: 'resume' }]);
});

test('a run that goes back has its curves until there, the lower rate as a mark, and says so', async () => {
  const { lab, worker } = running();
  lab.runner.answerDivergence(true);
  worker.say({ type: 'went-back', update: 4, changes: [change] });
  const { history, update, running: run, told, edited, happenings } = lab.store.getState();
  expect([history?.count, update, run?.timeline]).toEqual([4, 4, [change]]);
  expect([told[0], edited.arms[0]].map((one) => one?.learningRate)).toEqual([1e-4, 1e-4]);
  expect(happenings).toMatchObject([{ update: 4, text: expect.stringMatching(/back to update 4, .* 0\.0001/) }]);
  worker.enter('running', 4);
  await vi.advanceTimersByTimeAsync(1000);
  expect(worker.commands.at(-1)?.type).toBe('answer-divergence');
});

test('what was said of single steps gives way to it, and is not said again beside it', () => {
  const { lab, worker } = running();
  lab.runner.answerDivergence(false);
  const notice = { type: 'notice', kind: 'not-finite', update: 8, text: 'No step was taken.' } as const;
  worker.say(notice);
  expect(lab.store.getState().notice?.text).toBe(notice.text);
  worker.say(diverged);
  expect(lab.store.getState().notice).toBeNull();
  worker.say(notice);
  expect(lab.store.getState().notice).toBeNull();
  const recovered = { ...notice, kind: 'recovered', text: 'Another device was opened.' } as const;
  worker.say(recovered);
  expect(lab.store.getState().notice?.text).toBe(recovered.text);
});
