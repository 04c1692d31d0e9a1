/**
 * One optimisation of the whole population on one batch of trajectories, as run() below says it:
 *   lay      the batch is written to the device
 *   score    (log-probs of the reference) → (log-probs, entropies and values of the acting policy)
 *   weigh    advantages → factors of each token's losses → (choice of tokens)
 *   steps    for each inner epoch, or minibatch of one: forward → log-prob → objective → backward → clip → AdamW
 *   measure  a few numbers are read back
 * Steps in brackets run where something asks for them. All programs are recorded once: recordSteps() in updatePrograms.ts has
 * the mathematics. An update writes the batch, runs them and reads, without waiting for the device in between. Each send() is a
 * submission: what the host writes after it is read by the programs that follow, and not by those before.
 */
import type { Added } from './learn/added';
import { countRoles, writeBatch } from './learn/batch';
import { laterSteps, type Minibatches, type Part, weighedForMinibatches } from './learn/minibatches';
import type { OwnLosses } from './learn/ownLosses';
import type { GradientReadback } from './look/diagnosis/gradients';
import { readTokens } from './measure/tokenReadback';
import type { Trajectories } from './play/trajectories';
import type { UpdateOptions, UpdateReadback } from './updateContract';
import { UpdateParts } from './updateParts';
import type { StepPrograms } from './updatePrograms';

/** An update under way: its request, and the programs that follow from it. */
interface Asked extends UpdateOptions {
  readonly cut: Minibatches | null;
  readonly own: OwnLosses | null;
  readonly steps: StepPrograms;
  readonly added: Added;
  /** Log-probs of the whole batch are needed before the first inner step, and before each later one. */
  readonly isScored: boolean;
  readonly isRescored: boolean;
  /** Each member's part of the first pass, [P]: all, or none without an inner epoch. */
  readonly whole: readonly Part[];
}

export class Update extends UpdateParts {
  /** Optimises on `trajectories`. Resolves when the device has finished; the next rollout may begin before. */
  run(trajectories: Trajectories, options: UpdateOptions): Promise<UpdateReadback> {
    const asked = this.#asked(trajectories, options);
    this.#lay(trajectories, asked);
    this.#score(asked);
    this.#weigh(asked);
    const gradients = this.#firstStep(asked);
    this.#reweigh(asked, asked.cut);
    for (const parts of laterSteps(asked.innerEpochs, asked.cut)) this.#laterStep(asked, parts);
    this.#showWholeBatch(asked);
    return this.#measure(countRoles(trajectories), asked, gradients);
  }

