/**
 * One optimisation of the whole population on one batch of trajectories, as run() below says it:
 *   lay      the batch is written to the device
 *   score    (log-probs of the reference) → (log-probs, entropies and values of the acting policy)
 *   weigh    advantages → factors of each token's losses → (choice of tokens)
 *   learn    for each inner epoch, or minibatch of one: forward → log-prob → objective → backward → clip → AdamW
 *   measure  a few numbers are read back
 * Steps in brackets run where something asks for them. All programs are recorded once: recordSteps() in updatePrograms.ts has
 * the mathematics. An update writes the batch, runs them and reads, without waiting for the device in between. send() submits what
 * is queued, so that programs before it do not read what the host writes after it. One that guards no write says nothing, and keeps
 * a submission short.
 */
import type { Added } from './learn/added';
import { countRoles, writeBatch } from './learn/batch';
import { laterSteps, type Minibatches, type TakingPart, weighedForMinibatches } from './learn/minibatches';
import type { OwnLosses } from './learn/ownLosses';
import type { GradientReadback } from './look/diagnosis/gradients';
import { readTokens } from './measure/tokenReadback';
import type { Trajectories } from './play/trajectories';
import type { UpdateOptions, UpdateReadback } from './updateContract';
import { UpdateParts } from './updateParts';
import type { StepPrograms } from './updatePrograms';

/** Course of one update: its options, and the programs that follow from them. */
interface Course extends UpdateOptions {
  readonly cut: Minibatches | null;
  readonly ownLosses: OwnLosses | null;
  readonly recorded: StepPrograms;
  readonly added: Added;
  /** Log-probs of the whole batch are needed before the first inner step, and before each later one. */
  readonly isScored: boolean;
  readonly isRescored: boolean;
  /** Each member's part of the first pass, [P]: all, or none without an inner epoch. */
  readonly whole: readonly TakingPart[];
}

export class Update extends UpdateParts {
  /** Optimises on `trajectories`. Resolves when the device has finished; the next rollout may begin before. */
  run(trajectories: Trajectories, options: UpdateOptions): Promise<UpdateReadback> {
    const course = this.#courseOf(trajectories, options);
    this.#lay(trajectories, course);
    this.#score(course);
    this.#weigh(course);
    const gradients = this.#learnFirst(course);
    this.#reweigh(course, course.cut);
    for (const parts of laterSteps(course.innerEpochs, course.cut)) this.#learnAgain(course, parts);
    this.#showWholeBatch(course);
    return this.#measure(countRoles(trajectories), course, gradients);
  }

