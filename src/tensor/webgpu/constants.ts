/**
 * Text of `constants.wgsl`, which is no file: the WGSL constants that shaders share with TypeScript. They are roles,
 * columns of tables, bounds, and choices of hyperparameters: `clipLow` is HYPER_CLIP_LOW there, and the choice `none` of
 * `advantageScale` is ADVANTAGE_SCALE_NONE.
 */
import { GROUP_RANGE, GROUP_RANGE_COLUMNS, TOKEN, TRAJECTORY, TRAJECTORY_COLUMNS } from '../../formula/packing';
import { DRAWN, ROLE, ROLES } from '../../foundation/roles';
import { CHOICES } from '../../hyperparameters/columns';
import { DIVERGENCES } from '../../hyperparameters/distillation';
import { EXPONENT } from '../../hyperparameters/exponents';
import { BOUND } from '../bounds';
import { GROUP, GROUP_COLUMNS, NO_ROLE, OUTCOME, OUTCOME_COLUMNS, REWARD_PARTS, TERM, TERM_COLUMNS } from '../columns';
import { GRADIENT_CHUNK, HYPER, HYPER_COLUMNS } from '../layout';
import { ADVANTAGE_SCRATCH, TURN_PATH, TURN_PATH_COLUMNS } from '../operations/advantage';
import { TRAJECTORY_COUNTS } from '../operations/worldModel';

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
  ...prefixed('SCRATCH', ADVANTAGE_SCRATCH),
  ...prefixed('PACKED_TOKEN', TOKEN),
  ...prefixed('PACKED_TRAJECTORY', { ...TRAJECTORY, columns: TRAJECTORY_COLUMNS }),
  ...prefixed('PACKED_GROUP', { ...GROUP_RANGE, columns: GROUP_RANGE_COLUMNS }),
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
    TRAJECTORY_COUNTS,
    GRADIENT_CHUNK,
  }),
];

/** A number as WGSL reads one that is no integer. */
const decimal = (value: number): string => (Number.isInteger(value) ? value.toFixed(1) : String(value));

export const CONSTANTS = [
  '// Constants shared with TypeScript; made by src/tensor/webgpu/constants.ts.',
  ...constants.map(([name, value]) => `const ${name} = ${value}u;`),
  ...[...prefixed('EXPONENT', EXPONENT), ...prefixed('BOUND', BOUND)].map(
    ([name, value]) => `const ${name} = ${decimal(value)};`,
  ),
  `fn isDrawn(role: u32) -> bool { return ${DRAWN.map((role) => `role == ROLE_${shouted(role)}`).join(' || ')}; }`,
  '',
].join('\n');
