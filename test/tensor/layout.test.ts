/** The numbers that TypeScript and kernels share: no two names in one column, no column outside its table. */
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/experiment/settings/tables';
import { ROLE, ROLES } from '../../src/foundation/roles';
import { TERM, TERM_COLUMNS } from '../../src/tensor/columns';
import {
  HYPER,
  HYPER_COLUMNS,
  MAX_LEGAL_SETS,
  MAX_SEQUENCES,
  metaLegalSet,
  metaRole,
  metaSequence,
  packMeta,
} from '../../src/tensor/layout';

describe('Hyperparameter columns', () => {
  test('are all different, and in the table', () => {
    const { policyGradient, crossEntropy, ...single } = HYPER;
    const perRole = [policyGradient, crossEntropy].flatMap((column) => ROLES.map((role) => column + ROLE[role]));
    const columns = [...Object.values(single), ...perRole];
    expect(new Set(columns).size).toBe(columns.length);
    expect(columns.filter((column) => !(column >= 0 && column < HYPER_COLUMNS))).toEqual([]);
  });

  test('of as many members as an experiment may have fit into the uniform binding that every GPU allows', () => {
    expect(4 * HYPER_COLUMNS * LIMITS.members).toBeLessThanOrEqual(65_536);
    expect(LIMITS.trajectories).toBeLessThanOrEqual(MAX_SEQUENCES);
  });
});

describe('Term columns', () => {
  test('are all different, and in the table, whose rows can be read four columns at a time', () => {
    const columns = Object.values(TERM);
    expect(new Set(columns).size).toBe(columns.length);
    expect(columns.filter((column) => !(column >= 0 && column < TERM_COLUMNS))).toEqual([]);
    expect(TERM_COLUMNS % 4).toBe(0);
  });
});

describe('A row’s meta', () => {
  test.each([
    [0, 0, 0],
    [ROLE.warning, MAX_LEGAL_SETS - 1, MAX_SEQUENCES - 1],
    [ROLE.action, 1, 12_345],
    [15, 128, 1 << 19],
  ])('keeps role %i, legal set %i and sequence %i apart', (role, legalSet, sequence) => {
    const meta = packMeta(role, legalSet, sequence);
    expect(meta).toBeGreaterThanOrEqual(0);
    expect([metaRole(meta), metaLegalSet(meta), metaSequence(meta)]).toEqual([role, legalSet, sequence]);
  });

  test('numbers the roles in their order', () => {
    expect(ROLES.map((role) => ROLE[role])).toEqual([0, 1, 2, 3, 4]);
  });
});
