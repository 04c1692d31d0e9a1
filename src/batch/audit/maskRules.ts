/** Rules that hold the loss mask against the roles of tokens. */
import { BATCH_ROLE, BATCH_ROLES, isSampled, STOPS } from '../trajectory';
import { type AuditLook, isTrained, isWeighed, sampledRuns } from './look';
import { Tally } from './tally';

const WEIGHTS = 'weights in the loss (a loss mask)';
const ROLES = 'roles that do not come from the loss mask: roles, masks by role, texts of tokens or rollout log-probs';

const LEAKING: ReadonlySet<number> = new Set([BATCH_ROLE.prompt, BATCH_ROLE.observation, BATCH_ROLE.warning]);

/** Difference of rewards below which they are the same in single precision. */
const LEAST_PENALTY = 1e-6;

export class MaskRules {
  readonly #leak = new Tally('leak');
  readonly #template = new Tally('template');
  readonly #action = new Tally('untrained-action');
  readonly #stop = new Tally('untrained-stop');
  readonly #shift = new Tally('shift');

  get tallies(): readonly Tally[] {
    return [this.#leak, this.#template, this.#action, this.#stop, this.#shift];
  }

  look(look: AuditLook): void {
    const { trajectory, hasRoles, maskShift, numberShift } = look;
    const canSee = trajectory.columns.weight !== undefined && hasRoles;
    const hasPair = ['old', 'rollout', 'logp'].filter((name) => name in trajectory.columns).length >= 2;
    if (canSee || hasPair) this.#shift.looked();
    if (!canSee) this.#shift.lacks(`${WEIGHTS} and roles beside it`);
    if (!hasPair) this.#shift.lacks('log-probs of two kinds (old, rollout, current)');
    if (numberShift !== null) {
      const { column, against, by, token, tokens } = numberShift;
      const what = `${column} log-probs stand one token ${by === 1 ? 'early' : 'late'}, held against ${against} log-probs, over ${tokens} tokens`;
      this.#shift.ofTrajectory(look, what, token);
    }
    const template = canSee && trajectory.roles?.includes(BATCH_ROLE.template);
    for (const tally of [this.#leak, this.#action, this.#stop]) lookedOr(tally, trajectory.columns.weight, hasRoles);
    for (const { token, what } of trajectory.rendered ?? []) this.#template.atToken(look, token, what);
    if (trajectory.rendered !== null) this.#template.looked();
    else if (canSee && !template)
      this.#template.lacks('texts of tokens with a known chat template, or roles that tell its tokens');
    else lookedOr(this.#template, trajectory.columns.weight, hasRoles);
    if (!canSee) return;
    if (maskShift === 0) this.#held(look);
    else
      this.#shift.ofTrajectory(
        look,
        `the loss mask stands one token ${maskShift === 1 ? 'early' : 'late'}`,
        firstTrained(look),
      );
  }

  /** Checks the roles token by token. */
  #held(look: AuditLook): void {
    const { trajectory } = look;
    const { klWeight, penalty } = trajectory.columns;
    for (let token = 0; token < trajectory.length; token++) {
      const role = trajectory.roles?.[token] ?? BATCH_ROLE.unknown;
      const isOther = LEAKING.has(role) || role === BATCH_ROLE.template;
      const isHeld = isOther && ((klWeight?.[token] || 0) !== 0 || Math.abs(penalty?.[token] || 0) > LEAST_PENALTY);
      if (isHeld) this.#leak.atToken(look, token, `${leaked(look, role)} is in the KL to the reference:`);
      if (!isTrained(trajectory, token)) continue;
      if (role === BATCH_ROLE.template) this.#template.atToken(look, token, 'a token of the chat template is trained:');
      else if (LEAKING.has(role)) this.#leak.atToken(look, token, `${leaked(look, role)} is trained:`);
    }
    this.#runs(look);
  }

  /** Tokens that the policy sampled, turn by turn. */
  #runs(look: AuditLook): void {
    const { trajectory } = look;
    const { texts, truncated, roles, columns } = trajectory;
    const isCorrected = columns.correction !== undefined;
    const untrained = `a sampled token is not trained${isCorrected ? ', or rejection sampling left it out' : ''}:`;
    const hasStops = texts?.some((text, token) => STOPS.has(text) && isSampled(roles?.[token])) === true;
    const isNoneTrained = !columns.weight?.some((value) => value !== 0 && !Number.isNaN(value));
    // A whole trajectory that was cut off may be left out on purpose.
    if (isNoneTrained && truncated === true) return;
    for (const [from, to] of sampledRuns(trajectory)) {
      const last = to - 1;
      const isCut = to === trajectory.length && truncated === true;
      const couldStop = !isCut && (!hasStops || STOPS.has(texts?.[last] ?? ''));
      const others = Array.from({ length: last - from }, (_, at) => from + at);
      const isOnlyStop = couldStop && others.some((token) => isTrained(trajectory, token));
      for (const token of [...others, last]) {
        if (isTrained(trajectory, token) || !isWeighed(trajectory, token)) continue;
        if (token === last && isOnlyStop) this.#stop.atToken(look, token, 'the end of a turn is not trained:');
        else this.#action.atToken(look, token, untrained);
      }
    }
  }
}

/** Kind by the roles; masks and log-probs do not tell the template from the rest. */
function leaked({ trajectory: { rolesFrom } }: AuditLook, role: number): string {
  if (rolesFrom === 'rollout') return 'a token that the engine did not sample';
  return role === BATCH_ROLE.prompt && rolesFrom === 'masks'
    ? 'a token of the prompt or the template'
    : `a token of the ${BATCH_ROLES[role]}`;
}

function lookedOr(tally: Tally, weight: Float64Array | undefined, hasRoles: boolean): void {
  if (weight === undefined) tally.lacks(WEIGHTS);
  else if (!hasRoles) tally.lacks(ROLES);
  else tally.looked();
}

const firstTrained = ({ trajectory }: AuditLook): number | null => {
  const token = trajectory.columns.weight?.findIndex((value) => value !== 0 && !Number.isNaN(value)) ?? -1;
  return token === -1 ? null : token;
};
