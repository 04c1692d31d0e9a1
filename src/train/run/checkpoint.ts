/**
 * A run as one file: safetensors (github.com/huggingface/safetensors), so that Python opens it too. The header's
 * `__metadata__` holds the experiment, the backend, the update and the members; the tensors are the snapshot's, in its own
 * precision, and the curves so far. Layout: u64 header length (little endian), header JSON, raw little-endian numbers.
 */
import * as v from 'valibot';
import { ChangeSchema } from '../../experiment/experiment';
import { type MachineEntry, MachinesSchema } from '../../experiment/machines';
import { LabError } from '../../foundation/errors';
import { inPresentOrder, METRICS, type MetricName } from '../../rl/metrics';
import type { FloatData } from '../../tensor/backend';
import { type Snapshot, STATE_TENSORS } from '../population/training';
import type { BackendKind } from '../protocol';

export interface Checkpoint {
  readonly snapshot: Snapshot;
  /** The experiment as JSON, unchecked: the reader validates it. */
  readonly experiment: Readonly<Record<string, unknown>>;
  /** Backend that trained so far; another would not continue it bit for bit. */
  readonly backend: BackendKind;
  /** Machines it ran on so far. */
  readonly machines: readonly MachineEntry[];
  /** [update, P, METRICS.length] of every finished update, flat. */
  readonly curves: Float32Array;
  readonly tokens: number;
}

/** Metrics added since checkpoints name their metrics: a file without names has none of them. */
const ADDED: readonly MetricName[] = [];

const FORMAT = 'unmask-1';
const MAX_HEADER = 8 * 2 ** 20;
const NUMBERS = { F32: Float32Array, F64: Float64Array } as const;

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Metadata value as JSON in a string: safetensors allows only strings there. */
const json = <const S extends v.GenericSchema>(schema: S) => v.pipe(v.string(), v.parseJson(), schema);

const MetadataSchema = v.object({
  update: json(Count),
  tokens: json(Count),
  backend: v.picklist(['webgpu', 'cpu', 'reference'] satisfies BackendKind[]),
  members: json(v.pipe(v.array(v.strictObject({ arm: v.string(), armIndex: Count, seed: Count })), v.minLength(1))),
  timeline: json(v.array(ChangeSchema)),
  /** Memory of tasks; absent in old checkpoints. */
  tasks: v.optional(json(v.array(v.array(v.array(v.number()))))),
  /** Machines; absent in old checkpoints. */
  machines: v.optional(json(MachinesSchema)),
  /** Columns of the curves; checkpoints from before 0.2 do not name them. */
  metrics: v.optional(json(v.array(v.string()))),
  experiment: json(v.record(v.string(), v.unknown())),
});

const EntrySchema = v.object({
  dtype: v.picklist(['F32', 'F64']),
  shape: v.array(Count),
  data_offsets: v.tuple([Count, Count]),
});
type Entry = v.InferOutput<typeof EntrySchema>;

export function encodeCheckpoint(checkpoint: Checkpoint): Uint8Array {
  const { snapshot, experiment, backend, machines, curves, tokens } = checkpoint;
  const members = snapshot.members.length;
  const trained = snapshot.tensors.step.length;
  const tensors = Object.entries(snapshot.tensors) as [string, FloatData][];
  const header: Record<string, Entry | Record<string, string>> = {
    __metadata__: {
      format: FORMAT,
      backend,
      update: JSON.stringify(snapshot.update),
      members: JSON.stringify(snapshot.members),
      timeline: JSON.stringify(snapshot.timeline),
      tasks: JSON.stringify(snapshot.tasks),
      machines: JSON.stringify(machines),
      experiment: JSON.stringify(experiment),
      tokens: JSON.stringify(tokens),
      metrics: JSON.stringify(METRICS),
    },
  };
  // The widest numbers first, so that all arrays are aligned.
  const arrays: [string, FloatData][] = [...tensors, ['curves', curves] as [string, FloatData]].sort(
    ([, a], [, b]) => b.BYTES_PER_ELEMENT - a.BYTES_PER_ELEMENT,
  );
  let end = 0;
  for (const [name, values] of arrays) {
    const shape =
      name === 'curves' ? [snapshot.update, members, METRICS.length] : [trained, values.length / Math.max(1, trained)];
    const dtype = values instanceof Float64Array ? 'F64' : 'F32';
    header[name] = { dtype, shape, data_offsets: [end, end + values.byteLength] };
    end += values.byteLength;
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const padded = Math.ceil(text.length / 8) * 8;
  const bytes = new Uint8Array(8 + padded + end);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(padded), true);
  bytes.fill(0x20, 8, 8 + padded);
  bytes.set(text, 8);
  let at = 8 + padded;
  for (const [, values] of arrays) {
    bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at);
    at += values.byteLength;
  }
  return bytes;
}

