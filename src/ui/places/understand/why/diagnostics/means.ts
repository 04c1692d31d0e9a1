/** One arm's numbers of a diagnosis: those of one seed, or their means over the seeds where they are defined. */
import { ROLES } from '../../../../../foundation/roles';
import { type Diagnosis, type MemberDiagnosis, readMember } from '../../../../../rl/look/diagnosis/table';

/** A seed's index, or all of them. */
export type SeedChoice = number | 'mean';

export function armDiagnosis(diagnosis: Diagnosis, arm: number, seeds: number, seed: SeedChoice): MemberDiagnosis {
  const chosen = seed === 'mean' ? Array.from({ length: seeds }, (_, index) => index) : [seed];
  const members = chosen.map((index) => readMember(diagnosis, arm * seeds + index));
  return {
    slices: diagnosis.slices.map((_, i) => meanOf(members.map(({ slices }) => slices[i]))),
    layers: diagnosis.layers.map((_, i) => meanOf(members.map(({ layers }) => layers[i]))),
    roles: ROLES.map((_, i) => meanOf(members.map(({ roles }) => roles[i]))),
  };
}

function meanOf<N extends string>(rows: readonly (Readonly<Record<N, number>> | undefined)[]): Record<N, number> {
  const names = Object.keys(rows[0] ?? {}) as N[];
  const mean = (name: N): number => {
    const values = rows.map((row) => row?.[name] ?? Number.NaN).filter((value) => !Number.isNaN(value));
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  return Object.fromEntries(names.map((name) => [name, mean(name)])) as Record<N, number>;
}
