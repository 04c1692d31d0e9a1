/** The search on fair ground in sentences made from the recorded numbers, for the page, the README and the findings. */
import type { Contest, Difference, Entrant, FairGround, Verdict } from './fairGround';
import { decimal, differenceInWords, inShort, meanFor, signOf } from './fairNumbers';
import { meanOf } from './statistics';

const WORLD_NAMES: Readonly<Record<string, string>> = {
  gridworld: 'Gridworld',
  calculator: 'Calculator',
  shop: 'Web shop',
  terminal: 'Terminal',
};

export const worldName = (id: string): string => WORLD_NAMES[id] ?? id;

const list = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

const area = ({ entrants }: Contest, id: string): string => decimal(meanOf(entrants[id]?.area ?? []) ?? Number.NaN);

const SAYS: Readonly<Record<Verdict, string>> = {
  helps: 'on the tasks it trains on, the arm that predicts the world did better',
  harms: 'on the tasks it trains on, the arm that predicts the world did worse',
  alike: 'the difference lies within ±0.05',
  undecided: 'the seeds do not decide whether predicting the world helps',
};

/** One world's verdict with its numbers. */
export function verdictInWords(contest: Contest): string {
  const { world, difference, corrected, verdict } = contest;
  const seeds = contest.entrants['action-mask']?.area.length ?? 0;
  return (
    `${worldName(world)}: ${SAYS[verdict]}. Area under the success curve ${area(contest, 'world-model')} for the world model and ` +
    `${area(contest, 'action-mask')} for the action mask, each at the settings its own search picked: ` +
    `${differenceInWords(difference)}, ${seeds} seeds each, corrected p ${pInWords(corrected)}.`
  );
}

function pInWords(p: number): string {
  return p < 0.001 ? 'below 0.001' : `= ${p.toPrecision(2)}`;
}

export const NUMBERS = ['no', 'one', 'two', 'three', 'four'];

/** All verdicts in a sentence or two, and the worlds where a gain showed on tasks never trained on. */
export function headline({ contests, planned }: Pick<FairGround, 'contests' | 'planned'>): string {
  if (contests.length === 0) return 'No world has been decided yet.';
  const named = ({ world }: Contest): string => `the ${worldName(world).toLowerCase()}`;
  const names = (some: readonly Contest[]): string => list(some.map(named));
  const helped = contests.filter(({ verdict }) => verdict === 'helps');
  const others = contests.filter(({ verdict }) => verdict !== 'helps');
  const who =
    contests.length < planned.worlds
      ? `In the ${NUMBERS[contests.length]} worlds finished of ${NUMBERS[planned.worlds]}, small policies that predict the world`
      : 'Small policies that predict the world';
  const had =
    helped.length === 0
      ? `${who} had no larger area under the success curve`
      : `${who} had a larger area under the success curve on their training tasks in ${names(helped)}`;
  const refuted = others.map(
    (one) =>
      ` In ${named(one)} no gain was found, ${differenceInWords(one.difference)}; by the rule stated beforehand the claim is refuted there.`,
  );
  const gains = (of: 'heldOut' | 'toolOff'): readonly Contest[] =>
    contests.filter((one) => isAhead(one[of]) && !(one.world in UNTOLD));
  const tellsOf = [
    ...(gains('heldOut').length === 0 ? [] : [`in ${names(gains('heldOut'))}`]),
    ...(gains('toolOff').length === 0 ? [] : [`in ${names(gains('toolOff'))} with the tool taken away`]),
  ];
  const carries = tellsOf.length === 0 ? 'nowhere' : `only ${list(tellsOf)}, uncorrected`;
  const aside = contests
    .filter(({ world }) => world in UNTOLD)
    .map((one) =>
      isAhead(one.heldOut)
        ? `; ${named(one)}’s, whose interval also leaves 0, was set aside after the runs for a flaw`
        : `; the held-out tasks of ${named(one)} cannot tell`,
    );
  return (
    `${had}, each arm with the settings that its own single search picked.${refuted.join('')} On tasks never trained on, a gain ` +
    `at the end is told apart ${carries}${aside.join('')}.`
  );
}

export const isAhead = (difference: Difference | null): boolean => difference !== null && signOf(difference) > 0;

