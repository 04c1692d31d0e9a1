/**
 * A run as one file: safetensors, so that Python opens it too (safetensors.ts). The header's `__metadata__` holds the
 * experiment, the backend, the update and the members; the tensors are the snapshot's, in its own precision, and the curves
 * so far. A row of `parameters`, `reference`, the moments and past policies is all parameters of a member; `layout` tells where
 * each lies, so that they have names without a copy of them.
 */
import * as v from 'valibot';
import { ChangeSchema } from '../../../experiment/experiment';
import { BACKEND_KINDS, type MachineEntry, MachinesSchema } from '../../../experiment/machines';
import { excerpt } from '../../../foundation/errors';
import { METRICS } from '../../../rl/measure/metrics';
import { type WarmStartReading, WarmStartReadingSchema } from '../../../rl/measure/warmStartReadings';
import type { FloatData } from '../../../tensor/backend';
import type { PolicyParameter } from '../../population/shape';
import { type Snapshot, STATE_TENSORS } from '../../population/training';
import type { BackendKind } from '../../protocol';
import { readCurves } from '../curvePieces';
import { FIRST_METRICS } from './firstMetrics';
import { foreign, type NamedArray, packSafetensors, unpackSafetensors } from './safetensors';

export interface Checkpoint {
  readonly snapshot: Snapshot;
  /** The experiment as JSON, unchecked: the reader validates it. */
  readonly experiment: Readonly<Record<string, unknown>>;
  /** Backend that trained so far; another would not continue it bit for bit. */
  readonly backend: BackendKind;
  /** Machines of the run so far. */
  readonly machines: readonly MachineEntry[];
  /** [update, P, METRICS.length] of every finished update, flat. */
  readonly curves: Float32Array;
  readonly tokens: number;
  /** Readings of the warm start; absent where there were none. */
  readonly warmStart?: readonly WarmStartReading[];
  /** Share of a whole run that its members are; absent where they are all. */
  readonly shard?: Shard;
  /** Place of each parameter in a row; absent in checkpoints from before it was kept. */
  readonly layout?: readonly PolicyParameter[];
}

/** Share of a run's members: number `index` of `of`, from 1. The whole is every arm with each of the seeds. */
export type Shard = v.InferOutput<typeof ShardSchema>;

const FORMAT = 'unmask-2';
/** Format of version 0.1.0, which wrote no checksum. */
const FORMAT_BEFORE = 'unmask-1';

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const ShardSchema = v.strictObject({
  index: v.pipe(Count, v.minValue(1)),
  of: Count,
  seeds: v.pipe(v.array(Count), v.minLength(1)),
});

/** Metadata value as JSON in a string: safetensors allows only strings there. */
const json = <const S extends v.GenericSchema>(schema: S) => v.pipe(v.string(), v.parseJson(), schema);

/** A strict object: if a bit of the word checksum flips, the file must not pass for one of the format before. */
const MetadataSchema = v.strictObject({
  checksum: v.optional(v.string()),
  format: v.string(),
  update: json(Count),
  tokens: json(Count),
  backend: v.picklist(BACKEND_KINDS),
  members: json(v.pipe(v.array(v.strictObject({ arm: v.string(), armIndex: Count, seed: Count })), v.minLength(1))),
  timeline: json(v.array(ChangeSchema)),
  tasks: json(v.array(v.array(v.array(v.number())))),
  /** Running success rates; absent in checkpoints of 0.1.0, which had no loss that reads them. */
  successRates: v.optional(json(v.array(v.number()))),
  machines: json(MachinesSchema),
  shard: v.optional(json(ShardSchema)),
  warmStart: v.optional(json(v.array(WarmStartReadingSchema))),
  layout: v.optional(json(v.array(v.strictObject({ name: v.string(), shape: v.array(Count), offset: Count })))),
  /** Columns of the curves; absent in checkpoints of 0.1.0. */
  metrics: v.optional(json(v.array(v.string()))),
  experiment: json(v.record(v.string(), v.unknown())),
  /** The curves are kept beside the checkpoint: absent where they are in it. */
  curves: v.optional(v.literal('apart')),
});

