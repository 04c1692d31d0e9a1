/** The page's side of a Session: it records every event and can wait for some. */
import { expect, onTestFinished } from 'vitest';
import type { Experiment } from '../../src/experiment/experiment';
import { type MachineEntry, recordMachine } from '../../src/experiment/machines';
import { findPreset } from '../../src/experiment/presets/presets';
import { METRICS } from '../../src/rl/measure/metrics';
import type { BackendChoice, TrainerEvent } from '../../src/train/protocol';
import { Session, type SessionOptions } from '../../src/train/run/session';

/** Two members, without diagnoses, whose pipelines a software GPU compiles for seconds with every device. */
export function twoMembers(updates: number): Experiment {
  const { experiment } = findPreset('gridworld-tiny') as { experiment: Experiment };
  return { ...experiment, arms: experiment.arms.slice(0, 2), seeds: 1, updates, diagnosticsEvery: 0 };
}

/** A session and all it has told; it is disposed of when the test has ended. */
export class SessionPage {
  readonly events: TrainerEvent[] = [];
  readonly session: Session;
  readonly #experiment: Experiment;
  #heard: (() => void)[] = [];

  constructor(
    choice: BackendChoice,
    experiment: Experiment,
    listen: (event: TrainerEvent, page: SessionPage) => void = () => {},
    options: SessionOptions = {},
  ) {
    this.#experiment = experiment;
    const post = (event: TrainerEvent): void => {
      this.events.push(structuredClone(event));
      listen(event, this);
      for (const wake of this.#heard.splice(0)) wake();
    };
    this.session = new Session(experiment, choice, post, options);
    onTestFinished(() => this.session.dispose());
  }

  async until(wanted: (page: SessionPage) => boolean): Promise<void> {
    while (!wanted(this)) {
      await new Promise<void>((resolve) => {
        this.#heard.push(resolve);
      });
    }
  }

  of<T extends TrainerEvent['type']>(type: T): Extract<TrainerEvent, { type: T }>[] {
    return this.events.filter((event): event is Extract<TrainerEvent, { type: T }> => event.type === type);
  }

  get phase(): string | undefined {
    return this.of('phase').at(-1)?.phase;
  }

  /** Machines of the run, as the page records them. */
  get machines(): MachineEntry[] {
    return this.of('machine').reduce((list: MachineEntry[], { entry }) => recordMachine(list, entry), []);
  }

  /** Metrics of every update; later reports replace earlier ones. */
  get curves(): number[] {
    const columns = this.#experiment.arms.length * this.#experiment.seeds * METRICS.length;
    const values: number[] = [];
    for (const resumed of this.of('resumed')) values.push(...resumed.values);
    for (const batch of this.of('metrics')) {
      batch.values.forEach((value, i) => {
        values[batch.update * columns + i] = value;
      });
    }
    return values;
  }
}

type Given = ConstructorParameters<typeof SessionPage>;

/** A run that has ended, whichever way. */
export async function endedPage(...given: Given): Promise<SessionPage> {
  const page = new SessionPage(...given);
  await page.session.prepare(true);
  await page.until(({ phase }) => phase === 'finished' || phase === 'failed' || phase === 'stranded');
  await page.session.dispose();
  return page;
}

/** A run that is through without an error. */
export async function finishedPage(...given: Given): Promise<SessionPage> {
  const page = await endedPage(...given);
  expect([page.phase, page.of('error')]).toEqual(['finished', []]);
  return page;
}

/** A run that rests after its first update. */
export async function steppedPage(choice: BackendChoice, experiment: Experiment): Promise<SessionPage> {
  const page = new SessionPage(choice, experiment);
  await page.session.prepare(false);
  page.session.step();
  await page.until(({ phase }) => phase === 'paused');
  return page;
}
