/**
 * A run as one file: safetensors (github.com/huggingface/safetensors), so that Python opens it too. The header's
 * `__metadata__` holds the experiment, the update, the members and the curves so far; the tensors are the snapshot's.
 * Layout: u64 header length (little endian), header JSON, raw little-endian float32.
 */
import type { Change } from '../experiment/experiment';
import { LabError } from '../foundation/errors';
import type { Member } from '../rl/population';
import type { Snapshot } from './training';

export interface Checkpoint {
  readonly snapshot: Snapshot;
  /** The experiment as JSON, unchecked: the reader validates it. */
  readonly experiment: unknown;
  /** [update, P, METRICS.length] of every finished update, flat. */
  readonly curves: Float32Array;
  readonly tokens: number;
}

interface Entry {
  dtype: 'F32';
  shape: number[];
  data_offsets: [number, number];
}

const FORMAT = 'unmask-1';
const MAX_HEADER = 8 * 2 ** 20;

export function encodeCheckpoint(checkpoint: Checkpoint): Uint8Array {
  const { snapshot, experiment, curves, tokens } = checkpoint;
  const members = snapshot.members.length;
  const tensors = Object.entries(snapshot.tensors).map(
    ([name, values]) => [name, Float32Array.from(values)] as [string, Float32Array],
  );
  const arrays: [string, Float32Array][] = [...tensors, ['curves', curves]];
  const header: Record<string, Entry | Record<string, string>> = {
    __metadata__: {
      format: FORMAT,
      update: String(snapshot.update),
      members: JSON.stringify(snapshot.members),
      timeline: JSON.stringify(snapshot.timeline),
      experiment: JSON.stringify(experiment),
      tokens: String(tokens),
    },
  };
  let end = 0;
  for (const [name, values] of arrays) {
    const shape = name === 'curves' ? [values.length] : [members, values.length / members];
    header[name] = { dtype: 'F32', shape, data_offsets: [end, end + values.byteLength] };
    end += values.byteLength;
  }
  const json = new TextEncoder().encode(JSON.stringify(header));
  const padded = Math.ceil(json.length / 8) * 8;
  const bytes = new Uint8Array(8 + padded + end);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(padded), true);
  bytes.fill(0x20, 8, 8 + padded);
  bytes.set(json, 8);
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

/** Throws LabError 'invalid-experiment' for anything but a whole checkpoint of this lab. */
export function decodeCheckpoint(bytes: Uint8Array): Checkpoint {
  if (bytes.length < 8) throw foreign('The file is too short to be a checkpoint.');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = Number(view.getBigUint64(0, true));
  if (length > MAX_HEADER || 8 + length > bytes.length) throw foreign('The file is cut short or is no checkpoint.');
  let header: Record<string, unknown>;
  try {
    header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  } catch (cause) {
    throw foreign('The checkpoint’s header cannot be read.', cause);
  }
  const metadata = header.__metadata__ as Record<string, string> | undefined;
  if (metadata?.format !== FORMAT) throw foreign('The file was not written by this lab.');
  const array = (name: string): Float32Array => {
    const [start, end] = (header[name] as Partial<Entry> | undefined)?.data_offsets ?? [-1, -1];
    const from = 8 + length + start;
    if (start < 0 || end < start || (end - start) % 4 !== 0 || 8 + length + end > bytes.length) {
      throw foreign(`The checkpoint lacks its ${name}.`);
    }
    // Copied into a buffer of its own: a Buffer's slice would share, and need not be aligned.
    return new Float32Array(new Uint8Array(bytes.subarray(from, from + end - start)).buffer);
  };
  try {
    return {
      snapshot: {
        update: Number(metadata.update),
        members: JSON.parse(metadata.members ?? '') as Member[],
        timeline: JSON.parse(metadata.timeline ?? '') as Change[],
        tensors: {
          parameters: array('parameters'),
          firstMoment: array('firstMoment'),
          secondMoment: array('secondMoment'),
          step: array('step'),
          reference: array('reference'),
        },
      },
      experiment: JSON.parse(metadata.experiment ?? ''),
      curves: array('curves'),
      tokens: Number(metadata.tokens),
    };
  } catch (cause) {
    throw cause instanceof LabError ? cause : foreign('The checkpoint’s description cannot be read.', cause);
  }
}
