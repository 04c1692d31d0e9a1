/** Scripted trainer's Worker for tests of the stores: it records commands and sends the events that a test gives it. */
import { METRICS } from '../../src/rl/measure/metrics';
import { openLab } from '../../src/store/openLab';
import type { TrainerWorker } from '../../src/store/run/trainerBridge';
import type { Phase, TrainerEvent, WorkerCommand } from '../../src/train/protocol';

export class ScriptedWorker implements TrainerWorker {
  onmessage: TrainerWorker['onmessage'] = null;
  onerror: TrainerWorker['onerror'] = null;
  readonly commands: WorkerCommand[] = [];
  terminated = false;

  postMessage(command: WorkerCommand): void {
    this.commands.push(structuredClone(command));
  }

  terminate(): void {
    this.terminated = true;
  }

  say(event: TrainerEvent): void {
    this.onmessage?.({ data: event } as MessageEvent<TrainerEvent>);
  }

  enter(phase: Phase, update = 0): void {
    this.say({ type: 'phase', phase, update, updates: 300, detail: '' });
  }

  /** Tells the numbers of some updates, each of so many seconds: zeros, or those of [count][members][METRICS.length]. */
  measure(
    update: number,
    count: number,
    members: number,
    values: Float32Array = new Float32Array(count * members * METRICS.length),
    seconds = 0.5,
  ): void {
    const throughput = { updatesPerSecond: 1, tokensPerSecond: 1 };
    const times = new Float32Array(count).fill(seconds);
    this.say({ type: 'metrics', update, count, members, values, seconds: times, throughput });
  }

  crash(message: string): void {
    this.onerror?.({ message } as ErrorEvent);
  }
}

export function workers(): { start: () => ScriptedWorker; readonly latest: ScriptedWorker; readonly count: number } {
  const started: ScriptedWorker[] = [];
  return {
    start() {
      const worker = new ScriptedWorker();
      started.push(worker);
      return worker;
    },
    get latest() {
      const worker = started.at(-1);
      if (worker === undefined) throw new Error('No Worker was started.');
      return worker;
    },
    get count() {
      return started.length;
    },
  };
}

/** A lab whose run has begun. */
export function runningLab(fragment: string) {
  const worker = workers();
  const lab = openLab(fragment, worker.start);
  lab.editor.run();
  worker.latest.enter('running');
  return { lab, worker };
}
