/**
 * CRC-32 of bytes: a whole number below 2³². It finds one changed bit, two changed bits within 2³¹ bits, and a burst of up to 32
 * bits; of other damage it misses one in 4 billion. It guards against faulty disks, not against people, who can write a file
 * with a fitting number. `before`: the CRC-32 of the bytes that precede these.
 */
type Checksum = (bytes: Uint8Array, before?: number) => number;

/** `polynomial`: without its highest bit, the lowest bit first. */
function checksum(polynomial: number): Checksum {
  const table = Uint32Array.from({ length: 256 }, (_, byte) => {
    let remainder = byte;
    for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? polynomial ^ (remainder >>> 1) : remainder >>> 1;
    return remainder;
  });
  return (bytes, before = 0) => {
    let remainder = ~before;
    for (let at = 0; at < bytes.length; at++) {
      remainder = (table[(remainder ^ (bytes[at] as number)) & 0xff] as number) ^ (remainder >>> 8);
    }
    return ~remainder >>> 0;
  };
}

/** Checksum of ISO 3309, PNG and zip. */
export const crc32 = checksum(0xedb88320);
/** CRC-32C, by Castagnoli's polynomial, as in iSCSI and TFRecord. */
export const crc32c = checksum(0x82f63b78);
