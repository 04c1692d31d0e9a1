/**
 * Kept runs as a table: their experiment, the settings that differ among those in view, and those that a search finds.
 */
import { definitionFor } from '../../environments/registry';
import { type Arm, armSettings, type Experiment, experimentSettings, getArmSetting } from '../../experiment/experiment';
import { findObjective } from '../../experiment/objectives/objectivePresets';
import { checkExperiment } from '../../experiment/parse';
import { environmentSettings } from '../../experiment/settings/environmentSettings';
import { type PlacedSetting, readSetting, type SettingValue } from '../../experiment/settings/setting';
import { effectiveArms } from '../../experiment/timeline';
import { MOST_TAGS } from '../../storage/runRecord';
import type { KeptRun } from '../../storage/runs';

/** Value in a run; where changes acted in its course, all that it had, in their order. */
export type Value = SettingValue | readonly SettingValue[];

/** A setting as one run has it: one value, or one an arm where its arms differ. */
interface Held {
  readonly label: string;
  readonly values: readonly Value[];
  /** Default value; null for a setting of the world, which other worlds do not have. */
  readonly usual: SettingValue | null;
}

export interface RunFacts {
  readonly world: string;
  /** Objectives of its arms, each once. */
  readonly methods: readonly string[];
  readonly arms: readonly string[];
  /** Settings by path: all of its world, and of the others those that are not usual. */
  readonly held: ReadonlyMap<string, Held>;
}

/** Settings that have no part in the training. */
const UNTOLD: readonly string[] = ['title', 'preset'];

/** Facts of a run; null where the experiment cannot be read. */
export function factsOf(run: Pick<KeptRun, 'experiment' | 'updates'>): RunFacts | null {
  const { experiment } = checkExperiment(run.experiment);
  if (experiment === null) return null;
  const { arms, environment } = experiment;
  const definition = definitionFor(environment.id, environment.settings);
  return {
    world: definition?.title ?? environment.id,
    methods: [...new Set(arms.map(({ objective }) => findObjective(objective).title))],
    arms: arms.map(({ name }) => name),
    held: new Map([
      ...armValues(experiment, run.updates),
      ...ownLosses(experiment),
      ...sharedValues(experiment, run.updates),
      ...worldValues(experiment),
    ]),
  };
}

function* armValues(experiment: Experiment, updates: number): Generator<[string, Held]> {
  const course = courseOf(experiment, updates);
  for (const { path, label, default: usual } of armSettings) {
    const values = experiment.arms.map((_, arm): Value => {
      const had = course.map((arms) => getArmSetting(arms[arm] as Arm, path));
      const [first = usual, ...later] = had.filter((value, i) => i === 0 || value !== had[i - 1]);
      return later.length === 0 ? first : [first, ...later];
    });
    const isOne = new Set(values.map((value) => JSON.stringify(value))).size === 1;
    const distinct = isOne ? values.slice(0, 1) : values;
    if (distinct.some((value) => value !== usual)) yield [path, { label, values: distinct, usual }];
  }
}

/** Arms at the beginning, and after each update's changes that acted within the updates measured. */
function courseOf({ arms, timeline }: Experiment, updates: number): Arm[][] {
  const course = [[...arms]];
  const acted = timeline.filter(({ update }) => update < updates);
  for (const update of [...new Set(acted.map((change) => change.update))].sort((a, b) => a - b)) {
    const timeline = acted.filter((change) => change.update === update);
    course.push(effectiveArms({ arms: course.at(-1) as Arm[], timeline }, update));
  }
  // A change before the first update is how the run begins.
  return timeline.some(({ update }) => update <= 0) && course.length > 1 ? course.slice(1) : course;
}

/** Names of the losses of each arm's own. */
function ownLosses({ arms }: Experiment): [string, Held][] {
  const values = arms.map(({ losses }) => losses.map(({ name }) => name).join(', '));
  const isUsual = values.every((value) => value === '');
  return isUsual ? [] : [['losses', { label: 'Own losses', values, usual: '' }]];
}

