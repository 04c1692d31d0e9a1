/**
 * Messages of Protocol Buffers described as tables: the table of a message gives its type, its writer and its reader.
 * Tables cannot contain themselves, so messages nest no deeper than their tables. Fields that no table has are skipped,
 * as the format demands.
 */
import { damaged, tooLarge } from './errors';
import { WIRE, WireReader, WireWriter } from './wire';

type Scalar = 'int' | 'float' | 'double' | 'string' | 'bytes';

interface Field {
  readonly number: number;
  readonly type: Scalar | MessageTable;
  readonly repeated: boolean;
}

export interface MessageTable {
  readonly name: string;
  readonly fields: Readonly<Record<string, Field>>;
}

export const one = <const T extends Field['type']>(number: number, type: T) =>
  ({ number, type, repeated: false }) as const;
export const many = <const T extends Field['type']>(number: number, type: T) =>
  ({ number, type, repeated: true }) as const;

interface ScalarValues {
  int: number;
  float: number;
  double: number;
  string: string;
  bytes: Uint8Array;
}

type ValueOf<T, Nested> = T extends Scalar ? ScalarValues[T] : Nested;

/** Message from a file: a missing field is undefined, or an empty list. */
export type WireMessage<M extends MessageTable> = {
  readonly [K in keyof M['fields']]: M['fields'][K] extends { type: infer T; repeated: infer R }
    ? R extends true
      ? readonly ValueOf<T, T extends MessageTable ? WireMessage<T> : never>[]
      : ValueOf<T, T extends MessageTable ? WireMessage<T> : never> | undefined
    : never;
};

/** Message to be written: any field may be left out. */
export type MessageDraft<M extends MessageTable> = {
  readonly [K in keyof M['fields']]?: M['fields'][K] extends { type: infer T; repeated: infer R }
    ?
        | (R extends true
            ? readonly ValueOf<T, T extends MessageTable ? MessageDraft<T> : never>[]
            : ValueOf<T, T extends MessageTable ? MessageDraft<T> : never>)
        | undefined
    : never;
};

export function encode<M extends MessageTable>(table: M, message: MessageDraft<M>): Uint8Array<ArrayBuffer> {
  return write(table, message).finish();
}

function write(table: MessageTable, message: Readonly<Record<string, unknown>>): WireWriter {
  const writer = new WireWriter();
  for (const [key, field] of Object.entries(table.fields)) {
    const value = message[key];
    const values = value === undefined ? [] : field.repeated ? (value as readonly unknown[]) : [value];
    for (const item of values) writeField(writer, field, item);
  }
  return writer;
}

function writeField(writer: WireWriter, { number, type }: Field, value: unknown): void {
  if (type === 'int') {
    writer.tag(number, WIRE.varint);
    writer.int(value as number);
  } else if (type === 'float') {
    writer.tag(number, WIRE.fixed32);
    writer.float(value as number);
  } else if (type === 'double') {
    writer.tag(number, WIRE.fixed64);
    writer.double(value as number);
  } else {
    writer.tag(number, WIRE.bytes);
    if (type === 'string') writer.bytes(new TextEncoder().encode(value as string));
    else if (type === 'bytes') writer.bytes(value as Uint8Array);
    else writer.bytes(write(type, value as Readonly<Record<string, unknown>>));
  }
}

/** Longest text of a field, in bytes; a vocabulary of 256,000 words has 5 MB. */
const LONGEST_TEXT = 2 ** 23;

/**
 * Reads a message. `mostItems` bounds the number of fields, nested and skipped ones too, and of numbers in lists. So it
 * bounds the work, and also the memory, because bytes are never copied. Throws LabError 'invalid-policy' and 'limits'.
 */
export function decode<M extends MessageTable>(table: M, bytes: Uint8Array, mostItems: number): WireMessage<M> {
  return read(table, new WireReader(bytes), { items: mostItems }) as WireMessage<M>;
}

interface Budget {
  items: number;
}

function spend(budget: Budget): void {
  budget.items--;
  if (budget.items < 0) throw tooLarge('This model has more parts than the lab reads.');
}

function read(table: MessageTable, reader: WireReader, budget: Budget): Record<string, unknown> {
  const message: Record<string, unknown> = {};
  const fields = fieldsByNumber(table);
  for (const [key, field] of Object.entries(table.fields)) message[key] = field.repeated ? [] : undefined;
  while (!reader.isAtEnd) {
    spend(budget);
    const { field: number, type } = reader.tag();
    const known = fields.get(number);
    if (known === undefined) {
      reader.skip(type);
      continue;
    }
    const [key, field] = known;
    const list = message[key];
    for (const value of readField(table, key, field, type, reader, budget)) {
      if (Array.isArray(list)) list.push(value);
      else if (message[key] === undefined) message[key] = value;
      else throw damaged(`The file is damaged: a ${table.name} in it has its ${key} twice.`);
    }
  }
  return message;
}

const byNumber = new WeakMap<MessageTable, ReadonlyMap<number, readonly [key: string, field: Field]>>();

function fieldsByNumber(table: MessageTable): ReadonlyMap<number, readonly [key: string, field: Field]> {
  const known = byNumber.get(table) ?? new Map(Object.entries(table.fields).map((entry) => [entry[1].number, entry]));
  byNumber.set(table, known);
  return known;
}

/** Values of a field: one, or several if numbers are packed. */
function* readField(
  table: MessageTable,
  key: string,
  { type, repeated }: Field,
  wire: number,
  reader: WireReader,
  budget: Budget,
): Generator<unknown> {
  if (type === 'int' || type === 'float' || type === 'double') {
    const packed = repeated && wire === WIRE.bytes;
    if (!packed && wire !== { int: WIRE.varint, float: WIRE.fixed32, double: WIRE.fixed64 }[type])
      throw misplaced(table, key);
    const numbers = packed ? reader.inside() : reader;
    do {
      if (packed && numbers.isAtEnd) return;
      if (packed) spend(budget);
      yield numbers[type]();
    } while (packed);
    return;
  }
  if (wire !== WIRE.bytes) throw misplaced(table, key);
  const content = reader.inside();
  if (type === 'bytes') yield content.rest();
  else if (type === 'string') yield readText(table, key, content.rest());
  else yield read(type, content, budget);
}

function misplaced(table: MessageTable, key: string): Error {
  return damaged(`The file is damaged: the ${key} of a ${table.name} in it is of another type.`);
}

function readText(table: MessageTable, key: string, bytes: Uint8Array): string {
  if (bytes.length > LONGEST_TEXT) {
    throw tooLarge(`The ${key} of a ${table.name} has ${bytes.length} bytes, more than ${LONGEST_TEXT}.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw damaged(`The file is damaged: the ${key} of a ${table.name} in it is no text.`, cause);
  }
}