/** Sentence on both arms at the mask's pick, where it does not bear the verdict out; empty where it does. */
export function contraryInWords(contest: Contest): string {
  const { verdict, atMask, atMaskSeeds } = contest;
  if (verdict !== 'helps' || pickedAlike(contest) || isAhead(atMask)) return '';
  const says = signOf(atMask) < 0 ? 'the mask is ahead' : 'no gain is told apart';
  return `Both at the mask’s pick, ${says}: ${differenceInWords(atMask)}, ${atMaskSeeds} seeds.`;
}

/** One world in a sentence or two, for the first screen; the intervals stand with the verdict. */
export function briefly(contest: Contest, { explored: [cell] }: Pick<FairGround, 'explored'>): string {
  const { world, verdict } = contest;
  const seeds = contest.entrants['action-mask']?.area.length ?? 0;
  const contrary = contraryInWords(contest);
  const verdictOnly =
    `With the settings that each arm’s own search picked, ${SAYS[verdict]}: mean success over training ` +
    `${area(contest, 'world-model')} against the mask’s ${area(contest, 'action-mask')}, ${seeds} seeds each.${contrary === '' ? '' : ` ${contrary}`}` +
    `${carried(contest)}${remark(contest)}`;
  if (world !== 'gridworld' || cell === undefined) return verdictOnly;
  const [mask, model] = [cell.mask, cell.model].map((areas) => decimal(meanOf(areas) ?? Number.NaN));
  const more = signOf(cell.gap) > 0 ? 'it did too' : signOf(cell.gap) < 0 ? 'it did worse' : 'no gain was seen';
  return (
    `${verdictOnly} With larger initial weights (fan-in) and nothing searched, asked afterwards, ${more}: ${model} against ${mask}; at the world ` +
    `model’s own pick, also fan-in, ${area(contest, 'world-model')} against ${area(contest, 'mask-as-world-model')} for a mask not searched there.`
  );
}

/** Worlds whose held-out tasks do not tell who generalises, and why. Found after the runs. */
const UNTOLD: Readonly<Record<string, string>> = {
  terminal:
    ' Its held-out tasks do not tell who generalises: they reverse a shortcut of the training tasks, and seeds that learned less ' +
    'pass more of them, with shuffled answers too.',
};

/** Facts that a reader needs beside the numbers of a world, by world. */
const REMARKS: Readonly<Record<string, (contest: Contest) => string>> = {
  terminal: ({ entrants }) => {
    const [model = [], mask = []] = ['world-model', 'action-mask'].map((id) => entrants[id]?.final ?? []);
    const means = [model, mask].map((ends) => decimal(meanOf(ends) ?? Number.NaN));
    return (
      ' A rule that names the file by the word and reads nothing would solve two thirds of the training tasks, because of which ' +
      `tasks are held out; the mean ends (${means.join(', ')}) are no higher, single seeds reach ` +
      `${decimal(Math.max(...model, ...mask))}, so this contest says little about reading before deleting. Noticed after the runs.`
    );
  },
  calculator: () =>
    ' Both arms begin as imitators of an agent that asks the tool, which works in half of the episodes, so half can be had by ' +
    'copying; and what the tool says is the answer that is rewarded, so predicting it is being shown the answers to the ' +
    'training questions.',
};

export const remark = (contest: Contest): string => REMARKS[contest.world]?.(contest) ?? '';

/** Success, as a share, that counts as next to none. */
const NOTHING = 0.01;

const heldOutOf = (contest: Contest, id: string): number | null => meanFor(contest, id, 'heldOut');

/** True if neither arm succeeds more often on held-out tasks than a random policy, and that is hardly ever. */
function learnsNothingElse(contest: Contest): boolean {
  const most = Math.min(NOTHING, contest.random ?? 0);
  return ['world-model', 'action-mask'].every((id) => (heldOutOf(contest, id) ?? 1) < most);
}

/** Reason for which a world's held-out tasks decide nothing, in a few words; empty where they can. */
export function setAside(contest: Contest): string {
  if (contest.world in UNTOLD) return 'set aside, for a flaw';
  return learnsNothingElse(contest) ? 'no more than a random policy' : '';
}

const NOTHING_ELSE = `below ${100 * NOTHING}% for both at the end, no more than a random policy: nothing is seen to carry over`;

