/** Parts of a run put together: rows of members in the order of the whole. Copies numbers and computes none. */

import { isFixed } from '../../experiment/arm/policyFiles';
import { type MachineEntry, recordMachine } from '../../experiment/machines';
import { METRICS } from '../../rl/measure/metrics';
import { gatherReadings } from '../../rl/measure/warmStartReadings';
import type { Member } from '../../rl/population';
import type { FloatData } from '../../tensor/backend';
import { gatherOwn, gatherRows } from '../../train/population/parts';
import type { Snapshot } from '../../train/population/training';
import type { buildResult, RunPart } from '../../train/result/result';
import type { Checkpoint } from '../../train/run/keep/checkpoint';
import { codeOf, type FinishedShard, numericsOf, type ShardAgreement } from './agreement';
import { memberName } from './members';

export interface Joined {
  readonly members: readonly Member[];
  /** Indices of each part's members in the whole. */
  readonly indices: ReadonlyMap<FinishedShard, readonly number[]>;
  readonly run: Parameters<typeof buildResult>[0];
  /** Curves, [updates, P, METRICS.length]. */
  readonly curves: Float32Array;
  /** Joined checkpoint; null where backends or numerics differ: no backend would continue it. */
  readonly checkpoint: Checkpoint | null;
}

export function joinShards({ parts, experiment, members }: ShardAgreement): Joined {
  const place = new Map(members.map((member, index) => [memberName(member), index]));
  const indices = parts.map((part) => part.checkpoint.snapshot.members.map((one) => place.get(memberName(one)) ?? -1));
  const { updates, timeline } = experiment;
  const curves = new Float32Array(updates * members.length * METRICS.length);
  const width = members.length * METRICS.length;
  for (let update = 0; update < updates; update++) {
    const rows = parts.map(({ checkpoint }, part) => {
      const columns = (indices[part]?.length ?? 0) * METRICS.length;
      return checkpoint.curves.subarray(update * columns, (update + 1) * columns);
    });
    gatherRows(indices, rows, members.length, curves.subarray(update * width, (update + 1) * width));
  }
  const backends = [...new Set(parts.map(({ checkpoint }) => checkpoint.backend))];
  const adapters = [...new Set(parts.map(({ adapter }) => adapter))];
  const machines = machinesOf(parts);
  const tokens = parts.reduce((sum, { checkpoint }) => sum + checkpoint.tokens, 0);
  const read = parts.map(({ checkpoint }) => checkpoint.warmStart ?? []);
  const warmStart = gatherReadings(indices, read, members.length);
  const numerics = new Set(parts.map(numericsOf).filter((one) => one !== null));
  const isMixed = backends.length > 1 || adapters.length > 1 || new Set(parts.map(codeOf)).size > 1;
  const run = {
    experiment,
    backend: backends.join(', '),
    adapter: adapters.join(', '),
    machines,
    wallSeconds: parts.reduce((sum, { wallSeconds }) => sum + wallSeconds, 0),
    tokens,
    ...(warmStart.length > 0 && { warmStart }),
    ...(isMixed ? { parts: parts.map(asRunPart) } : {}),
  };
  const [backend, ...others] = backends;
  const layout = parts.map(({ checkpoint }) => checkpoint.layout).find((one) => one !== undefined);
  const isWhole = backend !== undefined && others.length === 0 && numerics.size < 2;
  const snapshots = parts.map(({ checkpoint }) => checkpoint.snapshot);
  const checkpoint = isWhole
    ? {
        snapshot: {
          update: updates,
          members,
          timeline,
          tensors: joinTensors(snapshots, indices, experiment.arms.map(isFixed), members),
          tasks: gatherOwn(
            indices,
            snapshots.map(({ tasks }) => tasks),
          ),
          successRates: gatherOwn(
            indices,
            snapshots.map(({ successRates }) => successRates),
          ),
        },
        experiment,
        backend,
        machines,
        curves,
        tokens,
        ...(warmStart.length > 0 && { warmStart }),
        ...(layout !== undefined && { layout }),
      }
    : null;
  return { members, indices: new Map(parts.map((part, i) => [part, indices[i] ?? []])), run, curves, checkpoint };
}

const asRunPart = ({ checkpoint, adapter }: FinishedShard): RunPart => ({
  members: checkpoint.snapshot.members.map(memberName),
  backend: checkpoint.backend,
  adapter,
  machines: checkpoint.machines,
});

/**
 * Machines of all parts, in the order of their updates; without code where a part kept none, for nothing tells the numerics of all.
 */
function machinesOf(parts: readonly FinishedShard[]): readonly MachineEntry[] {
  const isKnown = parts.every((part) => numericsOf(part) !== null);
  const entries = parts
    .flatMap(({ checkpoint }) => checkpoint.machines)
    .map(({ code, ...entry }) => (isKnown && code !== undefined ? { ...entry, code } : entry))
    .sort((a, b) => a.update - b.update);
  return entries.reduce<readonly MachineEntry[]>((known, entry) => recordMachine(known, entry), []);
}

type Tensors = Readonly<Record<string, FloatData>>;

/** Tensors with one row for each member that trains; fixed policies have none. */
function joinTensors(
  snapshots: readonly Snapshot[],
  indices: readonly (readonly number[])[],
  fixed: readonly boolean[],
  members: readonly Member[],
): Snapshot['tensors'] {
  const trained = [...members.keys()].filter((index) => !fixed[members[index]?.armIndex ?? -1]);
  const row = new Map(trained.map((index, i) => [index, i]));
  // A part of fixed policies alone has no rows, and its tensors may lack names.
  const withRows = snapshots.flatMap(({ tensors }, part) =>
    tensors.step.length === 0 ? [] : [{ tensors: tensors as Tensors, own: indices[part] ?? [] }],
  );
  const rows = withRows.map(({ own }) => own.flatMap((index) => row.get(index) ?? []));
  const tensor = (name: string): FloatData => {
    const values = withRows.map(({ tensors }) => tensors[name] as FloatData);
    const length = values.reduce((sum, one) => sum + one.length, 0);
    const to = values.some((one) => one instanceof Float64Array) ? new Float64Array(length) : new Float32Array(length);
    return gatherRows(rows, values, trained.length, to);
  };
  const names = Object.keys((withRows[0] ?? snapshots[0])?.tensors ?? {});
  return Object.fromEntries(names.map((name) => [name, tensor(name)])) as unknown as Snapshot['tensors'];
}
