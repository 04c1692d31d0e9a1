/** A run as one HTML file without scripts: charts, verdict, settings, and how to run it again. */

import { isFixed, shortHash } from '../../../experiment/arm/policyFiles';
import { isRelevant } from '../../../experiment/arm/relevance';
import { FINAL_UPDATES } from '../../../experiment/conclude/statistics';
import {
  type Arm,
  armSettings,
  type Experiment,
  experimentSettings,
  getArmSetting,
} from '../../../experiment/experiment';
import { readSetting } from '../../../experiment/settings/setting';
import { percent } from '../../../foundation/percent';
import { bandInWords, type CurvePoint, type CurveSource, completed } from '../../../measured/curves';
import type { MetricHistory } from '../../../measured/history';
import { HORIZONS } from '../../../store/run/dreamPoints';
import type { RunLooks } from '../../../store/run/looks';
import type { ProbeMoment } from '../../../train/protocol';
import { escapeMarkup, formatDecimals, formatSetting } from '../../kit/format';
import { verdict } from '../../model/arms/verdict';
import { decisiveCharts } from '../../model/charts/kinds/decisiveDefinitions';
import { type ChartDefinition, formatInterval } from '../../model/charts/kinds/definition';
import { table } from '../../model/files/table';
import { answersTo, layerName, MOMENT_NAMES, targetsOf } from '../../places/understand/why/inside/probed';

export interface Reported {
  readonly experiment: Experiment;
  readonly history: MetricHistory;
  readonly curves: CurveSource;
  readonly looks: RunLooks;
  readonly device: string;
  readonly link: string;
  readonly date: Date;
  /** Picture of each decisive chart. */
  readonly pictures: readonly string[];
}

/** Points a line has, each the mean of so many updates. */
export const SHAPE = { limit: 200, window: FINAL_UPDATES };
/** Smoothing and seeds that a report's charts tell of. */
export const SAID = { smoothing: FINAL_UPDATES, seeds: null };

const STYLE = `body{max-width:760px;margin:32px auto;padding:0 16px;background:#fbfaf7;color:#1d1f24;
font:15px/24px system-ui,sans-serif;font-variant-numeric:tabular-nums}h1{font-size:28px;line-height:36px}h2{font-size:19px}
svg{max-width:100%;height:auto}table{border-collapse:collapse;width:100%}th,td{padding:3px 12px 3px 0;text-align:left;
border-bottom:1px solid #e4e1d9;font-weight:400}thead th{color:#5b606b}code,td,th{overflow-wrap:anywhere}`;

