/**
 * A backend that measures where the time of an update goes. Programs are recorded in pieces, each of one part of an update
 * (forward, log-prob and objective, backward, optimiser). Each run is charged to the parts of its pieces: by the host's
 * clock on the CPU, by the device's timestamps where it has them, otherwise by how often each piece ran times its time
 * alone. Time between two calls is the host's own work: environments until the first tensor of the training batch is
 * written, packing from then on.
 */
import type { PassTimer } from '../../gpu/passTimer';
import type { Backend, ElementType, Operations, Program, Tensor, TensorData } from '../../tensor/backend';
import { type Call, callsOf, replay } from './apart';
import type { Timing, UpdatePhase } from './report';

interface Piece {
  readonly part: UpdatePhase;
  readonly program: Program;
}

interface Pieces extends Program {
  readonly pieces: readonly Piece[];
}

const FORWARD: readonly (keyof Operations)[] = ['embed', 'layerNorm', 'linear', 'rotary', 'attention'];
const OPTIMISER: readonly (keyof Operations)[] = ['gradientNorm', 'adamW'];
/** Operations charged to the part before them. */
const PLUMBING: readonly (keyof Operations)[] = ['copy', 'fill'];

function partOf(program: string, name: keyof Operations, before: UpdatePhase): UpdatePhase {
  if (program.startsWith('decode')) return 'decode';
  if (PLUMBING.includes(name)) return before;
  if (FORWARD.includes(name)) return 'forward';
  if (OPTIMISER.includes(name)) return 'optimiser';
  const backward = name !== 'maskedLogProbBackward' && (name.includes('Backward') || name === 'reduceChunks');
  return backward ? 'backward' : 'log-prob and objective';
}

export class Meter implements Backend {
  readonly kind: Backend['kind'];
  readonly description: string;
  readonly limits: Backend['limits'];
  readonly sharedGpu: Backend['sharedGpu'];
  readonly lost: Backend['lost'];
  readonly timing: Timing;
  /** Seconds of each part since reset(); settle() adds those of a GPU. */
  readonly seconds = new Map<UpdatePhase, number>();
  /** Seconds spent waiting in read(), for the device and the transfer. */
  waited = 0;
  /** Seconds until the first write of the training batch. */
  rollout = 0;
  readonly #backend: Backend;
  readonly #timer: PassTimer | null;
  readonly #runs = new Map<Piece, number>();
  #began = 0;
  #last = 0;
  #training = false;

  constructor(backend: Backend, timer: PassTimer | null) {
    this.#backend = backend;
    this.#timer = timer;
    this.kind = backend.kind;
    this.description = backend.description;
    this.limits = backend.limits;
    this.sharedGpu = backend.sharedGpu;
    this.lost = backend.lost;
    this.timing = backend.kind !== 'webgpu' ? 'host clock' : timer ? 'timestamp queries' : 'parts run alone';
  }

  get allocatedBytes(): number {
    return this.#backend.allocatedBytes;
  }

  /** Forgets all times; call when an update begins. */
  reset(): void {
    this.seconds.clear();
    this.#runs.clear();
    this.waited = 0;
    this.rollout = 0;
    this.#training = false;
    this.#began = performance.now();
    this.#last = this.#began;
  }

  tensor<E extends ElementType>(label: string, type: E, members: number, stride: number, isAlike?: boolean): Tensor<E> {
    return this.#backend.tensor(label, type, members, stride, isAlike);
  }

  write<E extends ElementType>(tensor: Tensor<E>, data: TensorData<E>, offset?: number): void {
    if (!this.#training && /^(micro)?batch/.test(tensor.label)) {
      this.#training = true;
      this.rollout = (performance.now() - this.#began) / 1000;
    }
    this.#hostWorked();
    this.#backend.write(tensor, data, offset);
    this.#charge('pack and upload');
  }

  async read<const L extends readonly Tensor[]>(...tensors: L): Promise<{ [I in keyof L]: TensorData<L[I]['type']> }> {
    this.#hostWorked();
    const values = await this.#backend.read(...tensors);
    const now = performance.now();
    this.waited += (now - this.#last) / 1000;
    this.#last = now;
    return values;
  }

  record(label: string, members: number, build: (operations: Operations) => void): Program {
    const groups: { part: UpdatePhase; calls: Call[] }[] = [];
    for (const call of callsOf(build)) {
      const group = groups.at(-1);
      const part = partOf(label, call.name, group?.part ?? 'log-prob and objective');
      if (group?.part === part) group.calls.push(call);
      else groups.push({ part, calls: [call] });
    }
    const pieces = groups.map(({ part, calls }) => ({
      part,
      program: this.#backend.record(part, members, replay(calls)),
    }));
    const program: Pieces = {
      label,
      operations: pieces.reduce((sum, piece) => sum + piece.program.operations, 0),
      pieces,
    };
    return program;
  }

  prepare(onProgress?: (done: number, total: number) => void): Promise<void> {
    return this.#backend.prepare(onProgress);
  }

  run(...programs: readonly Program[]): void {
    this.#hostWorked();
    const pieces = programs.flatMap((program) => (program as Pieces).pieces);
    if (this.timing === 'host clock') {
      for (const { part, program } of pieces) {
        this.#backend.run(program);
        this.#charge(part);
      }
      return;
    }
    this.#backend.run(...pieces.map(({ program }) => program));
    for (const piece of pieces) this.#runs.set(piece, (this.#runs.get(piece) ?? 0) + 1);
    this.#charge('rest');
  }

  /** Charges the device's time to its parts and the rest of the wait to readback; call after the update's readback. */
  async settle(): Promise<void> {
    const device = this.#timer ? await this.#timer.collect() : await this.#alone();
    let computed = 0;
    for (const [part, seconds] of device) {
      this.#add(part as UpdatePhase, seconds);
      computed += seconds;
    }
    this.#add('readback', Math.max(0, this.waited - computed));
  }

  dispose(): void {
    this.#timer?.destroy();
    this.#backend.dispose();
  }

  /** Seconds of each part: the time of each piece alone, times how often it ran. */
  async #alone(): Promise<Map<UpdatePhase, number>> {
    const seconds = new Map<UpdatePhase, number>();
    const probe = [...this.#runs.keys()].length > 0 ? this.#backend.tensor('probe', 'f32', 1, 4) : null;
    for (const [piece, runs] of this.#runs) {
      const start = performance.now();
      this.#backend.run(piece.program);
      if (probe) await this.#backend.read(probe);
      const once = (performance.now() - start) / 1000;
      seconds.set(piece.part, (seconds.get(piece.part) ?? 0) + once * runs);
    }
    return seconds;
  }

  #hostWorked(): void {
    this.#charge(this.#training ? 'pack and upload' : 'environment');
  }

  #charge(part: UpdatePhase): void {
    const now = performance.now();
    this.#add(part, (now - this.#last) / 1000);
    this.#last = now;
  }

  #add(part: UpdatePhase, seconds: number): void {
    this.seconds.set(part, (this.seconds.get(part) ?? 0) + seconds);
  }
}