function* sharedValues(experiment: Experiment, updates: number): Generator<[string, Held]> {
  for (const { path, label, default: usual } of experimentSettings) {
    const set = readSetting(experiment, path) ?? usual;
    const value = path === 'updates' && updates < experiment.updates ? `${updates} of ${set}` : set;
    if (value !== usual && !UNTOLD.includes(path)) yield [path, { label, values: [value], usual }];
  }
}

function* worldValues({ environment: { id, settings } }: Experiment): Generator<[string, Held]> {
  const definition = definitionFor(id, settings);
  const placed: readonly (PlacedSetting & { readonly key: string })[] =
    definition === undefined ? [] : environmentSettings(definition);
  for (const { key, path, label } of placed) {
    const value = settings[key];
    if (value !== undefined) yield [path, { label, values: [value], usual: null }];
  }
}

export interface DifferingSetting {
  readonly path: string;
  readonly label: string;
  /** One entry a run, in their order; null where the run has no such setting. */
  readonly values: readonly (readonly Value[] | null)[];
}

/** Settings in which runs differ, the arms' first. Runs that cannot be read differ in nothing. */
export function differingSettings(everyFact: readonly (RunFacts | null)[]): DifferingSetting[] {
  const known = new Map(everyFact.flatMap((facts) => [...(facts?.held ?? [])]));
  return Array.from(known, ([path, { label, usual }]) => ({
    path,
    label,
    values: everyFact.map((facts) =>
      facts === null ? null : (facts.held.get(path)?.values ?? (usual === null ? null : [usual])),
    ),
  })).filter(({ values }) => {
    const texts = values.filter((_, run) => everyFact[run] !== null).map((value) => JSON.stringify(value));
    return new Set(texts).size > 1;
  });
}

export interface RunFilter {
  /** Words that must all be in its name, note, tags, arms or world. */
  readonly text: string;
  /** World that is looked for; empty for any. */
  readonly world: string;
  readonly method: string;
  readonly tag: string;
  readonly isStarred: boolean;
}

export const ANY_RUN: RunFilter = { text: '', world: '', method: '', tag: '', isStarred: false };

export function isWanted(run: KeptRun, facts: RunFacts | null, filter: RunFilter): boolean {
  const { text, world, method, tag, isStarred } = filter;
  const said = [run.name, run.note, ...run.tags, ...(facts?.arms ?? []), facts?.world ?? ''].join('\n').toLowerCase();
  const words = text.toLowerCase().split(/\s+/);
  return (
    (!isStarred || run.starred) &&
    (world === '' || facts?.world === world) &&
    (method === '' || facts?.methods.includes(method) === true) &&
    (tag === '' || run.tags.includes(tag)) &&
    words.every((word) => said.includes(word))
  );
}

/** Choices of a filter: the values that some run has, in alphabetical order. */
export function choicesOf(runs: readonly KeptRun[], all: readonly (RunFacts | null)[]) {
  const sorted = (names: readonly string[]): string[] => [...new Set(names)].sort((a, b) => a.localeCompare(b, 'en'));
  return {
    worlds: sorted(all.flatMap((facts) => (facts === null ? [] : [facts.world]))),
    methods: sorted(all.flatMap((facts) => facts?.methods ?? [])),
    tags: sorted(runs.flatMap(({ tags }) => tags)),
  };
}

/** Tags as a person writes them, with commas between. */
export const tagsOf = (text: string): string[] =>
  [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '').slice(0, MOST_TAGS);

/** Facts by run, as last written: reading an experiment takes about a millisecond. */
const known = new Map<string, RunFacts | null>();

/** Facts of all runs, computed one a step; those that are known cost nothing. */
export function* factsOfAll(runs: readonly KeptRun[]): Generator<void, (RunFacts | null)[]> {
  const everyFact: (RunFacts | null)[] = [];
  for (const run of runs) {
    const key = `${run.id} ${run.date}`;
    const facts = known.get(key);
    if (facts === undefined) {
      known.set(key, factsOf(run));
      yield;
    }
    everyFact.push(known.get(key) ?? null);
  }
  return everyFact;
}
