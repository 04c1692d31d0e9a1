/** The search on fair ground in sentences, each made from the recorded numbers: for the page, the README and the findings. */
import type { Contest, Difference, Entrant, FairGround, MapCell, MapRow, Verdict } from './fairGround';
import { meanOf } from './statistics';

const WORLD_NAMES: Readonly<Record<string, string>> = {
  gridworld: 'Gridworld',
  calculator: 'Calculator',
  shop: 'Web shop',
  terminal: 'Terminal',
};

export const SCALE_NAMES: Readonly<Record<string, string>> = {
  'normal-0.02': '0.02',
  'normal-0.05': '0.05',
  'fan-in': 'fan-in',
  best: 'best of the search',
};

export const PLACE_NAMES: Readonly<Record<string, string>> = {
  'reward-28': 'Gridworld, a random policy succeeds in 28%',
  'reward-9': 'Gridworld, in 9%',
  'reward-2': 'Gridworld, in 2%',
  'reward-0.6': 'Gridworld, in 0.6%',
  slips: 'Gridworld, a third of the steps slip',
  noise: 'Gridworld, two noise tokens an observation',
  'hidden-walls': 'Gridworld, hidden walls, new in each task',
  permuted: 'Gridworld, controls permuted in each task',
  'shop-fixed': 'Web shop, one catalogue',
  'shop-fresh': 'Web shop, a new catalogue in each task',
};

export const worldName = (id: string): string => WORLD_NAMES[id] ?? id;

const decimal = (value: number): string => value.toFixed(2);
const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
const list = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** `+0.12 (95% interval +0.05 to +0.19)`. */
export function differenceInWords({ mean, low, high }: Difference): string {
  return `${signed(mean)} (95% interval ${signed(low)} to ${signed(high)})`;
}

/** Whether an interval leaves 0, and to which side. */
export function signOf({ low, high }: Difference): 1 | -1 | 0 {
  return low > 0 ? 1 : high < 0 ? -1 : 0;
}

const area = ({ entrants }: Contest, id: string): string => decimal(meanOf(entrants[id]?.area ?? []) ?? Number.NaN);

const SAYS: Readonly<Record<Verdict, string>> = {
  helps: 'predicting the world helps',
  harms: 'predicting the world harms',
  alike: 'it makes no difference worth naming',
  undecided: 'the seeds do not decide it',
};

/** One world's verdict with its numbers. */
export function verdictInWords(contest: Contest): string {
  const { world, difference, corrected, verdict } = contest;
  const seeds = contest.entrants['action-mask']?.area.length ?? 0;
  return (
    `${worldName(world)}: ${SAYS[verdict]}. Area under the success curve ${area(contest, 'world-model')} for the world model and ` +
    `${area(contest, 'action-mask')} for the action mask, each at its own best: ${differenceInWords(difference)}, ` +
    `${seeds} seeds each, p ${pInWords(corrected)}.`
  );
}

function pInWords(p: number): string {
  return p < 0.001 ? 'below 0.001' : `= ${p.toPrecision(2)}`;
}

/** What the verdicts come to, in one sentence. */
export function headline({ contests }: Pick<FairGround, 'contests'>): string {
  if (contests.length === 0) return 'No world has been decided yet.';
  const of = (verdict: Verdict): string[] =>
    contests.filter((one) => one.verdict === verdict).map(({ world }) => `the ${worldName(world).toLowerCase()}`);
  const parts = (['helps', 'harms', 'alike', 'undecided'] as const).flatMap((verdict) => {
    const worlds = of(verdict);
    return worlds.length === 0 ? [] : [`${SAYS[verdict]} in ${list(worlds)}`];
  });
  return `Given the same search for its settings, ${list(parts)}.`;
}

/** Success below which nothing is said to be known. */
const NOTHING = 0.05;

