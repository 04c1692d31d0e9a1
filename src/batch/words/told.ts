/** All that a batch is told by, as the data of `--json`. */
import type { AuditReport, RuleId, RuleReport } from '../audit/report';
import { type BatchReading, COMPUTED, FACT_NAMES, type LineProblem } from '../read';
import type { RoleSums } from '../summary';
import { FORMS, type FormId, ROLES_FROM } from '../trajectory';
import type { WhatIf } from '../whatIf/whatIf';

export interface ToldForm {
  readonly form: FormId;
  readonly name: string;
  readonly trajectories: number;
  /** Fields that were understood, with the number of trajectories that have them. */
  readonly fields: Readonly<Record<string, number>>;
  /** Source of the roles of tokens. */
  readonly rolesFrom: Readonly<Record<string, number>>;
  readonly found: readonly string[];
  readonly missing: readonly string[];
}

export interface BatchSummary {
  readonly files: readonly string[];
  readonly trajectories: number;
  readonly tokens: number;
  readonly forms: readonly ToldForm[];
  readonly problemCount: number;
  readonly problems: readonly LineProblem[];
  readonly roles: readonly RoleSums[];
  readonly rules: readonly RuleReport[];
  /** Rules of --fail-on that found something or could not look. */
  readonly failed: readonly RuleId[];
  /** Outcome of another loss; null where none was asked for. */
  readonly whatIf: WhatIf | null;
}

export function told(
  files: readonly string[],
  reading: BatchReading,
  roles: readonly RoleSums[],
  audit: AuditReport,
  failing: readonly RuleId[],
  whatIf: WhatIf | null = null,
): BatchSummary {
  const isFailed = ({ rule, state }: RuleReport): boolean => failing.includes(rule) && state !== 'clean';
  return {
    files,
    trajectories: audit.trajectories,
    tokens: audit.tokens,
    forms: [...reading.forms].map(([form, { trajectories, facts, fields, rolesFrom }]) => ({
      ...{ form, name: FORMS[form], trajectories, fields: Object.fromEntries(fields) },
      rolesFrom: Object.fromEntries([...rolesFrom].map(([from, count]) => [ROLES_FROM[from], count])),
      found: [
        ...FACT_NAMES.filter((name) => facts.has(name)).map((name) => partly(name, facts.get(name) ?? 0, trajectories)),
        ...COMPUTED.filter((name) => fields.has(name)),
      ],
      missing: FACT_NAMES.filter((name) => !facts.has(name)),
    })),
    problemCount: reading.problemCount,
    problems: reading.problems,
    roles,
    rules: audit.rules,
    failed: audit.rules.filter(isFailed).map(({ rule }) => rule),
    whatIf,
  };
}

const partly = (name: string, count: number, all: number): string => (count === all ? name : `${name} (of ${count})`);
