/**
 * Faults of ONNX files: policies for training and evaluation, and models of anybody's that read a text. A file that was changed is
 * read right or refused in words, in bounded time and memory.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readPolicyFile } from '../../src/cli/policy/policyFile';
import { crc32 } from '../../src/foundation/crc32';
import { LabError } from '../../src/foundation/errors';
import { exportOnnx } from '../../src/onnx/exportOnnx';
import { importOnnx } from '../../src/onnx/importOnnx';
import { readPolicy } from '../../src/train/policies/files';
import { readText } from '../../src/train/reading/readText';
import { FOREIGN_MODELS, fixture, TEXT } from '../support/foreignModels';
import { type Fault, times } from './fault';

const POLICIES = 'public/policies';
/**
 * Bounds of one file of some 100 kB: far above what any takes, far below what a person would call a hang or a crash. Seconds of the
 * processor.
 */
const MOST_SECONDS = 30;
const MOST_BYTES = 2 ** 29;

/** A whole number below `limit`, the same for the same n and place. */
const drawn = (n: number, place: number, limit: number): number =>
  crc32(Uint8Array.of(n, n >>> 8, n >>> 16, place)) % limit;

const joined = (...parts: Uint8Array[]): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.concat(parts));

type Change = (bytes: Uint8Array<ArrayBuffer>, n: number) => Uint8Array<ArrayBuffer>;

function flipped(bytes: Uint8Array<ArrayBuffer>, n: number, from: number, length: number): Uint8Array<ArrayBuffer> {
  const changed = bytes.slice();
  for (let flip = 0; flip <= n % 8; flip++) {
    const bit = 8 * from + drawn(n, flip, 8 * length);
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
  }
  return changed;
}

/** Bytes at either end of a file, where its structure and its texts are; weights are between. */
const EDGE = 8192;
const HUGE = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x7f);

/** Ways to change a file. */
const CHANGES: readonly Change[] = [
  (bytes, n) => flipped(bytes, n, 0, bytes.length),
  (bytes, n) => flipped(bytes, n, 0, EDGE),
  (bytes, n) => flipped(bytes, n, bytes.length - EDGE, EDGE),
  (bytes, n) => bytes.slice(0, drawn(n, 0, bytes.length)),
  (bytes, n) => bytes.slice().fill(0, drawn(n, 0, bytes.length), drawn(n, 1, bytes.length)),
  (bytes, n) => bytes.slice().copyWithin(drawn(n, 0, EDGE), drawn(n, 1, bytes.length), bytes.length),
  // A length or a size that nothing has.
  (bytes, n) => {
    const at = drawn(n, 0, EDGE);
    return joined(bytes.subarray(0, at), HUGE, bytes.subarray(at + (n % 2) * HUGE.length));
  },
  // A part twice.
  (bytes, n) => {
    const [at, length] = [drawn(n, 0, bytes.length), drawn(n, 1, EDGE)];
    return joined(bytes.subarray(0, at + length), bytes.subarray(at));
  },
  // A digit of its texts edited by hand: sizes, counts, versions.
  (bytes, n) => {
    const digits = [...bytes.keys()].filter((at) => (bytes[at] as number) >= 0x30 && (bytes[at] as number) <= 0x39);
    const changed = bytes.slice();
    for (let place = 0; place <= n % 4; place++)
      changed[digits[drawn(n, place, digits.length)] as number] = 0x30 + drawn(n, 10 + place, 10);
    return changed;
  },
];

/** The n-th file, changed. */
function changedFile(files: readonly Uint8Array<ArrayBuffer>[], n: number): Uint8Array<ArrayBuffer> {
  const change = CHANGES[n % CHANGES.length] as Change;
  return change(files[Math.floor(n / CHANGES.length) % files.length] as Uint8Array<ArrayBuffer>, n);
}

/** What work gives; null where it refuses in words. Throws for any other end. */
async function read<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof LabError && cause.advice !== '') return null;
    throw cause;
  }
}

/** Loss, in words; null if there is none. */
async function judged(work: () => Promise<string | null>): Promise<string | null> {
  const before = process.memoryUsage();
  const begun = process.cpuUsage();
  try {
    const lost = await work();
    const { user, system } = process.cpuUsage(begun);
    const seconds = (user + system) / 1e6;
    if (seconds > MOST_SECONDS) return `${Math.round(seconds)} s`;
    const { heapTotal, external } = process.memoryUsage();
    const bytes = heapTotal + external - before.heapTotal - before.external;
    return bytes > MOST_BYTES ? `${Math.round(bytes / 2 ** 20)} MiB` : lost;
  } catch (cause) {
    return `refused without words: ${cause}`;
  }
}

const SHORT = TEXT.slice(0, 200);

let policies: readonly Uint8Array<ArrayBuffer>[] | null = null;
let models: readonly Uint8Array<ArrayBuffer>[] | null = null;

export const modelFaults: readonly Fault[] = [
  {
    name: 'policy-changed',
    injected:
      'A policy’s file has bits flipped, is cut, spliced, doubled, or edited by hand; the page and `lab eval` read it',
    times: times(18, 5000),
    inject: (n) =>
      judged(async () => {
        policies ??= readdirSync(POLICIES).map((name) => new Uint8Array(readFileSync(join(POLICIES, name))));
        const bytes = changedFile(policies, n);
        const folder = mkdtempSync(join(tmpdir(), 'unmask-policy-'));
        try {
          const path = join(folder, 'policy.onnx');
          writeFileSync(path, bytes);
          const there = await read(() => readPolicyFile(path));
          const here = await read(() => readPolicy(new Blob([bytes])));
          if ((there === null) !== (here === null)) return 'the page and the command line judge it differently';
          if (there === null || here === null) return null;
          const { policy } = here;
          if (!isDeepStrictEqual(policy, there.policy)) return 'the page and the command line read it differently';
          const again = importOnnx(exportOnnx(policy, { cached: policy.cached }));
          return isDeepStrictEqual(policy, again) ? null : 'what was read is not what a file of it says';
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      }),
  },
  {
    name: 'model-changed',
    injected: 'A model of another project, changed in the same ways, reads a text on onnxruntime',
    times: times(9, 500),
    inject: (n) =>
      judged(async () => {
        models ??= FOREIGN_MODELS.map(({ file }) => new Uint8Array(fixture(file)));
        const model = new File([changedFile(models, n)], 'model.onnx');
        const tokeniser = new File([new Uint8Array(fixture('tokenizer.json'))], 'tokenizer.json');
        const reading = await read(() => readText({ files: [model, tokeniser], text: SHORT }, 'cpu'));
        const scores = [...(reading?.logProb ?? []), ...(reading?.entropy ?? [])];
        return scores.every((score) => score === null || typeof score === 'number') ? null : 'no numbers are read';
      }),
  },
];
