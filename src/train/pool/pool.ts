/**
 * Training on several processor cores. Members are independent, so each Worker trains a part of them with a Trainer of its
 * own, and this coordinator puts the results together in the order of the members. The coordinator computes nothing and
 * allocates no tensors. The number of Workers changes no number.
 */
import { baseWeights } from '../../experiment/arm/policyFiles';
import type { Change, Experiment } from '../../experiment/experiment';
import type { CpuKind } from '../../foundation/cpuVariants';
import { asLabError, LabError } from '../../foundation/errors';
import type { WarmStartProgress } from '../../rl/learn/warmStart';
import { METRICS } from '../../rl/measure/metrics';
import { gatherReadings } from '../../rl/measure/warmStartReadings';
import type { Member } from '../../rl/population';
import type { FloatData } from '../../tensor/backend';
import { bytesAlike, createShared, type SharedMemory } from '../../tensor/cpu/memory';
import type { Watch } from '../looks/episodes';
import type { DreamRequest, DreamView, Inspection, InspectionChoice, MemberProbes } from '../looks/shown';
import { knownModel } from '../policies/models';
import {
  gatherDiagnosis,
  gatherOwn,
  gatherRows,
  inOrderOfArms,
  type PartIndices,
  pickOwn,
  pickRows,
} from '../population/parts';
import {
  chooseMembers,
  type FileWeights,
  type Snapshot,
  type StateTensors,
  type TrainerUpdate,
  type Training,
  type TrainingOptions,
  weightsFor,
} from '../population/training';
import { PoolClient } from './client';
import type { StartPoolWorker } from './port';
import type { PoolCommand, PoolReplies } from './protocol';

export interface PoolOptions extends TrainingOptions {
  /** Variant of the CPU backend; plain unless another is asked for. */
  readonly backend?: CpuKind;
  readonly workers: number;
  readonly start: StartPoolWorker;
}

interface Part {
  /** Index in the population of each member trained there. */
  readonly indices: PartIndices;
  readonly client: PoolClient;
}

/**
 * Members of each Worker, dealt out like cards. Neighbours in the population are seeds of one arm, and arms differ in their
 * work (length of trajectories, tokens to train on). Dealt out, every Worker gets some of each arm.
 */
export function dealMembers(members: number, workers: number): number[][] {
  const hands = Math.min(members, workers);
  return Array.from({ length: hands }, (_, hand) =>
    Array.from({ length: Math.ceil((members - hand) / hands) }, (_, i) => hand + i * hands),
  );
}

/** Memory in which all Workers hold a frozen model once; null without such a model, and where threads cannot share memory. */
function shareFor(experiment: Experiment, weights: FileWeights): SharedMemory | null {
  const [hash = ''] = experiment.policy.adapterRank > 0 ? baseWeights(experiment) : [];
  const base = weights.get(hash);
  if (base === undefined || base instanceof Float32Array) return null;
  return createShared(bytesAlike([...base.values()].map(({ values }) => values.byteLength)));
}

export class TrainerPool implements Training {
  readonly members: readonly Member[];
  readonly lost: Promise<LabError>;
  readonly #parts: readonly Part[];
  readonly #created: Promise<readonly PoolReplies['create'][]>;
  #experiment: Experiment;
  #finished = 0;
  #microbatches = 0;
  /** Reason why the Workers were ended; null while they run. */
  #broken: LabError | null = null;

