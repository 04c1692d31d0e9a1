/** Report on the recorded runs, for findings/fair/result.json. A contest, row or stage with a run missing is left out. */
import { findEnvironment } from '../../environments/registry';
import type {
  Contest,
  Difference,
  Entrant,
  Explained,
  FairGround,
  MapCell,
  MapRow,
  Prediction,
  StartContrast,
  Verdict,
} from '../../experiment/fairGround';
import { meanOf } from '../../experiment/statistics';
import { experimentOf, type Kept, type Ledger, linkOf, type Outcome, type Wanted } from '../findings/ledger';
import { holm, paired, permutationTest, welch, welchTest } from '../findings/statistics';
import { contest, ENTRANTS, type EntrantId } from './contest';
import type { Setting } from './design';
import { explored } from './explore';
import { MAP_SCALES, mapRuns, PLACES } from './map';
import { picksOf, Search, settingsOf, type Tried, type Tuned } from './search';
import { type WHY_ARMS, WHY_SCALES, whyRuns } from './why';
import { WIDE_SCALES, widePicked, widePreset } from './wide';
import { WORLDS, type World, worldOf } from './worlds';

const LEAST_DIFFERENCE = 0.05;

export async function report(ledger: Ledger): Promise<FairGround> {
  const contests: Omit<Contest, 'corrected' | 'verdict'>[] = [];
  for (const world of WORLDS) {
    const picks = await picksOf(world, ledger);
    if (picks === null) continue;
    const found = await contestOf(world, picks, ledger);
    if (found !== null) contests.push(found);
  }
  // A world that is not recorded yet counts with p = 1.
  const corrected = holm(WORLDS.map((_, i) => contests[i]?.p ?? 1));
  const [map, wide, found, why] = [
    await mapOf(ledger),
    await wideOf(ledger),
    await cellsOf(['preset-fan-in'], explored(), ledger),
    await whyOf(ledger),
  ];
  return {
    // Complete only here, after all files have been read.
    runs: ledger.different,
    device: ledger.devices.join(', '),
    planned: { worlds: WORLDS.length, cells: PLACES.length * MAP_SCALES.length },
    contests: contests.map((one, i) => ({
      ...one,
      corrected: corrected[i] as number,
      verdict: verdictOf(one.difference, corrected[i] as number),
    })),
    map,
    survivors: survivors(map),
    wide,
    explored: found ?? [],
    why,
  };
}

function verdictOf({ mean, low, high }: Difference, p: number): Verdict {
  if (p < 0.05 && mean >= LEAST_DIFFERENCE) return 'helps';
  if (p < 0.05 && mean <= -LEAST_DIFFERENCE) return 'harms';
  return low > -LEAST_DIFFERENCE && high < LEAST_DIFFERENCE ? 'alike' : 'undecided';
}

/** Outcomes of a run's seeds, in order; null while one is missing. */
async function outcomesOf(wanted: Wanted, ledger: Ledger): Promise<Outcome[] | null> {
  const { seeds }: Kept = await ledger.read(wanted);
  const outcomes = wanted.seeds.map((seed) => seeds[seed]);
  return outcomes.includes(undefined) ? null : (outcomes as Outcome[]);
}

const areas = (outcomes: readonly Outcome[]): number[] => outcomes.map(({ area }) => area);

async function contestOf(
  world: World,
  picks: Record<Tuned, Tried>,
  ledger: Ledger,
): Promise<Omit<Contest, 'corrected' | 'verdict'> | null> {
  const entrants: Partial<Record<EntrantId, Entrant>> = {};
  const settings = settingsOf(picks);
  for (const wanted of contest(world, settings)) {
    const outcomes = await outcomesOf(wanted, ledger);
    if (outcomes === null) return null;
    const id = wanted.name.split('/').at(-1) as EntrantId;
    entrants[id] = {
      setting: inWords(settings[ENTRANTS[id].setting], ENTRANTS[id].arm !== 'action-mask'),
      link: linkOf(wanted.fields),
      area: areas(outcomes),
      final: outcomes.map(({ final }) => final),
      heldOut: outcomes.map(({ heldOut }) => heldOut),
      toolOff: outcomes.map(({ toolOff }) => toolOff),
    };
  }
  const all = entrants as Record<EntrantId, Entrant>;
  const of = (id: EntrantId): readonly number[] => all[id].area;
  return {
    world: world.id,
    entrants: all,
    tried: {
      'action-mask': await new Search(world, 'action-mask', ledger).counts(),
      'world-model': await new Search(world, 'world-model', ledger).counts(),
    },
    random: randomSuccess(world),
    inSearch: { 'action-mask': short(picks['action-mask'].mean), 'world-model': short(picks['world-model'].mean) },
    difference: welch(of('action-mask'), of('world-model')),
    paired: paired(of('action-mask'), of('world-model')),
    p: Number(permutationTest(of('action-mask'), of('world-model')).toPrecision(3)),
    heldOut: endDifference('heldOut', all['action-mask'], all['world-model']),
    toolOff: endDifference('toolOff', all['action-mask'], all['world-model']),
    end: welch(all['action-mask'].final, all['world-model'].final),
    overPlacebo: welch(of('placebo'), of('world-model')),
    overMaskAlike: welch(of('mask-as-world-model'), of('world-model')),
    placeboOverMask: welch(of('mask-as-world-model'), of('placebo')),
    atMask: paired(of('action-mask'), of('world-model-as-mask')),
    atMaskSeeds: of('world-model-as-mask').length,
  };
}

