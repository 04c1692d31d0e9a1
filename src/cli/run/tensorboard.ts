/**
 * `lab run --tensorboard DIR`: metrics as TensorBoard's event files, in DIR/<preset>/<arm>/<seed>, a point an update. A file is a
 * row of TFRecord frames: u64 length, u32 masked CRC-32C of that, an Event message (tensorflow/core/util/event.proto), u32 masked
 * CRC-32C of the message; little endian. A frame is with the operating system before the next update is measured.
 */
import { closeSync, openSync, readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Experiment } from '../../experiment/experiment';
import { crc32c } from '../../foundation/crc32';
import type { LabError } from '../../foundation/errors';
import { encode, type MessageDraft, many, one } from '../../onnx/messages';
import { METRICS, type MetricName } from '../../rl/measure/metrics';
import type { Member } from '../../rl/population';
import { diskError, makeFolders, nodeDisk } from '../disk';
import { storageFailure, usage } from '../errors';

const VALUE = { name: 'Summary.Value', fields: { tag: one(1, 'string'), simpleValue: one(2, 'float') } } as const;
const EVENT = {
  name: 'Event',
  fields: {
    wallTime: one(1, 'double'),
    step: one(2, 'int'),
    fileVersion: one(3, 'string'),
    summary: one(5, { name: 'Summary', fields: { value: many(1, VALUE) } }),
    sessionLog: one(7, { name: 'SessionLog', fields: { status: one(1, 'int') } }),
  },
} as const;
/** SessionLog.START: TensorBoard forgets what it has of its step and later. */
const START = 1;

/** Groups of charts, the first that fits. */
const GROUPS: readonly (readonly [group: string, of: RegExp])[] = [
  ['tool', /^(practised|new)[A-Z]|^toolCall/],
  ['examination', /^(heldOut|toolOff)/],
  ['success', /success/i],
  ['reward', /^re(turn|ward)/],
  ['gradient', /^grad|GradNorm$/],
  ['world-model', /CrossEntropy$|Floor$/],
  ['policy', /^(entropy|kl|clip|ratio|mismatch|distillation|value|explained)/],
  ['groups', /Groups$|^anchor/],
  ['replay', /^replay/],
  ['formula', /^(formula|shown)/],
];

/** Name of a metric in TensorBoard: its group, and its name in result.json. */
export const tagOf = (metric: MetricName): string =>
  `${GROUPS.find(([, of]) => of.test(metric))?.[0] ?? 'episodes'}/${metric}`;

const TAGS = METRICS.map(tagOf);

const folderOf = (folder: string, { preset }: Experiment, { arm, seed }: Member): string =>
  join(folder, preset, arm, String(seed));

const areEvents = (name: string): boolean => name.includes('tfevents');

/**
 * Makes the members' folders, before anything is computed. Throws LabError 'storage' if it cannot, 'invalid-experiment' if another
 * run’s events are there.
 */
export async function takeEventFolders(
  folder: string,
  experiment: Experiment,
  members: readonly Member[],
  isResumed: boolean,
): Promise<void> {
  for (const member of members) {
    const path = folderOf(folder, experiment, member);
    const names = await makeFolders(nodeDisk, path)
      .then(() => nodeDisk.list(path))
      .catch((cause: unknown) => {
        throw diskError(path, cause);
      });
    if (isResumed || !names.some(areEvents)) continue;
    throw usage(
      `There are another run’s events in ${path}.`,
      'Choose another folder for --tensorboard, or delete that one.',
    );
  }
}

export class EventFiles {
  readonly #files: readonly { readonly path: string; readonly file: number }[];
  /** Reason why the files hold no more of the run from some update on; null while they do. */
  failure: LabError | null = null;

  /**
   * Opens a new file for each member, in the folders that takeEventFolders made. `before`: metrics of the updates that are
   * finished, [finished, P, METRICS.length], written for members of which nothing is there. Throws LabError 'storage'.
   */
  constructor(
    folder: string,
    experiment: Experiment,
    members: readonly Member[],
    finished: number,
    before: Float32Array,
  ) {
    const names = members.map((member) => readdirSync(folderOf(folder, experiment, member)).filter(areEvents));
    this.#files = members.map((member, index) => {
      // Files are read in the order of their names, not of the times in them: clocks of machines differ.
      const times = (names[index] ?? []).map((name) => 1 + Number(/tfevents\.(\d+)/.exec(name)?.[1] ?? 0));
      const name = `events.out.tfevents.${Math.max(Date.now(), ...times)}.unmask`;
      const path = join(folderOf(folder, experiment, member), name);
      try {
        return { path, file: openSync(path, 'wx') };
      } catch (cause) {
        throw diskError(path, cause);
      }
    });
    const width = members.length * METRICS.length;
    names.forEach((known, member) => {
      this.#write(member, { fileVersion: 'brain.Event:2' });
      if (known.length > 0) this.#write(member, { step: finished, sessionLog: { status: START } });
      else
        for (let update = 0; update < finished; update++) this.#point(member, update, before.subarray(update * width));
    });
  }

  /** Adds an update's metrics, [P, METRICS.length]. Returns the failure where it is the first. */
  add(update: number, values: ArrayLike<number>): LabError | null {
    const before = this.failure;
    for (const member of this.#files.keys()) this.#point(member, update, values);
    return before === null ? this.failure : null;
  }

  /** Goes on from this update: events of it and later count no more. */
  goBack(update: number): void {
    for (const member of this.#files.keys()) this.#write(member, { step: update, sessionLog: { status: START } });
  }

  close(): void {
    for (const { file } of this.#files) closeSync(file);
  }

  #point(member: number, update: number, values: ArrayLike<number>): void {
    const value = TAGS.flatMap((tag, metric) => {
      const simpleValue = values[member * METRICS.length + metric] as number;
      return Number.isFinite(simpleValue) ? [{ tag, simpleValue }] : [];
    });
    this.#write(member, { step: update, summary: { value } });
  }

  /** Appends an event. After a failure a frame may be cut, and readers would not see what follows it. */
  #write(member: number, event: MessageDraft<typeof EVENT>): void {
    const { path, file } = this.#files[member] as { path: string; file: number };
    if (this.failure !== null) return;
    let bytes = frameOf(encode(EVENT, { wallTime: Date.now() / 1000, ...event }));
    try {
      while (bytes.length > 0) bytes = bytes.subarray(writeSync(file, bytes));
    } catch (cause) {
      this.failure = storageFailure(diskError(path, cause));
    }
  }
}

function frameOf(message: Uint8Array): Uint8Array {
  const frame = new Uint8Array(12 + message.length + 4);
  const view = new DataView(frame.buffer);
  view.setBigUint64(0, BigInt(message.length), true);
  view.setUint32(8, maskCrc(frame.subarray(0, 8)), true);
  frame.set(message, 12);
  view.setUint32(12 + message.length, maskCrc(message), true);
  return frame;
}

/** CRC-32C turned right by 15 bits, and a constant added: TFRecord's, for data that hold checksums themselves. */
function maskCrc(bytes: Uint8Array): number {
  const crc = crc32c(bytes);
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