export async function reportHtml(run: Reported): Promise<string> {
  const { experiment, history, curves, looks, device, link, date, pictures } = run;
  const drawn = decisiveCharts.map(async (definition, index) => {
    const { points } = await completed(curves, definition.metric, SHAPE);
    const rows = experiment.arms.map(({ name }, arm) => [name, lastInWords(definition, points, arm)]);
    const caption = `${definition.title}, ${definition.unit}, at the end`;
    return `${pictures[index] ?? ''}${table(['arm', caption], rows)}`;
  });
  const charts = await Promise.all(drawn);
  const title = escapeMarkup(experiment.title);
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>`,
    `<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head><body>`,
    `<h1>${title}</h1>`,
    `<p>${escapeMarkup(verdict(history, experiment))}</p>`,
    `<p>${history.count} updates, ${history.seeds} seeds, ${escapeMarkup(device)}, ${date.toISOString().slice(0, 10)}. `,
    `Each point is the mean of ${FINAL_UPDATES} updates and of the seeds. ${bandInWords(history.seeds)}</p>`,
    ...charts,
    ...lookTables(experiment.arms, looks),
    '<h2>Settings of the arms</h2>',
    table(['setting', ...experiment.arms.map(({ name }) => name)], armRows(experiment.arms)),
    '<h2>Settings they share</h2>',
    table(['setting', 'value'], sharedRows(experiment)),
    '<h2>Run it again</h2>',
    `<p>Open <a href="${escapeMarkup(link)}">this link</a> and press Run: it holds every setting and the seeds. Without a page, `,
    'with the experiment saved as a file from the lab: <code>npm run -s lab -- run experiment.json --backend auto</code></p>',
    '</body></html>',
  ].join('\n');
}

/** The last point of an arm. */
function lastInWords(definition: ChartDefinition, points: readonly CurvePoint[], arm: number): string {
  const last = points.findLast(({ mean }) => mean[arm] != null);
  const value = last?.mean[arm];
  if (last === undefined || value == null) return 'not measured';
  const band = last.band[arm];
  return definition.format(value) + (band == null ? '' : ` ${formatInterval(definition, band)}`);
}

/** Settings that matter to at least one arm, a row each; of a fixed policy only those that matter to it. */
function armRows(arms: readonly Arm[]): string[][] {
  return armSettings
    .filter(({ path }) => arms.some((arm) => isRelevant(arm, path)))
    .map((setting) => [setting.label, ...arms.map((arm) => settingWords(arm, setting))]);
}

/** Files are told apart by enough of their hashes: the link has all of them. */
function settingWords(arm: Arm, { path, type }: (typeof armSettings)[number]): string {
  if (isFixed(arm) && !isRelevant(arm, path)) return '–';
  const value = getArmSetting(arm, path);
  if (type !== 'file') return formatSetting(value);
  return value === '' ? 'none' : shortHash(String(value));
}

function sharedRows(experiment: Experiment): string[][] {
  const { id, settings } = experiment.environment;
  return [
    ['World', id],
    ...Object.entries(settings).map(([key, value]) => [key, formatSetting(value)]),
    ...experimentSettings.map(({ path, label }) => [label, formatSetting(readSetting(experiment, path) ?? '')]),
    ...experiment.timeline.map(({ update, arm, setting, value }) => [
      `From update ${update}, ${arm === '*' ? 'all arms' : arm}`,
      `${setting} = ${formatSetting(value)}`,
    ]),
  ];
}

const MOMENTS = Object.keys(MOMENT_NAMES) as ProbeMoment[];

/** Tables of a report: the newest measurements that somebody asked for by a look, of probes and of dreams. */
function lookTables(arms: readonly Pick<Arm, 'id' | 'name'>[], { probed, dreamPoints }: RunLooks): string[] {
  const probes = probed.at(-1);
  const dreams = dreamPoints.at(-1);
  return [
    ...(probes === undefined ? [] : [heading('Read off by a linear probe', probes.update), probeTable(arms, probes)]),
    ...(dreams === undefined ? [] : [heading('Dreams', dreams.update), dreamTable(arms, dreams)]),
  ];
}

function heading(what: string, update: number): string {
  return `<h2>${what}, after ${update} updates</h2>`;
}

/** Table of probes: means over the seeds probed. */
function probeTable(arms: readonly Pick<Arm, 'id' | 'name'>[], probes: RunLooks['probed'][number]): string {
  const rows = targetsOf(probes).flatMap(({ id: target, name }) =>
    MOMENTS.flatMap((moment) =>
      answersTo({ target, moment }, probes).map((answer) => [
        `${name}, ${MOMENT_NAMES[moment]}`,
        arms.find(({ id }) => id === answer.arm)?.name ?? answer.arm,
        answer.layers.map(({ accuracy }, layer) => `${layerName(layer)} ${percent(accuracy)}`).join(', '),
        answer.layers.map(({ untrained }) => percent(untrained)).join(', '),
        percent(answer.majority),
      ]),
    ),
  );
  return table(['asked for', 'arm', 'rightly, by layer', 'with fresh weights', 'the commonest'], rows);
}

function dreamTable(arms: readonly Pick<Arm, 'id' | 'name'>[], { byArm }: RunLooks['dreamPoints'][number]): string {
  const ahead = HORIZONS.map((turns) => (turns === 'end' ? 'to the end' : turns === 1 ? '1 turn' : `${turns} turns`));
  const rows = arms.flatMap(({ id, name }) => {
    const dreamed = byArm[id];
    return dreamed === undefined ? [] : [[name, ...dreamed.agreement.map(percent), nats(dreamed.sensitivity)]];
  });
  return table(['arm', ...ahead.map((turns) => `agreement, ${turns}`), 'action sensitivity, nats'], rows);
}

const nats = (value: number): string => (Number.isFinite(value) ? formatDecimals(value, 2) : '–');
