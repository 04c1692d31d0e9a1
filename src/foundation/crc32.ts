/**
 * CRC-32 of bytes, as in ISO 3309, PNG and zip: a whole number below 2³². It finds one changed bit, two changed bits
 * within 2³¹ bits, and a burst of up to 32 bits; of other damage it misses one in 4 billion. It guards against faulty
 * disks, not against people, who can write a file with a fitting number.
 */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? 0xedb88320 ^ (remainder >>> 1) : remainder >>> 1;
  return remainder;
});

/** `before`: the CRC-32 of the bytes that precede these. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let remainder = ~before;
  for (let at = 0; at < bytes.length; at++) {
    remainder = (TABLE[(remainder ^ (bytes[at] as number)) & 0xff] as number) ^ (remainder >>> 8);
  }
  return ~remainder >>> 0;
}
