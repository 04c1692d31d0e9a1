/**
 * A population with members that train and fixed policies, as one Training. The two parts are independent: those that train
 * have the same numbers, bit for bit, with fixed policies or without.
 */
import type { Change, Experiment } from '../../experiment/experiment';
import type { LabError } from '../../foundation/errors';
import type { WarmStartProgress } from '../../rl/learn/warmStart';
import { METRICS } from '../../rl/measure/metrics';
import { gatherReadings } from '../../rl/measure/warmStartReadings';
import type { Member } from '../../rl/population';
import type { Watch } from '../looks/episodes';
import type { DreamRequest, DreamView, Inspection, InspectionChoice, MemberProbes } from '../looks/shown';
import { gatherDiagnosis, gatherOwn, gatherRows, inOrderOfArms, type PartIndices, pickOwn } from './parts';
import type { Snapshot, TrainerUpdate, Training } from './training';

export class MixedTraining implements Training {
  readonly members: readonly Member[];
  readonly #trained: Training;
  readonly #fixed: Training;
  readonly #indices: readonly PartIndices[];

  /** members: those of both parts, in the population's order. */
  constructor(members: readonly Member[], trained: Training, fixed: Training) {
    this.members = members;
    this.#trained = trained;
    this.#fixed = fixed;
    this.#indices = [trained, fixed].map((part) => part.members.map((member) => members.indexOf(member)));
  }

  get finished(): number {
    return this.#trained.finished;
  }

  get experiment(): Experiment {
    return this.#trained.experiment;
  }

  get microbatches(): number {
    return this.#trained.microbatches;
  }

  /** Loss of the device or Workers of the part that trains; fixed policies compute in this thread. */
  get lost(): Promise<LabError> {
    return this.#trained.lost;
  }

  async prepare(onProgress?: (done: number, total: number) => void): Promise<void> {
    await Promise.all([this.#trained.prepare(onProgress), this.#fixed.prepare()]);
  }

  /** Warms up the part that trains; fixed policies have no readings. */
  async warmUp(): Promise<WarmStartProgress> {
    const { readings, loss, ...progress } = await this.#trained.warmUp();
    const [, fixed] = this.#indices as readonly [PartIndices, PartIndices];
    return {
      ...progress,
      ...(loss && { loss: gatherOwn(this.#indices, [loss, fixed.map(() => Number.NaN)]) }),
      ...(readings && { readings: gatherReadings(this.#indices, [readings, []], this.members.length) }),
    };
  }

  async runUpdate(watch?: Watch, diagnose = false): Promise<TrainerUpdate> {
    const updates = await Promise.all([this.#trained.runUpdate(watch, diagnose), this.#fixed.runUpdate(watch)]);
    const [{ update }] = updates;
    const episodes = updates.map((part) => part.episodes ?? []);
    return {
      update,
      tokens: updates.reduce((sum, { tokens }) => sum + tokens, 0),
      metrics: Promise.all(updates.map(({ metrics }) => metrics)).then((rows) => {
        const table = new Float64Array(this.members.length * METRICS.length);
        return gatherRows(this.#indices, rows, this.members.length, table);
      }),
      episodes:
        watch === undefined
          ? null
          : Promise.all(episodes).then((said) => inOrderOfArms(this.experiment.arms, said, ({ arm }) => arm)),
      // Fixed policies have no gradients to measure.
      diagnosis:
        updates[0].diagnosis?.then((trained) => gatherDiagnosis(this.#indices, [trained, null], this.members.length)) ??
        null,
    };
  }

  async inspect(choice: InspectionChoice): Promise<Inspection[] | null> {
    const inspected = await Promise.all([this.#trained.inspect(choice), this.#fixed.inspect(choice)]);
    if (inspected.includes(null)) return null;
    const parts = inspected.map((part) => part ?? []);
    return inOrderOfArms(this.experiment.arms, parts, ({ arm }) => arm.id);
  }

  /** Probes of the part that trains; a fixed policy's activations are not known. */
  probe(seed: number | null): Promise<MemberProbes[] | null> {
    return this.#trained.probe(seed);
  }

  async dream(request: DreamRequest): Promise<DreamView[]> {
    const dreamed = await Promise.all([this.#trained.dream(request), this.#fixed.dream(request)]);
    return inOrderOfArms(this.experiment.arms, dreamed, ({ arm }) => arm);
  }

  setTimeline(timeline: readonly Change[]): void {
    this.#trained.setTimeline(timeline);
    this.#fixed.setTimeline(timeline);
  }

  async snapshot(): Promise<Snapshot> {
    const [trained, fixed] = await Promise.all([this.#trained.snapshot(), this.#fixed.snapshot()]);
    return {
      ...trained,
      members: this.members,
      tasks: gatherOwn(this.#indices, [trained.tasks, fixed.tasks]),
      successRates: gatherOwn(this.#indices, [trained.successRates, fixed.successRates]),
    };
  }

  async restore(snapshot: Snapshot): Promise<void> {
    const restored = [this.#trained, this.#fixed].map((part, i) => {
      const tasks = (this.#indices[i] as PartIndices).map((member) => snapshot.tasks[member] ?? []);
      const successRates = pickOwn(snapshot.successRates, this.#indices[i] as PartIndices);
      return part.restore({ ...snapshot, members: part.members, tasks, successRates });
    });
    await Promise.all(restored);
  }

  dispose(): void {
    this.#trained.dispose();
    this.#fixed.dispose();
  }
}
