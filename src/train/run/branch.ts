/**
 * Start of a run on which a branch grows: a state of the run without it, in which the branch's members are copies of its
 * parent's. Random numbers are keyed by seed and update, so parameters, optimiser and memories of tasks are all that has to be
 * copied.
 */

import { isFixed } from '../../experiment/arm/policyFiles';
import type { Experiment } from '../../experiment/experiment';
import type { MachineEntry } from '../../experiment/machines';
import { METRICS } from '../../rl/measure/metrics';
import { type Member, membersOf } from '../../rl/population';
import { pickOwn } from '../population/parts';
import type { Snapshot } from '../population/training';
import type { BackendKind, BranchRequest } from '../protocol';
import type { KeptRunState } from './keep/keptStates';

/** State of a run as a Session hands it over. */
export interface HandedOver {
  readonly backend: BackendKind;
  readonly machines: readonly MachineEntry[];
  /** Newest state at hand that is not after the branching; null if there is none. */
  readonly snapshot: Snapshot | null;
}

/** State that the run with the branch goes on from; null if it has to begin. */
export function growBranch(
  experiment: Experiment,
  { parent, branch, curves, seconds }: BranchRequest,
  { backend, machines, snapshot }: HandedOver,
): KeptRunState | null {
  if (snapshot === null) return null;
  const { arms, seeds } = experiment;
  const { update, members: before } = snapshot;
  const members = membersOf(
    arms,
    Array.from({ length: seeds }, (_, seed) => seed),
  );
  const originOf = (among: readonly Member[], member: Member): number => {
    const arm = member.arm === branch ? parent : member.arm;
    return among.findIndex((one) => one.arm === arm && one.seed === member.seed);
  };
  const trains = ({ arm }: Member): boolean => arms.some((one) => one.id === arm && !isFixed(one));
  const trained = before.filter(trains);
  const rows = members.filter(trains).map((member) => originOf(trained, member));
  const origins = members.map((member) => originOf(before, member));
  const tensors = Object.entries(snapshot.tensors).map(([name, values]) => [
    name,
    copyRows(values, trained.length, rows),
  ]);
  const size = before.length * METRICS.length;
  const grownCurves = new Float32Array(update * members.length * METRICS.length);
  for (let at = 0; at < update; at++) {
    const row = copyRows(curves.subarray(at * size, (at + 1) * size), before.length, origins);
    grownCurves.set(row, at * members.length * METRICS.length);
  }
  return {
    snapshot: {
      update,
      members,
      timeline: experiment.timeline,
      tensors: Object.fromEntries(tensors) as Snapshot['tensors'],
      tasks: snapshot.tasks.length === 0 ? [] : origins.map((origin) => snapshot.tasks[origin] ?? []),
      successRates: pickOwn(snapshot.successRates, origins),
    },
    experiment,
    checked: experiment,
    backend,
    machines: machines.filter((entry) => entry.update <= update),
    curves: grownCurves,
    seconds: seconds.slice(0, update),
    tokens: 0,
    remarks: [],
    wayBack: null,
  };
}

/** Rows of some members, in their order, of an array of `members` rows. */
function copyRows<A extends Float32Array | Float64Array>(values: A, members: number, rows: readonly number[]): A {
  const stride = values.length / Math.max(1, members);
  const copied = new (values.constructor as new (length: number) => A)(rows.length * stride);
  rows.forEach((row, index) => {
    copied.set(values.subarray(row * stride, (row + 1) * stride), index * stride);
  });
  return copied;
}