/** Success of a random policy in a world, as a share. */
function randomSuccess({ fields }: World): number | null {
  const { id, settings } = experimentOf(fields).environment;
  const share = findEnvironment(id)?.create(settings).randomSuccess ?? null;
  return share === null ? null : short(share, 5);
}

function endDifference(measure: 'heldOut' | 'toolOff', mask: Entrant, model: Entrant): Difference | null {
  const [first = [], second = []] = [mask, model].map((one) => one[measure].filter((value) => value !== null));
  return first.length < 2 || second.length < 2 ? null : welch(first, second);
}

const INITIALISATION = {
  'normal-0.02': 'normal 0.02',
  'normal-0.05': 'normal 0.05',
  'fan-in': 'fan-in',
  'gpt-2': 'GPT-2',
} as const;

function inWords(
  { initialisation, learningRate, warmUp, entropy, innerEpochs, batch, lambda }: Setting,
  predicts: boolean,
): string {
  const parts = [
    INITIALISATION[initialisation],
    `learning rate ${learningRate}${warmUp > 0 ? ' with warm-up' : ''}`,
    `entropy bonus ${entropy}`,
    `${innerEpochs} inner epoch${innerEpochs === 1 ? '' : 's'}`,
    batch === 1 ? 'the preset’s batch' : batch > 1 ? 'twice its batch' : 'half its batch',
    ...(predicts ? [`λ ${lambda}`] : []),
  ];
  return parts.join(', ');
}

async function mapOf(ledger: Ledger): Promise<MapRow[]> {
  const rows: MapRow[] = [];
  for (const place of PLACES) {
    const cells = await cellsOf(MAP_SCALES, mapRuns(place), ledger);
    if (cells !== null) rows.push({ place: place.id, world: place.world, axis: place.axis, cells });
  }
  return rows;
}

/** Number of the map's cells whose p stays below 5% when all planned cells are corrected for; a missing one has p = 1. */
function survivors(map: readonly MapRow[]): number {
  const ps = map.flatMap(({ cells }) => cells.map(({ mask, model }) => welchTest(mask, model)));
  const missing = Array<number>(PLACES.length * MAP_SCALES.length - ps.length).fill(1);
  return holm([...ps, ...missing]).filter((p) => p < 0.05).length;
}

async function wideOf(ledger: Ledger): Promise<MapCell[]> {
  const picks = await picksOf(worldOf('gridworld'), ledger);
  const found = [
    picks === null ? null : await cellsOf(['picked'], widePicked(settingsOf(picks)), ledger),
    await cellsOf(WIDE_SCALES, widePreset(), ledger),
  ];
  return found.flatMap((cells) => cells ?? []);
}

/** Cells, one a scale. `runs`: for each scale the mask's, then the world model's. Null while a seed is missing. */
async function cellsOf(scales: readonly string[], runs: readonly Wanted[], ledger: Ledger): Promise<MapCell[] | null> {
  const outcomes = await Promise.all(runs.map((wanted) => outcomesOf(wanted, ledger)));
  if (outcomes.includes(null)) return null;
  const [found, links] = [outcomes.map((own) => areas(own ?? [])), runs.map(({ fields }) => linkOf(fields))];
  return scales.map((scale, i) => {
    const [mask = [], model = []] = found.slice(2 * i, 2 * i + 2);
    return {
      scale,
      gap: welch(mask, model),
      paired: paired(mask, model),
      mask,
      model,
      links: links.slice(2 * i, 2 * i + 2),
    };
  });
}

