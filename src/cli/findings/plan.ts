/** Claims in findings/, and the runs that each asks for. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import {
  type Claim,
  ClaimSchema,
  type Conditions,
  ConditionsSchema,
  MEASURES,
  type MeasureId,
  rerunOf,
  rerunSeeds,
} from '../../experiment/findings/claim';
import { LabError } from '../../foundation/errors';
import type { MetricName } from '../../rl/measure/metrics';
import { fieldsOf, type Ledger, type LinkFields, type WantedRuns } from './ledger';
import { pickedFields, runsFor } from './search/picks';

export const FOLDER = 'findings';

export interface ClaimPlan {
  readonly name: string;
  readonly claim: Claim;
  readonly conditions: Conditions;
}

/** Metrics of measures, but for those that every run records in fields of its own. All are recorded: another claim may ask. */
const WATCHED = [...new Set(Object.values(MEASURES).map(({ metric }) => metric))].filter(
  (metric) => metric !== null && !['successRate', 'heldOutSuccess', 'toolOffSuccess'].includes(metric),
) as MetricName[];

/** Measure of a condition. */
export const measureOf = ({ claim, conditions }: ClaimPlan, id: string): MeasureId =>
  conditions.conditions[id]?.measure ?? claim.measure;

/** Folder, below findings/, of a plan's reruns. */
export const rerunFolderOf = ({ name, conditions }: ClaimPlan): string => conditions.reruns ?? name;

/** All claims, by name. A folder without experiment.json, which has runs alone, is none. */
export async function readPlans(folder = FOLDER): Promise<ClaimPlan[]> {
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const plans = await Promise.all(names.sort().map((name) => readPlan(folder, name)));
  return plans.filter((plan) => plan !== null);
}

async function readPlan(folder: string, name: string): Promise<ClaimPlan | null> {
  const [claim, experiment] = await Promise.all(
    ['claim', 'experiment'].map((file) => readFile(join(folder, name, `${file}.json`), 'utf8').catch(() => null)),
  );
  if (claim == null || experiment == null) return null;
  const read = <S extends v.GenericSchema>(schema: S, file: string, text: string): v.InferOutput<S> => {
    const { output, issues } = v.safeParse(schema, jsonOf(text, `findings/${name}/${file}.json`));
    if (issues === undefined) return output as v.InferOutput<S>;
    const [{ message, path }] = issues;
    const at = path?.map(({ key }) => String(key)).join('.') ?? '';
    throw new LabError('invalid-experiment', `findings/${name}/${file}.json: ${at} ${message}`, 'Mend the file.');
  };
  return checkPlan({
    name,
    claim: read(ClaimSchema, 'claim', claim),
    conditions: read(ConditionsSchema, 'experiment', experiment),
  });
}

function jsonOf(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new LabError('invalid-experiment', `${path} is not JSON.`, 'Mend the file.', { cause });
  }
}

function checkPlan(plan: ClaimPlan): ClaimPlan {
  const { name, claim, conditions } = plan;
  const refuse = (what: string): never => {
    throw new LabError('invalid-experiment', `findings/${name}: ${what}`, 'Mend claim.json or experiment.json.');
  };
  for (const { id, first, second } of claim.comparisons) {
    for (const one of [first, second]) {
      if (conditions.conditions[one] === undefined) refuse(`the comparison ${id} names no condition with “${one}”.`);
    }
  }
  for (const [id, { of }] of Object.entries(conditions.conditions)) {
    const whose = of === undefined ? undefined : conditions.conditions[of];
    if (of !== undefined && (whose === undefined || whose.of !== undefined))
      refuse(`“${id}” is of no condition with runs.`);
  }
  if (claim.refutes.length === 0 && claim.picture !== true) refuse('it does not say what would refute it.');
  for (const one of [claim.rerun.comparison, ...(claim.rerun.also ?? [])]) {
    if (!claim.comparisons.some(({ id }) => id === one)) refuse(`a rerun is of “${one}”, which is no comparison.`);
  }
  return plan;
}

/** Runs of the searches that pick settings of a plan's conditions, as far as they can be planned now. */
export async function searchesOf({ conditions }: ClaimPlan, ledger: Ledger): Promise<WantedRuns[]> {
  const picks = Object.values(conditions.conditions).flatMap(({ picked }) => picked ?? []);
  return (await Promise.all(picks.map((picked) => runsFor(picked, ledger)))).flat();
}

/**
 * Runs of a plan, by condition; null while a search that picks settings is not finished. `again`: the seed of a rerun, which has as
 * many seeds as the claim says and files of its own, for the conditions that it compares, in its order.
 */
export async function runsWantedBy(
  plan: ClaimPlan,
  ledger: Ledger,
  again?: number,
): Promise<Map<string, WantedRuns> | null> {
  const { name, claim, conditions } = plan;
  const ids = Object.keys(conditions.conditions);
  const compared = [...new Set(rerunOf(claim).flatMap(({ first, second }) => [first, second]))];
  const steers = ids.some((id) => measureOf(plan, id).startsWith('steered'));
  const runs = new Map<string, WantedRuns>();
  const count = again === undefined ? claim.seeds : rerunSeeds(claim, again);
  for (const id of again === undefined ? ids : compared) {
    // A condition with another's runs has that one's settings.
    const trained = conditions.conditions[id]?.of ?? id;
    const condition = conditions.conditions[trained] as Conditions['conditions'][string];
    const file = condition.recorded ?? `${conditions.runs ?? name}/runs/${trained}`;
    const fields = await fieldsFor(condition, conditions, ledger);
    if (fields === null) return null;
    runs.set(id, {
      name: again === undefined ? file : `${rerunFolderOf(plan)}/again-${again}/${trained}`,
      fields: again === undefined ? fields : { ...fields, seed: again },
      seeds: Array.from({ length: count }, (_, seed) => seed),
      ...(condition.arm !== undefined && { arm: condition.arm }),
      watch: WATCHED,
      ...(steers && { steers }),
    });
  }
  return runs;
}

/** Fields of a condition's link: a search's pick, those of runs that are recorded, or its own. */
async function fieldsFor(
  { picked, recorded: file, fields }: Conditions['conditions'][string],
  shared: Conditions,
  ledger: Ledger,
): Promise<LinkFields | null> {
  if (picked === undefined) return file === undefined ? { ...shared.fields, ...fields } : recordedFields(file, ledger);
  const fieldsOfPick = await pickedFields(picked, ledger);
  return fieldsOfPick === null ? null : { ...fieldsOfPick, ...shared.fields, ...fields };
}

async function recordedFields(file: string, ledger: Ledger): Promise<LinkFields> {
  const entry = await ledger.open(file);
  if (entry !== null) return fieldsOf(entry.link);
  throw new LabError(
    'invalid-experiment',
    `There are no runs in findings/${file}.json.`,
    'Name a file of recorded runs.',
  );
}
