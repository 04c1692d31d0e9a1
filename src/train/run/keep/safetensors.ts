/**
 * Safetensors (github.com/huggingface/safetensors) with a checksum. Layout: u64 header length (little endian), header JSON
 * padded with spaces to a multiple of 8, raw little-endian numbers. The header's `__metadata__` holds texts; its first,
 * `checksum`, is the CRC-32 of the whole file with zeros in its own place, 8 hexadecimal digits. It stands at a fixed
 * offset, so that a reader finds it before it trusts anything else.
 */
import * as v from 'valibot';
import { crc32 } from '../../../foundation/crc32';
import { LabError } from '../../../foundation/errors';
import type { FloatData } from '../../../tensor/backend';

const MAX_HEADER = 8 * 2 ** 20;
const NUMBERS = { F32: Float32Array, F64: Float64Array } as const;
/** Size of the field that holds the header's length, in bytes. */
const LENGTH = 8;
const ZEROS = '00000000';
const PREFIX = '{"__metadata__":{"checksum":"';
const encoder = new TextEncoder();

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

const EntrySchema = v.object({
  dtype: v.picklist(['F32', 'F64']),
  shape: v.array(Count),
  data_offsets: v.tuple([Count, Count]),
});
type Entry = v.InferOutput<typeof EntrySchema>;

export interface NamedArray {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: FloatData;
}

export interface Unpacked {
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Names of the arrays. */
  readonly names: readonly string[];
  /** True if there was a checksum, which then was right. */
  readonly verified: boolean;
  /** Array of a name, in memory of its own. Throws LabError if it is missing or not whole. */
  array(name: string): FloatData;
}

export function foreign(what: string, cause?: unknown): LabError {
  return new LabError('invalid-experiment', what, 'Choose a checkpoint that this lab wrote.', { cause });
}

function damaged(what: string): LabError {
  return new LabError('invalid-experiment', what, 'Choose a checkpoint that is whole, an earlier copy for instance.');
}

export function packSafetensors(
  metadata: Readonly<Record<string, string>>,
  arrays: readonly NamedArray[],
): Uint8Array<ArrayBuffer> {
  const header: Record<string, Entry | Record<string, string>> = { __metadata__: { checksum: ZEROS, ...metadata } };
  // The widest first, so that all of them are aligned.
  const ordered = arrays.toSorted((a, b) => b.values.BYTES_PER_ELEMENT - a.values.BYTES_PER_ELEMENT);
  let end = 0;
  for (const { name, shape, values } of ordered) {
    const dtype = values instanceof Float64Array ? 'F64' : 'F32';
    header[name] = { dtype, shape: [...shape], data_offsets: [end, end + values.byteLength] };
    end += values.byteLength;
  }
  const text = encoder.encode(JSON.stringify(header));
  const padded = Math.ceil(text.length / 8) * 8;
  const bytes = new Uint8Array(LENGTH + padded + end);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(padded), true);
  bytes.fill(0x20, LENGTH, LENGTH + padded);
  bytes.set(text, LENGTH);
  let at = LENGTH + padded;
  for (const { values } of ordered) {
    bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at);
    at += values.byteLength;
  }
  bytes.set(encoder.encode(hexadecimal(crc32(bytes))), LENGTH + PREFIX.length);
  return bytes;
}

const hexadecimal = (checksum: number): string => checksum.toString(16).padStart(ZEROS.length, '0');

/** Reads a file. Throws LabError 'invalid-experiment' if it is not whole or its checksum is wrong. */
export function unpackSafetensors(bytes: Uint8Array): Unpacked {
  if (bytes.length < LENGTH) throw foreign('The file is too short to be a checkpoint.');
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigUint64(0, true));
  if (length > MAX_HEADER || LENGTH + length > bytes.length) {
    throw foreign('The file is cut short or is no checkpoint.');
  }
  const text = new TextDecoder().decode(bytes.subarray(LENGTH, LENGTH + length));
  const verified = text.startsWith(PREFIX);
  if (verified) compareChecksum(bytes);
  const { __metadata__: metadata = {}, ...entries } = parseHeader(text);
  if (!v.is(v.record(v.string(), v.unknown()), metadata)) throw foreign('The checkpoint’s header cannot be read.');
  const data = bytes.subarray(LENGTH + length);
  return { metadata, names: Object.keys(entries), verified, array: (name) => readArray(entries[name], name, data) };
}

function compareChecksum(bytes: Uint8Array): void {
  const from = LENGTH + PREFIX.length;
  const to = from + ZEROS.length;
  const checksum = new TextDecoder().decode(bytes.subarray(from, to));
  const before = crc32(encoder.encode(ZEROS), crc32(bytes.subarray(0, from)));
  if (checksum === hexadecimal(crc32(bytes.subarray(to), before))) return;
  throw damaged('The checkpoint was damaged or changed since it was written: its checksum is not that of its bytes.');
}

function parseHeader(text: string): Record<string, unknown> {
  let header: unknown;
  try {
    header = JSON.parse(text);
  } catch (cause) {
    throw foreign('The checkpoint’s header cannot be read.', cause);
  }
  if (!v.is(v.record(v.string(), v.unknown()), header)) throw foreign('The checkpoint’s header cannot be read.');
  return header;
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
  // Copied into a buffer of its own: a Buffer's slice would share, and need not be aligned.
  return new Numbers(new Uint8Array(data.subarray(start, end)).buffer);
}