  #asked(trajectories: Trajectories, options: UpdateOptions): Asked {
    const { needs, formulas, innerEpochs, minibatches } = options;
    const { own, steps } = this.trainedWith(formulas !== undefined);
    return {
      ...options,
      cut: minibatches?.cut ?? null,
      own,
      steps,
      added: this.added.lay(trajectories, options),
      isScored: needs.scores || needs.selection || own?.needsScores === true,
      isRescored: needs.selection || own?.needsScoresEachStep === true,
      whole: innerEpochs.map((epochs) => (epochs > 0 ? 'all' : 'none')),
    };
  }

  #lay(trajectories: Trajectories, asked: Asked): void {
    this.isOverwritten = false;
    writeBatch(this.backend, this.batch, trajectories);
    this.attendance.pack(trajectories, asked.targets);
    // A member with minibatches measures its whole batch before its first step.
    const steps = asked.whole.map((part, p) => ((asked.cut?.counts[p] ?? 1) === 1 ? part : 'none'));
    this.#take(asked, asked.whole, steps);
  }

  /** `parts` take part in the next pass, [P]; members of `stepping` that have a part take a step after it. */
  #take({ stays = false, valueHeadAlone }: Asked, parts: readonly Part[], stepping = parts): void {
    // The first parameter that a member moves, counted from 1.
    const firstMoved = (p: number): number => (valueHeadAlone?.[p] ? 1 + this.valueHead : 1);
    this.attendance.take(
      parts,
      stepping.map((part, p) => (part === 'none' || stays ? 0 : firstMoved(p))),
    );
  }

  #score({ reference, isScored, own, formulas }: Asked): void {
    if (reference) this.queue(...this.programs.reference);
    this.send();
    if (formulas !== undefined) own?.write(formulas);
    if (isScored) this.queue(...this.programs.score, this.programs.adopt);
    this.send();
  }

  #weigh({ steps, replay = null, needs, own }: Asked): void {
    this.queue(steps.begin);
    // The host's writing over the device's weights comes after them.
    if (replay !== null) this.send();
    replay?.write(null);
    if (needs.selection) this.queue(this.programs.select);
    if (own !== null) this.queue(steps.held);
  }

  /** Weights of a minibatch's loss, or of the batch's (null), where there are minibatches. */
  #reweigh({ minibatches = null, formulas, own, steps, replay }: Asked, cut: Minibatches | null): void {
    if (minibatches === null) return;
    this.backend.write(this.hyper, cut === null ? minibatches.table : weighedForMinibatches(minibatches.table, cut));
    if (formulas !== undefined) own?.write(formulas, cut);
    this.queue(steps.weights);
    this.send();
    replay?.write(cut);
  }

  /** Weights and rows of the whole batch again, after minibatches: the page shows a token's weight in the batch's loss. */
  #showWholeBatch(asked: Asked): void {
    this.#reweigh(asked, null);
    if (asked.cut !== null) this.#take(asked, asked.whole);
  }

  /** The first pass over the batch and the step after it; resolves to its gradients by role, where asked for. */
  #firstStep({ steps, added, diagnostics, isScored, gradientRoles }: Asked): Promise<GradientReadback> | null {
    const { programs } = this;
    if (diagnostics) {
      this.queue(...steps.worldModel, programs.worldModelFinish);
      this.send();
    }
    // The world model's own gradient needs a forward pass of its own, and overwrites that of the scores.
    const ofBatch = (!diagnostics && isScored ? steps.firstScored : null) ?? steps.first;
    this.queue(...ofBatch, ...added.first);
    if (diagnostics) this.queue(programs.splitNorms);
    let gradients: Promise<GradientReadback> | null = null;
    if (gradientRoles !== undefined) {
      this.send();
      gradients = this.gradientDiagnosis.measure(gradientRoles);
      // Its failure is handled by measure(). This keeps it quiet if an earlier submission throws first.
      gradients.catch(() => {});
    }
    this.queue(programs.firstStep);
    this.send();
    return gradients;
  }

  #laterStep(asked: Asked, parts: readonly Part[]): void {
    const { needs, own, cut, isRescored, steps, added } = asked;
    if (isRescored) {
      // Tokens are chosen from the whole batch.
      const scored = parts.map((part): Part => (part === 'none' ? 'none' : 'all'));
      this.#take(asked, scored, parts);
      this.queue(...this.programs.selection);
      this.send();
    }
    if (needs.selection) this.queue(this.programs.select);
    this.send();
    if (own?.needsScoresEachStep) this.queue(steps.heldLater);
    this.send();
    this.#take(asked, parts);
    // Minibatches have other rows than the whole batch that was scored.
    const later = (isRescored && cut === null ? steps.laterScored : null) ?? steps.later;
    this.queue(...later, ...added.later, this.programs.laterStep);
    this.send();
  }

  async #measure(
    counts: Float64Array,
    { own, added, diagnostics }: Asked,
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
      own?.read() ?? [],
      added.read(),
    ]);
    const [firstTerms, laterTerms, gradNorm, policyGradNorm, worldModelGradNorm, group] = read;
    // Without a finite gradient a policy takes no step, so a batch that was submitted meanwhile tells the same.
    const fresh = own === null ? [] : this.breakdowns.take(this.members, gradNorm, ofFormulas);
    const faults = own === null || fresh.length === 0 || this.isOverwritten ? [] : await own.faults(fresh);
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
