/** The map of when, and the runs on the initial scale, in sentences made from the recorded numbers. */
import type { FairGround, MapCell, MapRow, StartContrast } from './fairGround';
import { decimal, differenceInWords, inShort, signOf } from './fairNumbers';
import { NUMBERS } from './fairWords';
import { meanOf } from './statistics';

export const SCALE_NAMES: Readonly<Record<string, string>> = {
  'normal-0.02': '0.02',
  'normal-0.05': '0.05',
  'fan-in': 'fan-in',
  picked: 'picked at width 32',
  'preset-fan-in': 'fan-in, untuned',
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

/** Sentence on the initial scale alone, with the preset's other settings. */
const startInWords = ({ small, ordinary, contrast }: StartContrast, seeds: number): string =>
  ` The start: in the preset, ${inShort(small)} at 0.02 and ${inShort(ordinary)} at fan-in, a contrast of ${inShort(contrast)}, ` +
  `seed by seed, ${seeds} seeds of the explanation’s runs (“why”), computed afterwards.`;

/** Sentences on the settings: the start alone, then the runs added after the rest was known. Empty without these. */
export function exploredInWords({
  explored: [cell],
  contests,
  why,
}: Pick<FairGround, 'explored' | 'contests' | 'why'>): string {
  if (cell === undefined) return '';
  const [mask, model] = [cell.mask, cell.model].map((areas) => decimal(meanOf(areas) ?? Number.NaN));
  const sign = signOf(cell.gap);
  const says = sign > 0 ? 'it is ahead there too' : sign < 0 ? 'there it is behind' : 'not told apart';
  const picked = contests.find(({ world }) => world === 'gridworld');
  const also =
    picked === undefined
      ? ''
      : ` At the numbers picked for the world model, whose weights are drawn by fan-in too, it is ${differenceInWords(picked.overMaskAlike)} over the mask, which had no search at these numbers (16 seeds against 8).`;
  return (
    `It depends on the settings.${why === null ? '' : startInWords(why.start, why.arms[0]?.area.length ?? 0)} In the gridworld’s ` +
    `preset as it is, nothing searched, but with weights drawn by fan-in, the world model has ${model} and the mask ${mask}, ` +
    `${differenceInWords(cell.gap)}; ${cell.mask.length} seeds, asked after the rest was known: ${says}.${also}`
  );
}

export function cellInWords({ place }: MapRow, cell: MapCell): string {
  const [mask, model] = [cell.mask, cell.model].map((areas) => decimal(meanOf(areas) ?? Number.NaN));
  const scale = SCALE_NAMES[cell.scale] ?? cell.scale;
  return `${PLACE_NAMES[place] ?? place}; initial scale ${scale}: world model ${model}, action mask ${mask}, gap ${differenceInWords(cell.gap)}.`;
}

/** Cells of the map, counted by outcome. */
export function mapInWords({ map, planned, survivors }: Pick<FairGround, 'map' | 'planned' | 'survivors'>): string {
  const cells = map.flatMap(({ place, cells: own }) => own.map((cell) => ({ ...cell, place, sign: signOf(cell.gap) })));
  const ahead = cells.filter(({ sign }) => sign > 0);
  const slight = ahead.filter(({ gap }) => gap.mean < 0.05).length;
  const [ordinary, small] = [true, false].map((fanIn) => cells.filter(({ scale }) => (scale === 'fan-in') === fanIn));
  const count = (some: typeof cells = []): string => `${some.filter(({ sign }) => sign > 0).length} of ${some.length}`;
  const seedBySeed = (ordinary ?? [])
    .filter(({ sign, paired }) => sign <= 0 && signOf(paired) > 0)
    .map(
      ({ place, paired }) => `; seed by seed also in “${PLACE_NAMES[place] ?? place}” at fan-in, ${inShort(paired)}`,
    );
  return (
    `${cells.length} of ${planned.cells} planned cells are in, four seeds each, presets’ settings, intervals uncorrected: the ` +
    `world model is ahead in ${ahead.length}${slight === 0 ? '' : `, ${NUMBERS[slight] ?? slight} of them by less than 0.05,`} and ` +
    `behind in ${cells.filter(({ sign }) => sign < 0).length} (ahead in ${count(small)} at small scales, ${count(ordinary)} at ` +
    `fan-in, by Welch${seedBySeed.join('')}). Cells share seeds; corrected over ${planned.cells} (Holm), ` +
    `${NUMBERS[survivors] ?? survivors} ${survivors === 1 ? 'remains' : 'remain'}. Four seeds miss much: cells that are not told ` +
    `apart at one scale are no difference between scales. The presets’ numbers were found by hand at small scales, which may ` +
    `favour the world model.`
  );
}