/** A checkpoint as a file; without its curves where they are kept apart from it. */
export function encodeCheckpoint(checkpoint: Checkpoint, where?: 'apart'): Uint8Array<ArrayBuffer> {
  const { snapshot, experiment, backend, machines, curves, tokens, warmStart, shard, layout } = checkpoint;
  const members = snapshot.members.length;
  const trained = snapshot.tensors.step.length;
  const metadata = {
    format: FORMAT,
    backend,
    update: JSON.stringify(snapshot.update),
    members: JSON.stringify(snapshot.members),
    timeline: JSON.stringify(snapshot.timeline),
    tasks: JSON.stringify(snapshot.tasks),
    successRates: JSON.stringify(snapshot.successRates),
    machines: JSON.stringify(machines),
    experiment: JSON.stringify(experiment),
    tokens: JSON.stringify(tokens),
    metrics: JSON.stringify(METRICS),
    ...(warmStart === undefined ? {} : { warmStart: JSON.stringify(warmStart) }),
    ...(shard === undefined ? {} : { shard: JSON.stringify(shard) }),
    ...(layout === undefined ? {} : { layout: JSON.stringify(layout) }),
    ...(where === undefined ? {} : { curves: where }),
  };
  const tensors = (Object.entries(snapshot.tensors) as [string, FloatData][]).map(
    ([name, values]): NamedArray => ({ name, shape: [trained, values.length / Math.max(1, trained)], values }),
  );
  if (where === 'apart') return packSafetensors(metadata, tensors);
  const shape = [snapshot.update, members, METRICS.length];
  return packSafetensors(metadata, [...tensors, { name: 'curves', shape, values: curves }]);
}

/** Checkpoint out of a file; not verified if the file is from before there were checksums. */
export type ReadCheckpoint = Checkpoint & { readonly verified: boolean };

/** Curves kept beside a checkpoint, [updates, members, METRICS.length], flat. */
type CurvesApart = (updates: number, members: number) => Float32Array;

/** Reads a checkpoint. Throws LabError 'invalid-experiment' for anything but a whole checkpoint of this lab. */
export function decodeCheckpoint(bytes: Uint8Array, apart?: CurvesApart): ReadCheckpoint {
  const { metadata, names, verified, array: read } = unpackSafetensors(bytes);
  if (metadata.format !== (verified ? FORMAT : FORMAT_BEFORE)) throw foreign('The file was not written by this lab.');
  const described = v.safeParse(MetadataSchema, metadata);
  if (!described.success) {
    const where = v.getDotPath(described.issues[0]) ?? 'description';
    throw foreign(`The checkpoint’s ${where} cannot be read: ${excerpt(described.issues[0].message, 200)}.`);
  }
  const { update, members, timeline, experiment, backend, tokens, warmStart, shard, layout } = described.output;
  const { tasks, machines, metrics = FIRST_METRICS, successRates = members.map(() => 0) } = described.output;
  const inside: CurvesApart = (updates, of) => readCurves(read('curves'), metrics, updates, of);
  const curves = (described.output.curves === 'apart' ? apart : inside)?.(update, members.length);
  if (curves === undefined) throw foreign('The checkpoint lacks its curves.');
  const exact = backend === 'reference';
  // One row for each member that trains; fixed policies have none.
  const trained = read('step').length;
  if (trained > members.length) throw foreign(`The checkpoint trains ${trained} of ${members.length} members.`);
  const past = names.filter((name) => /^past\d$/.test(name));
  const tensors = [...STATE_TENSORS, ...past].map((name) => {
    const values = read(name);
    const isOfBackend = values.length === 0 || values instanceof Float64Array === exact;
    if (!isOfBackend || values.length % Math.max(1, trained) !== 0) {
      throw foreign(`The checkpoint’s ${name} are not those of ${trained} members on ${backend}.`);
    }
    return [name, values] as const;
  });
  return {
    snapshot: {
      update,
      members,
      timeline,
      tensors: Object.fromEntries(tensors) as unknown as Snapshot['tensors'],
      tasks,
      successRates,
    },
    experiment,
    backend,
    machines,
    curves,
    tokens,
    ...(warmStart === undefined ? {} : { warmStart }),
    ...(shard === undefined ? {} : { shard }),
    ...(layout === undefined ? {} : { layout }),
    verified,
  };
}