  #courseOf(trajectories: Trajectories, options: UpdateOptions): Course {
    const { needs, formulas, innerEpochs, minibatches } = options;
    const { ownLosses, recorded } = this.trainedWith(formulas !== undefined);
    return {
      ...options,
      cut: minibatches?.cut ?? null,
      ownLosses,
      recorded,
      added: this.added.lay(trajectories, options),
      isScored: needs.scores || needs.selection || ownLosses?.needsScores === true,
      isRescored: needs.selection || ownLosses?.needsScoresEachStep === true,
      whole: innerEpochs.map((epochs) => (epochs > 0 ? 'all' : 'none')),
    };
  }

  #lay(trajectories: Trajectories, course: Course): void {
    this.isOverwritten = false;
    writeBatch(this.backend, this.batch, trajectories);
    this.attendance.pack(trajectories, course.targets);
    if (course.formulas !== undefined) course.ownLosses?.write(course.formulas);
    // A member with minibatches measures its whole batch before its first step.
    const stepping = course.whole.map((part, p) => ((course.cut?.counts[p] ?? 1) === 1 ? part : 'none'));
    this.#take(course, course.whole, stepping);
  }

  /** `parts` take part in the next pass, [P]; members of `stepping` that have a part take a step after it. */
  #take({ stays = false, valueHeadAlone }: Course, parts: readonly TakingPart[], stepping = parts): void {
    // The first parameter that a member moves, counted from 1.
    const firstMoved = (p: number): number => (valueHeadAlone?.[p] ? 1 + this.valueHead : 1);
    this.attendance.take(
      parts,
      stepping.map((part, p) => (part === 'none' || stays ? 0 : firstMoved(p))),
    );
  }

  #score({ reference, isScored }: Course): void {
    if (reference) this.queue(...this.programs.reference);
    this.send();
    if (isScored) this.queue(...this.programs.score, this.programs.keepAsOld);
    this.send();
  }

  #weigh({ recorded, replay = null, needs, ownLosses }: Course): void {
    this.queue(recorded.begin);
    // The host's writing over the device's weights comes after them.
    if (replay !== null) this.send();
    replay?.write(null);
    if (needs.selection) this.queue(this.programs.select);
    if (ownLosses !== null) this.queue(recorded.held);
  }

  /** Weights of a minibatch's loss, or of the batch's (null), where there are minibatches. */
  #reweigh({ minibatches = null, formulas, ownLosses, recorded, replay }: Course, cut: Minibatches | null): void {
    if (minibatches === null) return;
    this.backend.write(this.hyper, cut === null ? minibatches.table : weighedForMinibatches(minibatches.table, cut));
    if (formulas !== undefined) ownLosses?.write(formulas, cut);
    this.queue(recorded.weights);
    // Next the host writes over weights, and who takes part.
    this.send();
    replay?.write(cut);
  }

  /** Weights and rows of the whole batch again, after minibatches: the page shows a token's weight in the batch's loss. */
  #showWholeBatch(course: Course): void {
    this.#reweigh(course, null);
    if (course.cut !== null) this.#take(course, course.whole);
  }

  /** The first pass over the batch and the step after it; resolves to its gradients by role, where asked for. */
  #learnFirst({ recorded, added, diagnostics, isScored, gradientRoles }: Course): Promise<GradientReadback> | null {
    const { programs } = this;
    if (diagnostics) {
      this.queue(...recorded.worldModel, programs.worldModelFinish);
      this.send();
    }
    // The world model's own gradient needs a forward pass of its own, and overwrites that of the scores.
    const ofBatch = (!diagnostics && isScored ? recorded.firstScored : null) ?? recorded.first;
    this.queue(...ofBatch, ...added.first);
    if (diagnostics) this.queue(programs.splitNorms);
    let gradients: Promise<GradientReadback> | null = null;
    if (gradientRoles !== undefined) {
      // The diagnosis runs programs of its own, and reads.
      this.send();
      gradients = this.gradientDiagnosis.measure(gradientRoles);
      // Its failure is handled by measure(). This keeps it quiet if an earlier submission throws first.
      gradients.catch(() => {});
    }
    this.queue(programs.firstStep);
    // Next the host writes a minibatch's hyperparameters, or who takes part.
    this.send();
    return gradients;
  }

  #learnAgain(course: Course, parts: readonly TakingPart[]): void {
    const { needs, ownLosses, cut, isRescored, recorded, added } = course;
    if (isRescored) {
      // Tokens are chosen from the whole batch.
      const scored = parts.map((part): TakingPart => (part === 'none' ? 'none' : 'all'));
      this.#take(course, scored, parts);
      this.queue(...this.programs.selection);
      this.send();
      if (needs.selection) this.queue(this.programs.select);
      if (ownLosses?.needsScoresEachStep) this.queue(recorded.heldLater);
      // Next the host writes who takes part in the step.
      this.send();
    }
    this.#take(course, parts);
    // Minibatches have other rows than the whole batch that was scored.
    const later = (isRescored && cut === null ? recorded.laterScored : null) ?? recorded.later;
    this.queue(...later, ...added.later, this.programs.laterStep);
    // Next the host writes who takes part in the step after this one.
    this.send();
  }

  async #measure(
    counts: Float64Array,
    { ownLosses, added, diagnostics }: Course,
    gradients: Promise<GradientReadback> | null,
  ): Promise<UpdateReadback> {
    const { batch } = this;
    const tokens = diagnostics ? readTokens(this.backend, batch) : null;
    const { firstTerms: first, laterTerms: later, firstNorm, policyNorm, worldModelNorm } = this.programs;
    const small = this.backend.read(first, later, firstNorm, policyNorm, worldModelNorm, batch.group);
    const [read, ofTokens, ofGradients, ofFormulas, ofAdded] = await Promise.all([
      small,
      tokens,
      gradients,
      ownLosses?.read() ?? [],
      added.read(),
    ]);
    const [firstTerms, laterTerms, gradNorm, policyGradNorm, worldModelGradNorm, group] = read;
    // Without a finite gradient a policy takes no step, so a batch that was submitted meanwhile tells the same.
    const fresh = ownLosses === null ? [] : this.breakdowns.take(this.members, gradNorm, ofFormulas);
    const faults = ownLosses === null || fresh.length === 0 || this.isOverwritten ? [] : await ownLosses.faults(fresh);
    return {
      firstTerms,
      laterTerms,
      counts,
      gradNorm,
      policyGradNorm: diagnostics ? policyGradNorm : null,
      worldModelGradNorm: diagnostics ? worldModelGradNorm : null,
      group,
      formulas: ofFormulas.map((one, i) => ({ ...one, faults: faults[i] ?? one.faults })),
      tokens: ofTokens,
      gradients: ofGradients,
      ...ofAdded,
    };
  }
}
