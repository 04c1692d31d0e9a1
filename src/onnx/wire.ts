/**
 * Wire format of Protocol Buffers (protobuf.dev/programming-guides/encoding), as far as ONNX and event files need it. The reader
 * trusts nothing: every length is compared with the bytes left before it is used, byte fields are views of the file, and
 * anything impossible is refused as a damaged file.
 */
import { damaged } from './errors';

export const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

const MOST_VARINT_BYTES = 10;
/** A varint's bits are collected in two numbers: four groups of seven, then six. */
const LOW_GROUPS = 4;
const LOW_BITS = 7 * LOW_GROUPS;

export class WireReader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at: number;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#end;
  }

  /** Number and wire type of the next field. */
  tag(): { readonly field: number; readonly type: number } {
    const at = this.#at;
    const value = this.int();
    const field = Math.floor(value / 8);
    if (field < 1 || field >= 2 ** 29) throw damaged(`The file is not an ONNX file, or it is damaged: see byte ${at}.`);
    return { field, type: value % 8 };
  }

  /** Next int64. Throws for one that a double cannot represent exactly. */
  int(): number {
    const at = this.#at;
    let low = 0;
    let high = 0;
    for (let group = 0; group < MOST_VARINT_BYTES; group++) {
      const byte = this.#byte();
      const bits = byte & 0x7f;
      if (group < LOW_GROUPS) low += bits * 2 ** (7 * group);
      else high += bits * 2 ** (7 * (group - LOW_GROUPS));
      if (byte < 0x80) {
        const value = Number(BigInt.asIntN(64, (BigInt(high) << BigInt(LOW_BITS)) | BigInt(low)));
        if (Number.isSafeInteger(value)) return value;
        throw damaged(
          `The file is not an ONNX file, or it is damaged: at byte ${at} stands a number that nothing can have.`,
        );
      }
    }
    throw damaged(`The file is not an ONNX file, or it is damaged: at byte ${at} stands a number without an end.`);
  }

  float(): number {
    const at = this.#take(4);
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset + at, 4).getFloat32(0, true);
  }

  double(): number {
    const at = this.#take(8);
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset + at, 8).getFloat64(0, true);
  }

  /** Reader of the bytes of a length-delimited field. */
  inside(): WireReader {
    const length = this.int();
    const start = this.#take(length);
    return new WireReader(this.#bytes, start, start + length);
  }

  /** Bytes left, as a view of the file. */
  rest(): Uint8Array {
    const start = this.#take(this.#end - this.#at);
    return this.#bytes.subarray(start, this.#end);
  }

  skip(type: number): void {
    if (type === WIRE.varint) this.int();
    else if (type === WIRE.fixed64) this.#take(8);
    else if (type === WIRE.bytes) this.#take(this.int());
    else if (type === WIRE.fixed32) this.#take(4);
    else
      throw damaged(
        `The file is not an ONNX file, or it is damaged: a field of type ${type} ends at byte ${this.#at}.`,
      );
  }

  #byte(): number {
    return this.#bytes[this.#take(1)] as number;
  }

  /** Skips so many bytes. Returns where they begin. Throws if fewer are left. */
  #take(length: number): number {
    const left = this.#end - this.#at;
    if (length < 0 || length > left) {
      const says = length < 0 ? 'a negative length' : `${length} more bytes`;
      throw damaged(
        `The file is cut short or damaged: at byte ${this.#at} it announces ${says}, and ${left} are there.`,
      );
    }
    this.#at += length;
    return this.#at - length;
  }
}

/** Writer that collects chunks and copies them only once, at the end. */
export class WireWriter {
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  tag(field: number, type: number): void {
    this.int(field * 8 + type);
  }

  /** Writes an int64, in two's complement if negative. */
  int(value: number): void {
    const groups: number[] = [];
    let left = BigInt.asUintN(64, BigInt(value));
    do {
      groups.push(Number(left & 0x7fn) | (left > 0x7fn ? 0x80 : 0));
      left >>= 7n;
    } while (left > 0n);
    this.#push(Uint8Array.from(groups));
  }

  float(value: number): void {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setFloat32(0, value, true);
    this.#push(bytes);
  }

  double(value: number): void {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value, true);
    this.#push(bytes);
  }

  /** Writes the length and the content of a length-delimited field. */
  bytes(content: Uint8Array | WireWriter): void {
    this.int(content instanceof WireWriter ? content.#length : content.length);
    if (content instanceof WireWriter) for (const chunk of content.#chunks) this.#push(chunk);
    else this.#push(content);
  }

  finish(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#length);
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return bytes;
  }

  #push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }
}
