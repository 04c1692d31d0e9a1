/** TensorBoard's event files, read without the code that writes them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** CRC-32C, bit by bit, and masked as TFRecord does. */
function masked(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  crc = ~crc >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

/** Messages of a file, each with right checksums. */
function* framesOf(file: Buffer): Generator<Buffer> {
  for (let at = 0; at < file.length; ) {
    const length = Number(file.readBigUInt64LE(at));
    const data = file.subarray(at + 12, at + 12 + length);
    if (file.readUInt32LE(at + 8) !== masked(file.subarray(at, at + 8)))
      throw new Error(`The length at ${at} is damaged.`);
    if (file.readUInt32LE(at + 12 + length) !== masked(data)) throw new Error(`The event at ${at} is damaged.`);
    yield data;
    at += 12 + length + 4;
  }
}

/** Values of a message's fields by number: numbers, or bytes. */
function fieldsOf(message: Buffer): Map<number, (number | Buffer)[]> {
  const fields = new Map<number, (number | Buffer)[]>();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = message[at++] as number;
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const kind = tag & 7;
    const length = kind === 0 ? 0 : kind === 1 ? 8 : kind === 5 ? 4 : varint();
    const bytes = message.subarray(at, at + length);
    const value = kind === 0 ? varint() : kind === 1 ? bytes.readDoubleLE() : kind === 5 ? bytes.readFloatLE() : bytes;
    at += length;
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}

/** Points of a folder's files, [step, value] by tag; after a START none of its step or later, as TensorBoard has it. */
export function pointsIn(folder: string): Map<string, [step: number, value: number][]> {
  const points = new Map<string, [number, number][]>();
  for (const name of readdirSync(folder).sort()) {
    for (const event of framesOf(readFileSync(join(folder, name)))) {
      const fields = fieldsOf(event);
      const step = Number(fields.get(2)?.[0] ?? 0);
      if (fields.has(7))
        for (const [tag, kept] of points)
          points.set(
            tag,
            kept.filter(([one]) => one < step),
          );
      for (const summary of fields.get(5) ?? []) {
        for (const value of fieldsOf(summary as Buffer).get(1) ?? []) {
          const [[tag] = [], [number] = []] = [1, 2].map((field) => fieldsOf(value as Buffer).get(field));
          points.set(String(tag), [...(points.get(String(tag)) ?? []), [step, Number(number)]]);
        }
      }
    }
  }
  return points;
}