/** Whether what was learned holds on tasks never trained on, at each arm's best. */
export function heldOutInWords({ world, entrants, heldOut }: Contest): string {
  const ends = ['world-model', 'action-mask'].map((id) => meanOf(entrants[id]?.heldOut ?? []));
  const [model = null, mask = null] = ends;
  if (heldOut === null || model === null || mask === null) return `${worldName(world)}: no tasks were held out.`;
  const told = `${Math.round(100 * model)}% for the world model and ${Math.round(100 * mask)}% for the mask`;
  if (model < NOTHING && mask < NOTHING) {
    return `${worldName(world)}, on tasks never trained on: ${told} at the end. Neither arm learns anything that carries over; what the area counts is the trained tasks alone.`;
  }
  const sign = signOf(heldOut);
  const says = sign > 0 ? 'the gain carries over' : sign < 0 ? 'the mask carries over better' : 'not told apart';
  return `${worldName(world)}, on tasks never trained on: ${told} at the end, ${differenceInWords(heldOut)}: ${says}.`;
}

/** With the mask's best start and settings for both, what λ alone adds. */
export function atMaskInWords(contest: Contest): string {
  const { world, atMask } = contest;
  return (
    `${worldName(world)}, both at the mask’s best settings: area ${area(contest, 'world-model-as-mask')} with prediction and ` +
    `${area(contest, 'action-mask')} without: ${differenceInWords(atMask)}.`
  );
}

/** What came of the first experiment when it was recorded: both arms at the mask's best settings. */
export function firstInWords(contest: Contest): string {
  const [mask, model] = ['action-mask', 'world-model-as-mask'].map((id) => contest.entrants[id]) as [Entrant, Entrant];
  const both = (of: (entrant: Entrant) => readonly (number | null)[]): string =>
    `${percent(of(model))} and ${percent(of(mask))}`;
  return (
    `Of all that a search tried, these settings were best for the action mask; only λ is added for the world model. ` +
    `On fresh seeds (${model.area.length} and ${mask.area.length}), world model and mask ended at ${both(({ final }) => final)} ` +
    `success, and at ${both(({ heldOut }) => heldOut)} on tasks never trained on; area under the curve ` +
    `${area(contest, 'world-model-as-mask')} and ${area(contest, 'action-mask')}, a difference of ${differenceInWords(contest.atMask)}.`
  );
}

const percent = (values: readonly (number | null)[]): string => `${Math.round(100 * (meanOf(values) ?? Number.NaN))}%`;

/** What at the world model's settings the placebo and the mask come to: whether the gain is knowledge of the world. */
export function dynamicsInWords(contest: Contest): string {
  const { world, overPlacebo, overMaskAlike } = contest;
  const sign = signOf(overPlacebo);
  const says =
    sign > 0
      ? 'so what it gains there is knowledge of the world and no mere regularisation'
      : sign < 0
        ? 'so shuffled answers do better than true ones'
        : 'so knowledge of the world is not told apart from mere regularisation';
  return (
    `${worldName(world)}, all at the world model’s settings: area ${area(contest, 'world-model')} for the world model, ` +
    `${area(contest, 'placebo')} for the placebo (the same loss on shuffled answers) and ${area(contest, 'mask-as-world-model')} ` +
    `for the mask. Over the placebo ${differenceInWords(overPlacebo)}, over the mask ${differenceInWords(overMaskAlike)}, ${says}.`
  );
}

export function cellInWords({ place }: MapRow, cell: MapCell): string {
  const [mask, model] = [cell.mask, cell.model].map((areas) => decimal(meanOf(areas) ?? Number.NaN));
  const scale = SCALE_NAMES[cell.scale] ?? cell.scale;
  return `${PLACE_NAMES[place] ?? place}; initial scale ${scale}: world model ${model}, action mask ${mask}, gap ${differenceInWords(cell.gap)}.`;
}

/** What the map shows, counted. */
export function mapInWords(map: readonly MapRow[]): string {
  const cells = map.flatMap(({ cells: own }) => own.map(({ gap }) => signOf(gap)));
  const count = (sign: number): number => cells.filter((one) => one === sign).length;
  return (
    `Of ${cells.length} cells with four seeds each, the world model is ahead in ${count(1)}, behind in ${count(-1)}, and in ` +
    `${count(0)} the interval holds 0.`
  );
}
