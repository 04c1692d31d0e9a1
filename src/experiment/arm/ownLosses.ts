/**
 * Users' losses: formulas (src/formula) that take the place of an arm's policy loss or prediction loss, or are added
 * beside them. Their parts have paths like settings, `loss.NAME.text`, so that timeline, links and files name them alike:
 *   text        the formula; '' takes the loss away
 *   place       the lab's loss that it replaces, or 'added'
 *   on.ROLE     weight of an added loss on the tokens of a role
 *   PARAM       value of one of the text's parameters
 */
import * as v from 'valibot';
import { compile, type Formula } from '../../formula/compile';
import { FORMULA_LIMITS } from '../../formula/limits';
import { ROLES, type Role, type RoleWeights } from '../../foundation/roles';
import { weightOn } from '../../hyperparameters/weights';
import type { SettingValue } from '../settings/setting';

export const LOSS_PLACES = ['policy', 'predict', 'added'] as const;
export type LossPlace = (typeof LOSS_PLACES)[number];

export const OWN_LOSS_LIMITS = {
  /** Losses of one arm. */
  losses: 4,
  /** Different texts of all arms in one update: each is a pipeline. */
  texts: 8,
  /** Shown values of one arm, in all its losses together: as many curves. */
  shown: FORMULA_LIMITS.shown,
  /** Largest magnitude of a role's weight. */
  weight: 100,
} as const;

const NAME = /^[a-z0-9-]{1,32}$/;
const NAME_MESSAGE = 'A loss’s name must be 1 to 32 lower-case letters, digits and hyphens.';

const finite = v.pipe(
  v.number(),
  v.finite(),
  v.transform((value) => (value === 0 ? 0 : value)),
);
const weight = v.optional(v.pipe(finite, v.minValue(-OWN_LOSS_LIMITS.weight), v.maxValue(OWN_LOSS_LIMITS.weight)), 0);

const OwnLossSchema = v.strictObject({
  name: v.pipe(v.string(), v.regex(NAME, NAME_MESSAGE)),
  text: v.pipe(v.string(), v.maxLength(FORMULA_LIMITS.characters, 'A formula may have at most 4096 characters.')),
  place: v.optional(v.picklist(LOSS_PLACES), 'policy'),
  /** Weights by role of an added loss; the others take the weights of the loss they replace. */
  on: v.optional(
    v.strictObject({ prompt: weight, action: weight, observation: weight, warning: weight, thought: weight }),
    {},
  ),
  /** Values by the names of the text's parameters; one left out has the text's default. */
  values: v.optional(v.record(v.pipe(v.string(), v.maxLength(64)), finite), {}),
});

export type OwnLoss = v.InferOutput<typeof OwnLossSchema>;

/** Losses in the order in which they were made. */
export const OwnLossesSchema = v.optional(
  v.pipe(
    v.array(OwnLossSchema),
    v.maxLength(OWN_LOSS_LIMITS.losses, `An arm may have at most ${OWN_LOSS_LIMITS.losses} losses of its own.`),
  ),
  [],
);

type Losses = readonly OwnLoss[];

/** Loss and part that a path names; any name that is no fixed part is a parameter. */
export interface LossPath {
  readonly name: string;
  readonly part:
    | { readonly kind: 'text' }
    | { readonly kind: 'place' }
    | { readonly kind: 'on'; readonly role: Role }
    | { readonly kind: 'value'; readonly parameter: string };
}

/** The user's loss that takes the place of one of the arm's. */
export const standingFor = ({ losses }: { readonly losses: Losses }, place: LossPlace): OwnLoss | undefined =>
  losses.find((loss) => loss.place === place);

/** Weight of a user's loss on the tokens of a role, in an arm with these tables. */
export const weightIn = (
  { pg, ce }: { readonly pg: RoleWeights; readonly ce: RoleWeights },
  { place, on }: Pick<OwnLoss, 'place' | 'on'>,
  role: Role,
): number => (place === 'added' ? on[role] : weightOn(place === 'policy' ? pg : ce, role));

/** Words of a path that a parameter cannot be called by. */
const FIXED = ['text', 'place', 'on'];

/** `loss.mine.text` and its like; null for any other path. */
export function lossPath(path: string): LossPath | null {
  const [head, name = '', key = '', role, ...rest] = path.split('.');
  if (head !== 'loss' || !NAME.test(name) || key === '' || rest.length > 0) return null;
  if (key === 'text' || key === 'place') return role === undefined ? { name, part: { kind: key } } : null;
  if (key !== 'on') return role === undefined ? { name, part: { kind: 'value', parameter: key } } : null;
  const known = ROLES.find((one) => one === role);
  return known === undefined ? null : { name, part: { kind: 'on', role: known } };
}

/**
 * The losses with one part changed. A text for a new name makes a loss, an empty text ends one; other parts of a loss that
 * is not there change nothing, as with a change of all arms of which some have it.
 */
export function withLossPart(losses: Losses, { name, part }: LossPath, value: SettingValue): Losses {
  const known = losses.find((loss) => loss.name === name);
  if (part.kind === 'text' && value === '') return losses.filter((loss) => loss !== known);
  if (known !== undefined) return losses.map((loss) => (loss === known ? changedPart(loss, part, value) : loss));
  if (part.kind !== 'text') return losses;
  return [...losses, { name, text: String(value), place: 'policy', on: NOWHERE, values: {} }];
}

