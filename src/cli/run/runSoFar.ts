/** The run so far, as the loop of `lab run` has measured it: its curves, and the result and the checkpoints made of them. */
import type { Experiment } from '../../experiment/experiment';
import type { MachineEntry } from '../../experiment/machines';
import { METRICS } from '../../rl/measure/metrics';
import type { WarmStartReading } from '../../rl/measure/warmStartReadings';
import type { PolicyParameter } from '../../train/population/shape';
import type { Snapshot, Training } from '../../train/population/training';
import type { BackendKind } from '../../train/protocol';
import { buildResult, type RunResult } from '../../train/result/result';
import type { Checkpoint, Shard } from '../../train/run/keep/checkpoint';

/** Facts of a run that its result and its checkpoints have beside what is measured. */
export interface DrivenRun {
  readonly experiment: Experiment;
  readonly backend: BackendKind;
  readonly adapter: string;
  /** Machines of the run so far, the present one included. */
  readonly machines: readonly MachineEntry[];
  readonly shard?: Shard | null;
  /** Place of each parameter in a row of the checkpoint. */
  readonly layout?: readonly PolicyParameter[];
  /** Checkpoint that the training was restored from; null for a new run. */
  readonly saved: Checkpoint | null;
  /** Readings of the warm start, if it was measured. */
  readonly warmStart?: readonly WarmStartReading[];
}

export class RunSoFar {
  readonly #facts: DrivenRun;
  readonly #members: Training['members'];
  readonly #started = performance.now();
  /** Numbers of an update: P · METRICS.length. */
  readonly #columns: number;
  /** Metrics, [updates, P, METRICS.length], filled up to `arrived`. */
  readonly #curves: Float32Array;
  /** Number of tokens of all updates before each, [updates + 1]. */
  readonly #tokens: Float64Array;
  /** Number of updates whose metrics have arrived. */
  arrived: number;

  constructor({ finished, members }: Training, facts: DrivenRun) {
    const { experiment, saved } = facts;
    this.#facts = facts;
    this.#members = members;
    this.#columns = members.length * METRICS.length;
    this.arrived = finished;
    this.#curves = new Float32Array(experiment.updates * this.#columns);
    this.#curves.set(saved?.curves ?? []);
    this.#tokens = new Float64Array(experiment.updates + 1);
    this.#tokens[finished] = saved?.tokens ?? 0;
  }

  /** Curves from the update `begin` to before `end`, [updates, P, METRICS.length]; of all that have arrived, if absent. */
  curves(end = this.arrived, begin = 0): Float32Array {
    return this.#curves.subarray(begin * this.#columns, end * this.#columns);
  }

  addTokens(update: number, tokens: number): void {
    this.#tokens[update + 1] = (this.#tokens[update] as number) + tokens;
  }

  addMetrics(update: number, values: ArrayLike<number>): void {
    this.#curves.set(values, update * this.#columns);
    this.arrived = update + 1;
  }

  /** broken: indices of members with a parameter that is not finite. */
  result(broken: ReadonlySet<number>): RunResult {
    const { experiment, backend, adapter, machines, shard, warmStart = [] } = this.#facts;
    const wallSeconds = (performance.now() - this.#started) / 1000;
    const tokens = this.#tokens[this.arrived] as number;
    const facts = {
      experiment,
      backend,
      adapter,
      machines,
      wallSeconds,
      tokens,
      ...(shard ? { shard } : {}),
      warmStart,
    };
    return buildResult(facts, this.#members, this.curves(), broken);
  }

  checkpointOf(snapshot: Snapshot, experiment = this.#facts.experiment): Checkpoint {
    const { backend, machines, shard, layout, warmStart = [] } = this.#facts;
    const curves = this.curves(snapshot.update);
    const tokens = this.#tokens[snapshot.update] as number;
    const optional = { ...(warmStart.length > 0 && { warmStart }), ...(shard && { shard }), ...(layout && { layout }) };
    return { snapshot, experiment, backend, machines, curves, tokens, ...optional };
  }
}