async function whyOf(ledger: Ledger): Promise<FairGround['why']> {
  const arms: Explained[] = [];
  for (const wanted of whyRuns()) {
    const outcomes = await outcomesOf(wanted, ledger);
    if (outcomes === null) return null;
    const file = wanted.name.split('/').at(-1) as string;
    const scale = WHY_SCALES.find((one) => file.endsWith(one)) as string;
    const probes = outcomes.map((outcome) => outcome.probes ?? []);
    const updates = (probes[0] ?? []).map(({ update }) => update);
    const over = (read: (probe: NonNullable<Outcome['probes']>[number]) => number | undefined): number[] =>
      updates.map((_, at) =>
        short(meanOf(probes.flatMap((own) => read(own[at] as (typeof own)[number]) ?? [])) ?? Number.NaN),
      );
    arms.push({
      arm: file.slice(0, -scale.length - 1),
      scale,
      area: areas(outcomes),
      heldOut: outcomes.map(({ heldOut }) => heldOut),
      updates,
      rank: over(({ rank }) => rank.at(-1)),
      cell: over(({ answer }) => answer.at(-1)),
      foreseen: over(({ action }) => action.at(-1)),
    });
  }
  return { arms, predictions: judge(arms, await successOf(ledger)), start: startOf(arms) };
}

const short = (value: number, digits = 3): number => Number(value.toFixed(digits));

/** Gap at the small and at the ordinary scale. Both have the same seeds, so their difference is taken seed by seed too. */
function startOf(arms: readonly Explained[]): StartContrast {
  const of = (arm: keyof typeof WHY_ARMS, scale: string): readonly number[] =>
    arms.find((one) => one.arm === arm && one.scale === scale)?.area ?? [];
  const gaps = WHY_SCALES.map((scale) => {
    const mask = of('mask', scale);
    return of('world-model', scale).map((area, seed) => area - (mask[seed] as number));
  });
  const [small = [], ordinary = []] = gaps;
  const none = small.map(() => 0);
  return { small: paired(none, small), ordinary: paired(none, ordinary), contrast: paired(small, ordinary) };
}

/** Success of the world model at the small scale, in each twentieth of the run: mean over seeds. */
async function successOf(ledger: Ledger): Promise<number[]> {
  const wanted = whyRuns().find(({ name }) => name === `why/world-model-${WHY_SCALES[0]}`) as Wanted;
  const outcomes = (await outcomesOf(wanted, ledger)) as Outcome[];
  return (outcomes[0]?.success ?? []).map(
    (_, at) => meanOf(outcomes.map(({ success }) => success[at] ?? Number.NaN)) ?? Number.NaN,
  );
}

function judge(arms: readonly Explained[], modelSuccess: readonly number[]): Prediction[] {
  const [small, ordinary] = WHY_SCALES;
  const of = (arm: keyof typeof WHY_ARMS, scale: string): Explained =>
    arms.find((one) => one.arm === arm && one.scale === scale) as Explained;
  const area = (arm: keyof typeof WHY_ARMS): number => meanOf(of(arm, small).area) as number;
  const [first, second] = [of('mask', small).rank[0] as number, of('mask', ordinary).rank[0] as number];
  // Share of the run before the world model's success passes 0.2, in steps of a twentieth.
  const { updates } = of('world-model', small);
  const below = modelSuccess.findIndex((success) => success > 0.2);
  const before = (below < 0 ? modelSuccess.length : below) / modelSuccess.length;
  const early = updates.filter((update) => update <= before * worldOf('gridworld').updates);
  const last = Math.max(updates[0] ?? 0, ...early);
  const at = updates.indexOf(last);
  const [modelRank, maskRank] = [of('world-model', small).rank[at] as number, of('mask', small).rank[at] as number];
  const gain = area('world-model') - area('mask');
  const share = (arm: keyof typeof WHY_ARMS): number => short((area(arm) - area('mask')) / gain);
  const [seen, acted] = [share('mask-after-observations'), share('mask-after-actions')];
  return [
    {
      text: 'At the first update the last layer holds the states in fewer directions at the small scale.',
      held: first < second,
      numbers: { small: first, 'fan-in': second },
    },
    {
      text: 'At the small scale the world model’s rank is above the mask’s before its success passes 0.2.',
      held: modelRank > maskRank,
      numbers: { update: last, 'world model': modelRank, mask: maskRank },
    },
    {
      text: 'At the small scale, having predicted a random walker’s observations beforehand gives the mask at least half of the world model’s gain, having imitated its actions less than half.',
      held: gain > 0 && seen >= 0.5 && acted < 0.5,
      numbers: {
        'gain of the world model': short(gain),
        'share after observations': seen,
        'share after actions': acted,
      },
    },
  ];
}