/** Success on tasks never trained on, each arm at its pick. */
export function heldOutInWords(contest: Contest): string {
  const { world, heldOut } = contest;
  const [model, mask] = [heldOutOf(contest, 'world-model'), heldOutOf(contest, 'action-mask')];
  if (heldOut === null || model === null || mask === null) return `${worldName(world)}: no tasks were held out.`;
  if (world in UNTOLD) return untoldInWords(contest);
  if (learnsNothingElse(contest)) {
    return `${worldName(world)}, on tasks never trained on, ${NOTHING_ELSE}.`;
  }
  const sign = signOf(heldOut);
  const says = sign > 0 ? 'the world model is ahead' : sign < 0 ? 'the mask is ahead' : 'not told apart';
  return (
    `${worldName(world)}, on tasks never trained on: success ${decimal(model)} for the world model and ${decimal(mask)} for the ` +
    `mask at the end, ${differenceInWords(heldOut)}: ${says}, uncorrected.${toolOffInWords(contest)}`
  );
}

/** Success above which a seed counts as having passed the held-out tasks. */
const PASSED = 0.3;

function untoldInWords(contest: Contest): string {
  const { world, entrants, heldOut } = contest;
  const of = (id: string): string => {
    const seeds = (entrants[id]?.heldOut ?? []).filter((value) => value !== null);
    return `${seeds.filter((value) => value > PASSED).length} of ${seeds.length}`;
  };
  const [model, mask] = ['world-model', 'action-mask'].map((id) => decimal(heldOutOf(contest, id) ?? Number.NaN));
  const means = heldOut === null ? '' : `means ${model} and ${mask}, ${inShort(heldOut)}, set aside after the runs: `;
  return (
    `${worldName(world)}, on tasks never trained on: ${means}${of('world-model')} seeds of the world model end above ${decimal(PASSED)}, ` +
    `${of('action-mask')} of the mask, and ${of('placebo')} of the placebo, whose answers are shuffled.${UNTOLD[world] ?? ''} A rule ` +
    `that reads nothing has about two thirds in training and nothing here: this measures no generalisation.`
  );
}

/** Sentence on the same tasks with the tool taken away; empty without a tool. */
function toolOffInWords({ entrants, toolOff }: Contest): string {
  if (toolOff === null) return '';
  const [model, mask] = ['world-model', 'action-mask'].map((id) => meanOf(entrants[id]?.toolOff ?? []) ?? Number.NaN);
  const says = signOf(toolOff) === 0 ? 'not told apart' : 'told apart';
  return ` With the tool taken away ${decimal(model ?? Number.NaN)} and ${decimal(mask ?? Number.NaN)}, ${differenceInWords(toolOff)}: ${says}, uncorrected.`;
}

/** Success of the last 20 updates, each arm at its pick. */
export function endInWords(contest: Contest): string {
  const { world, entrants, end } = contest;
  const [model, mask] = ['world-model', 'action-mask'].map((id) =>
    decimal(meanOf(entrants[id]?.final ?? []) ?? Number.NaN),
  );
  return (
    `${worldName(world)}, at the end of training (the last 20 updates, which are a larger share of a run of fewer): ${model} for the ` +
    `world model and ${mask} for the mask, ${differenceInWords(end)}${signOf(end) === 0 ? ': not told apart' : ''}.`
  );
}

/** True if both searches picked the same settings: then what follows at either pick is the main comparison again. */
const pickedAlike = ({ entrants }: Contest): boolean =>
  entrants['action-mask']?.link === entrants['mask-as-world-model']?.link;

/** Effect of λ alone: both arms at the mask's pick, on the seeds both have. */
export function atMaskInWords(contest: Contest): string {
  const { world, atMask, atMaskSeeds } = contest;
  if (pickedAlike(contest)) {
    return `${worldName(world)}: both searches picked the same settings, so pick against pick is prediction against none and nothing else.`;
  }
  return (
    `${worldName(world)}, both at the settings picked for the mask, the same ${atMaskSeeds} seeds: area ` +
    `${area(contest, 'world-model-as-mask')} with prediction and ${decimal(meanOf(sameSeeds(contest)) ?? Number.NaN)} without, ` +
    `${differenceInWords(atMask)}, seed by seed${signOf(atMask) === 0 ? ': not told apart' : ''}. Added after the main result.`
  );
}

/** Areas of the mask on the seeds that the world model also has at the mask's pick. */
const sameSeeds = ({ entrants, atMaskSeeds }: Contest): readonly number[] =>
  entrants['action-mask']?.area.slice(0, atMaskSeeds) ?? [];

