/** An element of a case's tensor in words: its column, its token, and what is particular to its member. */
import { ROLES } from '../../foundation/roles';
import { CHOICES, HYPER, HYPER_COLUMNS } from '../../hyperparameters/columns';
import { GROUP, GROUP_COLUMNS, OUTCOME_COLUMNS, TERM, TERM_COLUMNS } from '../../tensor/columns';
import { metaRole, metaSequence, ROW_FIELDS } from '../../tensor/layout';
import { SEGMENT_COLUMNS } from '../../tensor/operations/policyObjective';
import type { ParityCase } from './case';

interface Table {
  readonly width: number;
  readonly names: readonly (string | undefined)[];
}

const namesIn = (columns: Readonly<Record<string, number>>): readonly (string | undefined)[] =>
  Object.entries(columns).reduce<(string | undefined)[]>((names, [name, column]) => {
    names[column] = name;
    return names;
  }, []);

const HYPER_NAMES = namesIn(HYPER);

/** Tensors whose columns have names. */
const TABLES: Readonly<Record<string, Table>> = {
  terms: { width: TERM_COLUMNS, names: namesIn(TERM) },
  groupTable: { width: GROUP_COLUMNS, names: namesIn(GROUP) },
  segments: {
    width: SEGMENT_COLUMNS,
    names: ['log-ratio', 'old − behaviour log-prob', 'gradient through the ratio', 'selection'],
  },
};

/** Words such as `klOld, action token 7 of trajectory 2, surrogate dro, ratioPenalty 0.5`; unknown parts are left out. */
export function placeInWords(parityCase: ParityCase, tensor: string, member: number, element: number): string {
  const table = TABLES[tensor];
  const column = table?.names[element % table.width];
  const token = tokenInWords(parityCase, tensor, member, element);
  const words = [column, token, memberInWords(parityCase, member)];
  return words.filter((part) => part !== undefined && part !== '').join(', ');
}

/** The settings in which a member differs from most of its case. */
function memberInWords({ tensors: { hyper }, members }: ParityCase, member: number): string {
  if (hyper === undefined || hyper.members !== members) return '';
  const settings = Array.from({ length: HYPER_COLUMNS }, (_, column) => {
    const values = Array.from({ length: members }, (_, p) => hyper.data[p * HYPER_COLUMNS + column]);
    const times = (value: number): number => values.filter((one) => one === value).length;
    const usual = values.reduce((most, one) => (times(one) > times(most) ? one : most));
    return values[member] === usual ? '' : settingInWords(column, values[member]);
  });
  return settings.filter((words) => words !== '').join(', ');
}

function settingInWords(column: number, value: number): string {
  const first = HYPER_NAMES.findLastIndex((name, at) => at <= column && name !== undefined);
  const name = HYPER_NAMES[first] as keyof typeof HYPER;
  const choices: readonly string[] | undefined = CHOICES[name as keyof typeof CHOICES];
  const place = column === first ? '' : ` ${ROLES[column - first] ?? column - first}`;
  return `${name}${place} ${choices?.[value] ?? Number(value.toPrecision(6))}`;
}

/** Token at an element, in words: of packed rows, whose table says which, or of a dense batch. */
function tokenInWords(parityCase: ParityCase, tensor: string, member: number, element: number): string {
  const { tensors, members } = parityCase;
  const { 'rows.table': rows, 'batch.roles': roles, 'batch.outcomes': outcomes } = tensors;
  const stride = tensors[tensor].data.length / members;
  if (rows?.members === members) {
    const capacity = rows.data.length / members / ROW_FIELDS;
    if (stride % capacity !== 0) return '';
    const row = Math.floor(element / (stride / capacity));
    const [position, , meta] = rows.data.subarray((member * capacity + row) * ROW_FIELDS + 1);
    return `${ROLES[metaRole(meta)] ?? 'first'} token ${position} of trajectory ${metaSequence(meta)}`;
  }
  if (roles === undefined || outcomes === undefined || stride * members !== roles.data.length) return '';
  const context = (OUTCOME_COLUMNS * roles.data.length) / outcomes.data.length;
  const role = ROLES[roles.data[member * stride + element]] ?? 'no';
  return `${role} token ${element % context} of trajectory ${Math.floor(element / context)}`;
}
