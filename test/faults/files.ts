/** Faults of files that a run reads: damaged checkpoints, as a disk or a careless hand leaves them. */
import { crc32 } from '../../src/foundation/crc32';
import { LabError } from '../../src/foundation/errors';
import { METRICS } from '../../src/rl/measure/metrics';
import { decodeCheckpoint, encodeCheckpoint } from '../../src/train/run/keep/checkpoint';
import { type Fault, times } from './fault';

const UPDATES = 5;
const values = (length: number, seed: number): Float32Array =>
  Float32Array.from({ length }, (_, i) => Math.sin(seed + i));

/** A checkpoint of two members with 400 parameters each. */
const CHECKPOINT = encodeCheckpoint({
  snapshot: {
    update: UPDATES,
    members: [0, 1].map((seed) => ({ arm: 'action-mask', armIndex: 0, seed })),
    timeline: [],
    tasks: [[], []],
    successRates: [0.5, 0.25],
    tensors: {
      parameters: values(800, 1),
      firstMoment: values(800, 2),
      secondMoment: values(800, 3),
      step: Float32Array.of(5, 5),
      reference: values(800, 4),
    },
  },
  experiment: { preset: 'gridworld-tiny' },
  backend: 'cpu',
  machines: [{ update: 0, backend: 'cpu' }],
  curves: values(UPDATES * 2 * METRICS.length, 5),
  tokens: 1000,
});

/** A whole number below `limit`, the same for the same n and place. */
const drawn = (n: number, place: number, limit: number): number =>
  crc32(Uint8Array.of(n, n >>> 8, n >>> 16, place)) % limit;

/** Lost is what is read as if nothing had happened. */
function judge(changed: Uint8Array): string | null {
  try {
    decodeCheckpoint(changed);
    return 'a checkpoint that was changed is read as whole';
  } catch (cause) {
    return cause instanceof LabError && cause.code === 'invalid-experiment' ? null : `refused without words: ${cause}`;
  }
}

export const fileFaults: readonly Fault[] = [
  {
    name: 'checkpoint-bits',
    injected: 'One to eight bits of a checkpoint flip, anywhere: length, header, checksum, tensors, curves',
    times: times(1000, 20_000),
    async inject(n) {
      const bytes = CHECKPOINT.slice();
      for (let flip = 0; flip <= n % 8; flip++) {
        const bit = drawn(n, flip, 8 * bytes.length);
        bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
      }
      return Buffer.compare(bytes, CHECKPOINT) === 0 ? null : judge(bytes);
    },
  },
  {
    name: 'checkpoint-cut',
    injected: 'A checkpoint is cut short, or a block of it is zeros or that of another place',
    times: times(300, 5000),
    async inject(n) {
      const at = drawn(n, 0, CHECKPOINT.length);
      if (n % 3 === 0) return judge(CHECKPOINT.subarray(0, at));
      const bytes = CHECKPOINT.slice();
      if (n % 3 === 1) bytes.fill(0, at, at + 512);
      else bytes.copyWithin(at, drawn(n, 1, CHECKPOINT.length - 512), CHECKPOINT.length);
      return Buffer.compare(bytes, CHECKPOINT) === 0 ? null : judge(bytes);
    },
  },
  {
    name: 'checkpoint-header',
    injected: 'A number in a checkpoint’s header is edited by hand',
    times: times(100, 1000),
    async inject(n) {
      const length = Number(new DataView(CHECKPOINT.buffer).getBigUint64(0, true));
      // Digits behind the checksum, which stands first.
      const digits = [...CHECKPOINT.keys()].filter(
        (i) => i >= 45 && i < 8 + length && /\d/.test(String.fromCharCode(CHECKPOINT[i] as number)),
      );
      const at = digits[drawn(n, 0, digits.length)] as number;
      const bytes = CHECKPOINT.slice();
      bytes[at] = 48 + (((CHECKPOINT[at] as number) - 48 + 1 + (n % 9)) % 10);
      return judge(bytes);
    },
  },
];