/** No weight on any role. */
export const NOWHERE: OwnLoss['on'] = { prompt: 0, action: 0, observation: 0, warning: 0, thought: 0 };

function changedPart(loss: OwnLoss, part: LossPath['part'], value: SettingValue): OwnLoss {
  switch (part.kind) {
    case 'text':
      return withText(loss, String(value));
    case 'place':
      return { ...loss, place: value as LossPlace };
    case 'on':
      return { ...loss, on: { ...loss.on, [part.role]: Number(value) } };
    case 'value':
      return { ...loss, values: { ...loss.values, [part.parameter]: Number(value) } };
  }
}

/** Loss with another text. A value is kept if the new text has a parameter that accepts it. */
function withText(loss: OwnLoss, text: string): OwnLoss {
  const changed = { ...loss, text };
  try {
    const wrong = new Set(valueProblems(changed, formulaOf(text)).map(({ parameter }) => parameter));
    return { ...changed, values: Object.fromEntries(Object.entries(loss.values).filter(([name]) => !wrong.has(name))) };
  } catch {
    // lossProblems says what is wrong with the text.
    return changed;
  }
}

/** Parts of a loss as path and value, the text first: from them the loss can be made again. */
export function lossParts({ name, text, place, on, values }: OwnLoss): readonly (readonly [string, SettingValue])[] {
  const prefix = `loss.${name}.`;
  return [
    [`${prefix}text`, text],
    [`${prefix}place`, place],
    ...ROLES.map((role) => [`${prefix}on.${role}`, on[role]] as const),
    ...Object.entries(values).map(([parameter, value]) => [prefix + parameter, value] as const),
  ];
}

/** A part's value at a path; undefined where there is no such loss, or its text has no such value. */
export function lossPart(losses: Losses, path: LossPath): SettingValue | undefined {
  const loss = losses.find(({ name }) => name === path.name);
  if (loss === undefined) return undefined;
  const { part } = path;
  if (part.kind === 'on') return loss.on[part.role];
  return part.kind === 'value' ? loss.values[part.parameter] : loss[part.kind];
}

/** Compiled texts that were asked for last: a text is judged, shown and trained on many times. */
const compiled = new Map<string, Formula>();
const KEPT = 64;

/** Compiled text of a loss. Throws FormulaError. */
export function formulaOf(text: string): Formula {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const formula = compile(text);
  const oldest = compiled.keys().next().value;
  if (compiled.size >= KEPT && oldest !== undefined) compiled.delete(oldest);
  compiled.set(text, formula);
  return formula;
}

/** True if a value is of the kind that a part of a loss takes; its limits are checked with the text. */
export function fitsPart({ part }: LossPath, value: SettingValue): boolean {
  if (part.kind === 'text') return typeof value === 'string';
  if (part.kind === 'place') return (LOSS_PLACES as readonly SettingValue[]).includes(value);
  return typeof value === 'number';
}

/** Values of a loss's parameters, in the text's order. */
export function parameterValues({ text, values }: Pick<OwnLoss, 'text' | 'values'>): readonly number[] {
  return formulaOf(text).parameters.map(({ name, default: usual }) =>
    Object.hasOwn(values, name) ? (values[name] ?? usual) : usual,
  );
}

/** Values that a text has for some of its parameters. */
export function valuesOfText(text: string, names: readonly string[]): Record<string, number> {
  const parameters = formulaOf(text).parameters.filter(({ name }) => names.includes(name));
  return Object.fromEntries(parameters.map(({ name, default: usual }) => [name, usual]));
}

/** Problems of an arm's losses, each with the part it concerns. */
export function lossProblems(losses: Losses): readonly { readonly path: string; readonly message: string }[] {
  const problems: { path: string; message: string }[] = [];
  const report = (path: string, message: string): void => {
    problems.push({ path, message });
  };
  let shown = 0;
  for (const [index, loss] of losses.entries()) {
    const path = `loss.${loss.name}`;
    if (losses.findIndex(({ name }) => name === loss.name) !== index) report(path, 'Two losses have this name.');
    const sharesPlace = loss.place !== 'added' && losses.findIndex(({ place }) => place === loss.place) !== index;
    if (sharesPlace) report(`${path}.place`, `Two losses stand for the ${loss.place} loss; one of them can be added.`);
    try {
      const formula = formulaOf(loss.text);
      shown += formula.shown.length;
      for (const problem of valueProblems(loss, formula)) report(`${path}.${problem.parameter}`, problem.message);
    } catch (cause) {
      report(`${path}.text`, cause instanceof Error ? cause.message : String(cause));
    }
  }
  if (shown > OWN_LOSS_LIMITS.shown)
    report('loss', `The losses show ${shown} values, of at most ${OWN_LOSS_LIMITS.shown}.`);
  return problems;
}

function valueProblems({ values }: OwnLoss, { parameters }: Formula): { parameter: string; message: string }[] {
  const reserved = parameters.find(({ name }) => FIXED.includes(name));
  if (reserved !== undefined) {
    return [{ parameter: 'text', message: `A parameter cannot be called ${reserved.name}: paths use the word.` }];
  }
  return Object.entries(values).flatMap(([parameter, value]) => {
    const known = parameters.find(({ name }) => name === parameter);
    if (known === undefined) return [{ parameter, message: 'The formula has no such parameter.' }];
    const { min, max } = known;
    if (value >= min && value <= max) return [];
    return [{ parameter, message: `It must lie between ${min} and ${max}, not at ${value}.` }];
  });
}