/** Difference of two areas that is no more than rounding and seeds. */
const SAME = 0.02;

/** Sentence on tasks never trained on, each arm at its own pick; empty where none are held out. */
function carried(contest: Contest): string {
  const { heldOut } = contest;
  const [model, mask] = [heldOutOf(contest, 'world-model'), heldOutOf(contest, 'action-mask')];
  if (heldOut === null || model === null || mask === null) return '';
  if (contest.world in UNTOLD) return UNTOLD[contest.world] ?? '';
  if (learnsNothingElse(contest)) return ` On tasks never trained on, ${NOTHING_ELSE}.`;
  const sign = signOf(heldOut);
  const says = sign > 0 ? 'the world model is ahead' : sign < 0 ? 'the mask is ahead' : 'no gain is told apart';
  return ` On tasks never trained on ${says}: ${share(model)} against ${share(mask)} at the end.${toolOffInWords(contest)}`;
}

/** Text of an experiment with both arms at the mask's pick, from its recorded runs. */
export function pickInWords(contest: Contest): string {
  const [mask, model] = ['action-mask', 'world-model-as-mask'].map((id) => contest.entrants[id]) as [Entrant, Entrant];
  const ends = ({ final }: Entrant): string => {
    const seeds = final.slice(0, contest.atMaskSeeds);
    return `${share(Math.min(...seeds))} to ${share(Math.max(...seeds))}`;
  };
  const inSearch = contest.inSearch['action-mask'];
  const fell = inSearch - (meanOf(mask.area) ?? Number.NaN) > SAME;
  const ceiling = fell
    ? `; on 16 fresh seeds its area was ${area(contest, 'action-mask')}, not the ${decimal(inSearch)} of its search, which as the best of ${contest.tried['action-mask'].settings} by three seeds tends to be flattered, and other settings may suit it better`
    : ` (area ${decimal(inSearch)} there, ${area(contest, 'action-mask')} on fresh seeds)`;
  return (
    `A search over ${contest.tried['action-mask'].settings} settings picked these for the mask${ceiling}. The world model has them too, and λ. ` +
    `On the same ${contest.atMaskSeeds} fresh seeds: area ${area(contest, 'world-model-as-mask')} with prediction and ` +
    `${decimal(meanOf(sameSeeds(contest)) ?? Number.NaN)} without, ${differenceInWords(contest.atMask)}; success at the end ` +
    `${ends(model)} and ${ends(mask)}, the range of these seeds.${remark(contest)} One small world, and nothing is said of others.`
  );
}

const share = (value: number): string => `${Math.round(100 * value)}%`;

/** Placebo and mask at the world model's pick: they tell whether right answers matter. */
export function dynamicsInWords(contest: Contest): string {
  const { world, overPlacebo, overMaskAlike, placeboOverMask } = contest;
  const sign = signOf(overPlacebo);
  const shuffled = isAhead(placeboOverMask)
    ? 'shuffled answers do better than none, too'
    : signOf(placeboOverMask) < 0
      ? 'shuffled answers do worse than none'
      : 'no gain of shuffled answers over none is told apart';
  const says =
    sign > 0
      ? `True answers do better than shuffled ones at these settings; ${shuffled}`
      : sign < 0
        ? 'Shuffled answers do better than true ones there'
        : 'True answers are not told apart from shuffled ones there';
  return (
    `${worldName(world)}, all at the settings picked for the world model: area ${area(contest, 'world-model')} for the world ` +
    `model, ${area(contest, 'placebo')} for the placebo (the same loss on shuffled answers) and ` +
    `${area(contest, 'mask-as-world-model')} for the mask. Over the placebo ${differenceInWords(overPlacebo)}` +
    `${pickedAlike(contest) ? '' : `, over the mask ${differenceInWords(overMaskAlike)}`}. ${says}; the placebo had no search of its own.`
  );
}

/** Loss of each pick from its search to fresh seeds: the best of many looks better than it is. */
export function flatteryInWords(contest: Contest): string {
  const { world, inSearch } = contest;
  return (
    `${worldName(world)}: the picks went from ${decimal(inSearch['action-mask'])} to ${area(contest, 'action-mask')} (mask) and from ` +
    `${decimal(inSearch['world-model'])} to ${area(contest, 'world-model')} (world model) from their searches to fresh seeds. ` +
    `Intervals count the seeds, not which setting a search happens to pick.`
  );
}