function foreign(what: string, cause?: unknown): LabError {
  return new LabError('invalid-experiment', what, 'Choose a checkpoint that this lab wrote.', { cause });
}

function finished<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Reads a checkpoint. Throws LabError 'invalid-experiment' for anything but a whole checkpoint of this lab. */
export function decodeCheckpoint(bytes: Uint8Array): Checkpoint {
  const { header, data } = split(bytes);
  const metadata = header.__metadata__ as Record<string, unknown> | undefined;
  if (metadata?.format !== FORMAT) throw foreign('The file was not written by this lab.');
  const described = v.safeParse(MetadataSchema, metadata);
  if (!described.success) {
    const where = v.getDotPath(described.issues[0]) ?? 'description';
    throw foreign(`The checkpoint’s ${where} cannot be read: ${described.issues[0].message}.`);
  }
  const { update, members, timeline, experiment, backend, tokens } = described.output;
  const tasks = described.output.tasks ?? members.map(() => []);
  const machines = described.output.machines ?? [{ update: 0, backend }];
  const read = (name: string): FloatData => readArray(header[name], name, data);
  const metrics = described.output.metrics ?? METRICS.filter((name) => !ADDED.includes(name));
  const kept = read('curves');
  if (!(kept instanceof Float32Array) || kept.length !== update * members.length * metrics.length) {
    throw foreign(`The checkpoint’s curves are not those of ${update} updates of ${members.length} members.`);
  }
  const curves = finished(inPresentOrder(kept, metrics, update * members.length));
  const exact = backend === 'reference';
  // One row for each member that trains; fixed policies have none.
  const trained = read('step').length;
  if (trained > members.length) throw foreign(`The checkpoint trains ${trained} of ${members.length} members.`);
  const past = Object.keys(header).filter((name) => /^past\d$/.test(name));
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
    },
    experiment,
    backend,
    machines,
    curves,
    tokens,
  };
}

function split(bytes: Uint8Array): { header: Record<string, unknown>; data: Uint8Array } {
  if (bytes.length < 8) throw foreign('The file is too short to be a checkpoint.');
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigUint64(0, true));
  if (length > MAX_HEADER || 8 + length > bytes.length) throw foreign('The file is cut short or is no checkpoint.');
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  } catch (cause) {
    throw foreign('The checkpoint’s header cannot be read.', cause);
  }
  if (!v.is(v.record(v.string(), v.unknown()), header)) throw foreign('The checkpoint’s header cannot be read.');
  return { header, data: bytes.subarray(8 + length) };
}

function readArray(value: unknown, name: string, data: Uint8Array): FloatData {
  const entry = v.safeParse(EntrySchema, value);
  if (!entry.success) throw foreign(`The checkpoint lacks its ${name}.`);
  const { dtype, data_offsets: offsets } = entry.output;
  const [start, end] = offsets;
  const Numbers = NUMBERS[dtype];
  if (end < start || end > data.length || (end - start) % Numbers.BYTES_PER_ELEMENT !== 0) {
    throw foreign(`The checkpoint lacks a part of its ${name}.`);
  }
  // Copied into a buffer of its own: a part of a Buffer shares memory and need not be aligned.
  return new Numbers(new Uint8Array(data.subarray(start, end)).buffer);
}
