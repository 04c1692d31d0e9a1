/**
 * The loss of distillation: a forward pass of the teacher over what it reads, one of the policy over its episodes, and a
 * backward pass from the divergence of their probabilities of all words, whose gradient is added to the batch's before the
 * optimiser's step. Made once for each teacher and divergence that an arm has: without one there is no pass, no memory and no
 * bit of difference.
 */
import type { DivergenceName, TeacherName } from '../../../hyperparameters/distillation';
import type { Backend, Program, Rows, Tensor } from '../../../tensor/backend';
import { ROW_FIELDS } from '../../../tensor/layout';
import type { Plan } from '../../plan';
import { Trajectories } from '../../play/trajectories';
import type { BatchTensors } from '../batch';
import { allocateMicrobatch, type Microbatch, packMicrobatch } from '../microbatches';
import type { FindParameter, Passes } from '../passes';
import { type ArmDistillation, layTeaching } from './teaching';

type F32 = Tensor<'f32'>;

export interface TeachingOptions {
  readonly members: number;
  readonly plan: Plan;
  readonly batch: BatchTensors;
  readonly passes: Passes;
  readonly policy: FindParameter;
  /** Weights that each teacher speaks by; no gradient flows into them. */
  readonly teachers: Readonly<Record<TeacherName, FindParameter>>;
  /** The batch's gradient, [P, N], to which this loss's is added. */
  readonly gradients: F32;
  /** Vocabulary, V. */
  readonly vocabulary: number;
}

/** Rows of a microbatch as the policy and as the teacher read them, and the teacher's row for each of the policy's. */
interface Pair {
  readonly student: Microbatch;
  readonly teacher: Microbatch;
  readonly picks: Rows;
}

export class Distillation {
  /** Passes of the first inner step, and of each later one, after those of the batch. */
  readonly first: readonly Program[];
  readonly later: readonly Program[];
  readonly teacher: TeacherName;
  readonly divergence: DivergenceName;
  readonly #backend: Backend;
  readonly #student: Trajectories;
  readonly #read: Trajectories;
  readonly #pairs: readonly Pair[];
  readonly #groupSize: number;
  readonly #weight: F32;
  readonly #sums: F32;
  #counts: Float64Array = new Float64Array();

  /** Records its programs: prepare the backend next. */
  constructor(
    backend: Backend,
    teacher: TeacherName,
    divergence: DivergenceName,
    { members, plan, batch, passes, policy, teachers, gradients, vocabulary }: TeachingOptions,
  ) {
    const { trajectories, groups, context, turns } = batch;
    const name = `distillation.${teacher}.${divergence}`;
    const tensor = (label: string, stride: number): F32 => backend.tensor(`${name}.${label}`, 'f32', members, stride);
    this.teacher = teacher;
    this.divergence = divergence;
    this.#backend = backend;
    this.#groupSize = trajectories / groups;
    this.#student = new Trajectories(members, trajectories, context, turns);
    this.#read = new Trajectories(members, trajectories, context, turns);
    const capacity = plan.trajectories * context;
    this.#pairs = Array.from({ length: plan.microbatches }, (_, index) => {
      const student = allocateMicrobatch(backend, members, plan, index, context, `${name}.student`);
      const table = backend.tensor(`${name}.picks${index}`, 'u32', members, capacity * ROW_FIELDS);
      return {
        student,
        teacher: allocateMicrobatch(backend, members, plan, index, context, `${name}.teacher`),
        picks: { table, count: student.rows.count, capacity },
      };
    });
    this.#weight = tensor('weight', trajectories * context);
    this.#sums = tensor('sums', 1);
    const sequenceSums = tensor('sequenceSums', plan.trajectories);
    const distance = tensor('distance', capacity);
    const logits = tensor('logits', capacity * vocabulary);
    const taught = { teacher: logits, distance, weight: this.#weight, divergence };
    const record = (isFirst: boolean): readonly Program[] =>
      this.#pairs.map((pair, index) =>
        backend.record('distillation', members, (ops) => {
          passes.say(ops, teachers[teacher], pair.teacher, pair.picks, logits);
          passes.distil(ops, policy, pair.student, taught);
          // The critic's derivatives are 0, so that those of the batch are not counted twice.
          passes.silenceCritic(ops);
          passes.backwardParameters(ops, policy, pair.student, gradients, { critic: true, accumulate: true });
          if (!isFirst) return;
          ops.sumColumns(this.#sums, sequenceSums, distance, pair.student.rows, { accumulate: index > 0 });
        }),
      );
    this.first = record(true);
    this.later = record(false);
  }

  /** Lays a batch's rows for this teacher on the device. settings: of each member. */
  lay(trajectories: Trajectories, settings: readonly ArmDistillation[]): void {
    const { teacher, divergence } = this;
    const isOwn = (one: ArmDistillation): boolean => one.teacher === teacher && one.divergence === divergence;
    const weights = settings.map((one) => (isOwn(one) ? one.weight : 0));
    const options = { weights, teacher, groupSize: this.#groupSize };
    const { weight, counts, offsets } = layTeaching(this.#student, this.#read, trajectories, options);
    this.#counts = counts;
    this.#backend.write(this.#weight, weight);
    for (const { student, teacher: read, picks } of this.#pairs) {
      packMicrobatch(this.#backend, student, this.#student);
      packMicrobatch(this.#backend, read, this.#read);
      this.#backend.write(picks.table, this.#picks(student, read, offsets));
    }
  }

  /** Mean divergence in the first inner step that was submitted last, nats a token, [P]; NaN where nothing was taught. */
  async read(): Promise<Float64Array> {
    const counts = this.#counts;
    const [sums] = await this.#backend.read(this.#sums);
    return counts.map((count, p) => sums[p] / count);
  }

  /** Row of the teacher's for each of the policy's, as a table whose first field it is. */
  #picks(student: Microbatch, read: Microbatch, offsets: Int32Array): Uint32Array {
    const { sequences, capacity } = student.rows;
    const table = new Uint32Array(student.host.table.length);
    const { count } = this.#student;
    for (let member = 0; member < student.host.count.length; member++) {
      for (let sequence = 0; sequence < Math.min(sequences, count - student.first); sequence++) {
        const at = member * (sequences + 1) + sequence;
        const [from, to] = [student.host.start[at], student.host.start[at + 1]];
        const ahead = read.host.start[at] + offsets[member * count + student.first + sequence];
        for (let row = from; row < to; row++) table[(member * capacity + row) * ROW_FIELDS] = ahead + row - from;
      }
    }
    return table;
  }
}