  /** Starts the Workers, which begin to allocate. */
  constructor(experiment: Experiment, options: PoolOptions) {
    this.#experiment = experiment;
    this.members = chooseMembers(experiment, options);
    const population = this.members.length;
    let reportLost = (_error: LabError): void => {};
    this.lost = new Promise((resolve) => {
      reportLost = resolve;
    });
    this.#parts = dealMembers(population, options.workers).map((indices) => ({
      indices,
      client: new PoolClient(options.start, (error) => reportLost(this.#break(error))),
    }));
    const { backend = 'cpu', halvings = 0, weights = new Map() } = options;
    const shared = this.#parts.length > 1 ? shareFor(experiment, weights) : null;
    this.#created = this.#ask(({ indices }) => {
      const members = indices.map((index) => this.members[index] as Member);
      return {
        type: 'create',
        backend,
        experiment,
        members,
        population,
        halvings,
        weights: weightsFor(experiment, members, weights),
        shared,
        model: knownModel(experiment.policy.model),
      };
    });
    // prepare() throws a failure of these; until then nobody waits for it.
    this.#created.catch(() => {});
  }

  /** Microbatches of the Worker that has the most. */
  get microbatches(): number {
    return this.#microbatches;
  }

  get finished(): number {
    return this.#finished;
  }

  get experiment(): Experiment {
    return this.#experiment;
  }

  async prepare(onProgress?: (done: number, total: number) => void): Promise<void> {
    const created = await this.#created;
    this.#microbatches = Math.max(...created.map(({ microbatches }) => microbatches));
    onProgress?.(0, 0);
  }

  setTimeline(timeline: readonly Change[]): void {
    this.#experiment = { ...this.#experiment, timeline: [...timeline] };
    // The next update throws a failure.
    this.#ask(() => ({ type: 'timeline', timeline })).catch(() => {});
  }

  /** One step on every Worker; returns the progress of the slowest. */
  async warmUp(): Promise<WarmStartProgress> {
    const replies = await this.#ask(() => ({ type: 'warmUp' }));
    const total = Math.max(...replies.map(({ progress }) => progress.total));
    const done = Math.min(...replies.map(({ progress }) => progress.done));
    const read = replies.map(({ progress }) => progress.readings ?? []);
    const readings = gatherReadings(this.#indices, read, this.members.length);
    const losses = replies.map(({ progress }) => progress.loss ?? []);
    const withLoss = losses.some((own) => own.length > 0) && { loss: gatherOwn(this.#indices, losses) };
    return { done, total, ...withLoss, ...(readings.length > 0 && { readings }) };
  }

  async runUpdate(watch?: Watch, diagnose = false): Promise<TrainerUpdate> {
    const replies = await this.#ask(() => ({ type: 'update', watch: watch ?? null, diagnose }));
    const update = this.#finished;
    this.#finished = update + 1;
    const tokens = replies.reduce((sum, reply) => sum + reply.tokens, 0);
    const values = replies.map(({ metrics }) => metrics);
    const metrics = this.#gather(values, new Float64Array(this.members.length * METRICS.length));
    const watched = replies.map((reply) => reply.episodes ?? []);
    const episodes = watch === undefined ? null : this.#byArm(watched, ({ arm }) => arm);
    const measured = replies.map((reply) => reply.diagnosis);
    const diagnosis = gatherDiagnosis(this.#indices, measured, this.members.length);
    return {
      update,
      tokens,
      metrics: Promise.resolve(metrics),
      episodes: episodes && Promise.resolve(episodes),
      diagnosis: diagnosis && Promise.resolve(diagnosis),
    };
  }

  async inspect(choice: InspectionChoice): Promise<Inspection[] | null> {
    const replies = await this.#ask(() => ({ type: 'inspect', choice }));
    if (replies.some(({ inspections }) => inspections === null)) return null;
    const inspected = replies.map(({ inspections }) => inspections ?? []);
    return this.#byArm(inspected, ({ arm }) => arm.id);
  }

  async probe(seed: number | null): Promise<MemberProbes[] | null> {
    const replies = await this.#ask(() => ({ type: 'probe', seed }));
    if (replies.some(({ members }) => members === null)) return null;
    const probes = replies.flatMap(({ members }) => members ?? []).toSorted((a, b) => a.seed - b.seed);
    return this.#byArm([probes], ({ arm }) => arm);
  }

  /** Dreams of every Worker's members. */
  async dream(request: DreamRequest): Promise<DreamView[]> {
    const replies = await this.#ask(() => ({ type: 'dream', request }));
    const dreamed = replies.map(({ dreams }) => dreams);
    return this.#byArm(dreamed, ({ arm }) => arm);
  }

  async snapshot(): Promise<Snapshot> {
    const replies = await this.#ask(() => ({ type: 'snapshot' }));
    const names = Object.keys(replies[0]?.tensors ?? {}) as (keyof StateTensors)[];
    const gather = (name: keyof StateTensors): FloatData => {
      const values = replies.map(({ tensors }) => tensors[name] as FloatData);
      // Those of one Worker are in order already, and are not copied.
      if (values.length === 1) return values[0] as FloatData;
      return this.#gather(values, new Float32Array(values.reduce((sum, { length }) => sum + length, 0)));
    };
    return {
      update: this.#finished,
      members: this.members,
      timeline: this.#experiment.timeline,
      tensors: Object.fromEntries(names.map((name) => [name, gather(name)])) as unknown as StateTensors,
      tasks: gatherOwn(
        this.#indices,
        replies.map(({ tasks }) => tasks),
      ),
      successRates: gatherOwn(
        this.#indices,
        replies.map(({ successRates }) => successRates),
      ),
    };
  }

  async restore({ update, timeline, tensors, tasks, successRates }: Snapshot): Promise<void> {
    await this.#ask(({ indices }) => ({
      type: 'restore',
      update,
      timeline,
      tensors: Object.fromEntries(
        Object.entries(tensors).map(
          ([name, values]) => [name, pickRows(values, this.members.length, indices)] as const,
        ),
      ) as unknown as StateTensors,
      tasks: indices.map((index) => tasks[index] ?? []),
      successRates: pickOwn(successRates, indices),
    }));
    this.#experiment = { ...this.#experiment, timeline: [...timeline] };
    this.#finished = update;
  }

  dispose(): void {
    this.#break(new LabError('internal', 'The training was ended.', 'Start it again.'));
  }

  /** Asks every Worker. When one fails, all are ended: their states would no longer match. */
  async #ask<C extends PoolCommand>(command: (part: Part) => C): Promise<PoolReplies[C['type']][]> {
    try {
      return await Promise.all(this.#parts.map((part) => part.client.ask(command(part))));
    } catch (cause) {
      throw this.#break(asLabError(cause));
    }
  }

  /** Ends all Workers; returns the reason, the first one if they were ended already. */
  #break(error: LabError): LabError {
    if (this.#broken !== null) return this.#broken;
    this.#broken = error;
    for (const { client } of this.#parts) client.end(error);
    return error;
  }

  get #indices(): PartIndices[] {
    return this.#parts.map(({ indices }) => indices);
  }

  #gather<A extends Float32Array | Float64Array>(rows: readonly FloatData[], to: A): A {
    return gatherRows(this.#indices, rows, this.members.length, to);
  }

  #byArm<T>(parts: readonly (readonly T[])[], armOf: (one: T) => string): T[] {
    return inOrderOfArms(this.#experiment.arms, parts, armOf);
  }
}
