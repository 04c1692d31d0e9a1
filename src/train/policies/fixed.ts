/**
 * Fixed policies, as the part of a population that does not train. onnxruntime-web computes their logits; a CPU backend of
 * their own draws and scores. Their numbers depend only on the file, the experiment and what onnxruntime runs on, not on
 * what trains beside them. Loaded when an experiment has such an arm.
 */
import type { Change, Experiment } from '../../experiment/experiment';
import { effectiveArms } from '../../experiment/timeline';
import { LabError } from '../../foundation/errors';
import { exportOnnx } from '../../onnx/exportOnnx';
import type { ImportedPolicy } from '../../onnx/importOnnx';
import { PolicySession } from '../../onnx/session';
import type { WarmStartProgress } from '../../rl/learn/warmStart';
import { METRICS } from '../../rl/measure/metrics';
import type { Member } from '../../rl/population';
import type { Backend } from '../../tensor/backend';
import { createCpuBackend } from '../../tensor/cpu/backend';
import type { Watch } from '../looks/episodes';
import type { DreamView, Inspection, InspectionChoice, MemberProbes } from '../looks/shown';
import { createEnvironment } from '../population/shape';
import {
  type BaseWeights,
  type FilePolicies,
  type Snapshot,
  STATE_TENSORS,
  type StateTensors,
  type TrainerUpdate,
  type Training,
} from '../population/training';
import { FixedMember } from './fixedMember';

/** Empty tensors of a snapshot: a fixed policy never changes. */
const NO_TENSORS = Object.fromEntries(
  STATE_TENSORS.map((name) => [name, new Float32Array(0)]),
) as unknown as StateTensors;

export class FixedPolicies implements Training {
  readonly members: readonly Member[];
  /** Number of microbatches, always 1: the batches are never cut. */
  readonly microbatches = 1;
  readonly lost = new Promise<LabError>(() => {});
  readonly #backend: Backend;
  readonly #sessions: ReadonlyMap<string, PolicySession>;
  readonly #own: readonly FixedMember[];
  #experiment: Experiment;
  #finished = 0;

  private constructor(
    backend: Backend,
    experiment: Experiment,
    members: readonly Member[],
    sessions: ReadonlyMap<string, PolicySession>,
  ) {
    const environment = createEnvironment(experiment);
    this.#backend = backend;
    this.#experiment = experiment;
    this.#sessions = sessions;
    this.members = members;
    this.#own = members.map((member) => {
      const session = sessions.get(policyOf(experiment, member)) as PolicySession;
      return new FixedMember(backend, session, environment, experiment, member);
    });
  }

  /**
   * Opens fixed policies. members: of arms that are such; policies: of every file that these name. Throws LabError
   * 'missing-policy' where one was not given, and as PolicySession.open does.
   */
  static async open(
    experiment: Experiment,
    members: readonly Member[],
    policies: FilePolicies,
  ): Promise<FixedPolicies> {
    const sessions = new Map<string, PolicySession>();
    const backend = await createCpuBackend();
    try {
      for (const hash of new Set(members.map((member) => policyOf(experiment, member)))) {
        sessions.set(hash, await openCached(playable(policies.get(hash)), hash));
      }
      return new FixedPolicies(backend, experiment, members, sessions);
    } catch (cause) {
      backend.dispose();
      for (const session of sessions.values()) void session.release();
      throw cause;
    }
  }

  /** Descriptions of the runtime of each arm's policy, for the person; by the arm's id. */
  get runtimes(): Record<string, string> {
    const entries = this.members.map((member): [string, string] => {
      const session = this.#sessions.get(policyOf(this.#experiment, member));
      return [member.arm, session?.description ?? ''];
    });
    return Object.fromEntries(entries);
  }

  get finished(): number {
    return this.#finished;
  }

  get experiment(): Experiment {
    return this.#experiment;
  }

  prepare(): Promise<void> {
    return this.#backend.prepare();
  }

  setTimeline(timeline: readonly Change[]): void {
    this.#experiment = { ...this.#experiment, timeline: [...timeline] };
  }

  async warmUp(): Promise<WarmStartProgress> {
    return { done: 0, total: 0 };
  }

  /** Plays member after member: those of one file share its session. */
  async runUpdate(watch?: Watch): Promise<TrainerUpdate> {
    const update = this.#finished;
    const arms = effectiveArms(this.#experiment, update);
    const metrics = new Float64Array(this.members.length * METRICS.length);
    let tokens = 0;
    for (const [index, member] of this.#own.entries()) {
      const played = await member.play(arms, update);
      metrics.set(played.metrics, index * METRICS.length);
      tokens += played.tokens;
    }
    this.#finished = update + 1;
    const episodes = watch === undefined ? null : this.#own.flatMap((member) => member.watch(watch));
    return {
      update,
      tokens,
      metrics: Promise.resolve(metrics),
      episodes: episodes && Promise.resolve(episodes),
      diagnosis: null,
    };
  }

  async inspect(choice: InspectionChoice): Promise<Inspection[] | null> {
    const inspected = this.#own.map((member) => member.inspect(choice));
    return inspected.includes(null) ? null : inspected.flatMap((own) => own ?? []);
  }

  /** Probes, always none: the activations stay inside the runtime. */
  async probe(): Promise<MemberProbes[]> {
    return [];
  }

  /** Dreams, always none: the trainer's own kernels decode dreams, and they do not run such a policy. */
  async dream(): Promise<DreamView[]> {
    return [];
  }

  async snapshot(): Promise<Snapshot> {
    return {
      update: this.#finished,
      members: this.members,
      timeline: this.#experiment.timeline,
      tensors: NO_TENSORS,
      tasks: this.#own.map(({ tasks }) => tasks),
      // No loss of a fixed policy reads it.
      successRates: this.#own.map(() => 0),
    };
  }

  async restore({ update, timeline, tasks }: Snapshot): Promise<void> {
    this.#own.forEach((member, index) => {
      member.restore(tasks[index] ?? []);
    });
    this.setTimeline(timeline);
    this.#finished = update;
  }

  dispose(): void {
    this.#backend.dispose();
    for (const session of this.#sessions.values()) void session.release();
  }
}

function policyOf({ arms }: Experiment, { armIndex }: Member): string {
  return arms[armIndex]?.fixedPolicy ?? '';
}

/** Session of a policy, always with a key-value cache: without one, every turn would be fed again at each step. */
function openCached(policy: ImportedPolicy | undefined, hash: string): Promise<PolicySession> {
  if (policy !== undefined) {
    const withoutGpu = 'its numbers are to be the same whatever trains beside it';
    return PolicySession.open(exportOnnx(policy, { cached: true }), { ...policy, cached: true }, { withoutGpu });
  }
  const what = `An arm is the policy in the file with the SHA-256 ${hash}, which is not here.`;
  throw new LabError('missing-policy', what, 'Ask for the file, and choose it.');
}

/** A policy that can play; weights of a language model alone are none. */
function playable(policy: ImportedPolicy | BaseWeights | undefined): ImportedPolicy | undefined {
  return policy !== undefined && 'vocabulary' in policy ? policy : undefined;
}
