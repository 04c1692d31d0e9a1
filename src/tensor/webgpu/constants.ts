/**
 * Text of `constants.wgsl`, which is no file: the WGSL constants that shaders share with TypeScript. They are roles,
 * columns of tables, and choices of hyperparameters: `clipLow` is HYPER_CLIP_LOW there, and the choice `none` of
 * `advantageScale` is ADVANTAGE_SCALE_NONE.
 */
import { DRAWN, ROLE, ROLES } from '../../foundation/roles';
import { CHOICES } from '../../hyperparameters/columns';
import { DIVERGENCES } from '../../hyperparameters/distillation';
import { EXPONENT } from '../../hyperparameters/exponents';
import { GROUP, GROUP_COLUMNS, NO_ROLE, OUTCOME, OUTCOME_COLUMNS, REWARD_PARTS, TERM, TERM_COLUMNS } from '../columns';
import { GRADIENT_CHUNK, HYPER, HYPER_COLUMNS } from '../layout';
import { TURN_PATH, TURN_PATH_COLUMNS } from '../operations/advantage';

/** Id in camel case: dppo-tv → dppoTv. */
export const camel = (id: string): string => id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** policyGradient → POLICY_GRADIENT, within-20 → WITHIN_20. */
export const shouted = (name: string): string => name.replace(/[A-Z]/g, '_$&').replaceAll('-', '_').toUpperCase();

const prefixed = (prefix: string, table: Readonly<Record<string, number>>): [string, number][] =>
  Object.entries(table).map(([name, value]) => [`${prefix}_${shouted(name)}`, value]);

/** The constants of a hyperparameter's choices, in their order: ADVANTAGE_SCALE_NONE is one of `advantageScale`. */
export const CHOICE_CONSTANTS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(CHOICES).map(([name, list]) => [name, list.map((choice) => `${shouted(name)}_${shouted(choice)}`)]),
);

const constants: readonly (readonly [name: string, value: number])[] = [
  ...prefixed('ROLE', ROLE),
  ['ROLES', ROLES.length],
  ...prefixed('HYPER', HYPER),
  ...prefixed('OUTCOME', OUTCOME),
  ...prefixed('GROUP', GROUP),
  ...prefixed('TERM', TERM),
  ...prefixed('TURN_PATH', TURN_PATH),
  ...[...CHOICE_CONSTANTS.values()].flatMap((list) => list.map((name, at) => [name, at] as const)),
  ...DIVERGENCES.map((name, at) => [`DIVERGENCE_${shouted(name)}`, at] as const),
  ...Object.entries({
    HYPER_COLUMNS,
    OUTCOME_COLUMNS,
    GROUP_COLUMNS,
    TERM_COLUMNS,
    TURN_PATH_COLUMNS,
    REWARD_PARTS,
    NO_ROLE,
  }),
  ['GRADIENT_CHUNK', GRADIENT_CHUNK],
];

export const CONSTANTS = [
  '// Constants shared with TypeScript; made by src/tensor/webgpu/constants.ts.',
  ...constants.map(([name, value]) => `const ${name} = ${value}u;`),
  ...prefixed('EXPONENT', EXPONENT).map(([name, value]) => `const ${name} = ${value}.0;`),
  `fn isDrawn(role: u32) -> bool { return ${DRAWN.map((role) => `role == ROLE_${shouted(role)}`).join(' || ')}; }`,
  '',
].join('\n');
