/** Files of a run: its result in the link, a report, all of its data. */

import { encodeResult } from '../../../experiment/conclude/result';
import type { Experiment } from '../../../experiment/experiment';
import { resultOf } from '../../../measured/sentResult';
import { trajectoryLine } from '../../../measured/trajectoryRecord';
import { METRICS } from '../../../rl/measure/metrics';
import { trajectoriesOf } from '../../../store/look/trajectories';
import type { Lab } from '../../../store/openLab';
import { verdict } from '../../model/arms/verdict';
import { decisiveCharts } from '../../model/charts/kinds/decisiveDefinitions';
import type { ChartDefinition } from '../../model/charts/kinds/definition';
import { worldOf } from '../../model/environment';
import { copyPicture, nothingMeasured, type SharedFile, toPng } from '../../model/files/chartFiles';
import { dataCsv, dataJson } from '../../model/files/data';
import { fileName, type NamedFile } from '../../model/files/names';
import { chartPicture, inWords } from '../../model/files/pictures';
import { written } from '../../model/files/written';
import { CARD_PLOT, cardOf } from './card';
import { reportHtml, SAID, SHAPE } from './report';

/** Run of the lab; null before anything was measured. */
function runOf(lab: Lab) {
  const { running: experiment, history, backend, machines, probed, dreamPoints, warmStart } = lab.store.getState();
  const curves = lab.curves();
  if (experiment === null || history === null || curves === null || history.count === 0) return null;
  const looks = { probed, dreamPoints, warmStart };
  const { runs, shown } = lab.kept.store.getState();
  const { note = '' } = runs.find(({ id }) => id === shown) ?? {};
  const device = backend?.description ?? 'an unknown device';
  return { experiment, history, curves, looks, note, device, machines };
}

type Run = NonNullable<ReturnType<typeof runOf>>;

/** The run's result for a link, `&result=…`; empty before anything was measured. */
export async function writeResult(lab: Lab): Promise<string> {
  const run = runOf(lab);
  if (run === null) return '';
  const { experiment, history, device, note, machines } = run;
  return `&result=${await encodeResult(await resultOf(experiment, history, device, note, machines))}`;
}

/** Trajectories of the task on screen in every arm, as lines of JSONL. */
async function trajectoryLines(lab: Lab, { environment }: Experiment): Promise<string[]> {
  const words = worldOf(environment)?.words ?? [];
  const lines: string[] = [];
  for await (const one of trajectoriesOf(lab.store, lab.runner.requests, lab.store.getState().watched)) {
    lines.push(`${trajectoryLine(one, words, environment.id)}\n`);
  }
  return lines;
}

/** Picture of a chart: it has the updates that were trained, not those planned. */
function chartOf(lab: Lab, run: Run, definition: ChartDefinition, description: string, height?: number) {
  const { crossEntropyAxis: choice, progress, axes } = lab.preferences.getState();
  const { curves, history } = run;
  const experiment = { ...run.experiment, updates: history.count };
  const shown = { experiment, curves, ghost: null, choice, byHand: axes[definition.metric], said: SAID, description };
  return chartPicture(definition, { ...SHAPE, axis: progress }, shown, height);
}

/** The run as a card: its decisive chart, its conclusion, its note and where the lab is. */
async function cardSvg(lab: Lab, link: string): Promise<string> {
  const run = runOf(lab);
  const [decisive] = decisiveCharts;
  if (run === null || decisive === undefined) throw nothingMeasured();
  const { experiment, history, note } = run;
  const description = `${experiment.title}. ${experiment.arms.map(inWords).join('; ')}. ${link}`;
  const chart = await chartOf(lab, run, decisive, description, CARD_PLOT);
  return cardOf({ title: experiment.title, verdict: verdict(history, experiment), note, address: link, chart });
}

/** Throws LabError 'unsupported' where the browser allows no copying. */
export const copyCard = (lab: Lab, link: string): Promise<void> => copyPicture(cardSvg(lab, link));

export type FileKind = Exclude<NamedFile, 'experiment'>;

/** File of a kind. `link`: for running a report again. */
export async function shareAs(lab: Lab, kind: FileKind, link: string): Promise<SharedFile | null> {
  const run = runOf(lab);
  if (run === null) return null;
  const { experiment, history } = run;
  const named = (content: Blob): SharedFile => ({ name: fileName(experiment.preset, kind), content });
  switch (kind) {
    case 'report': {
      const pictures: string[] = [];
      for (const chart of decisiveCharts) pictures.push(await chartOf(lab, run, chart, ''));
      const html = await reportHtml({ ...run, link, date: new Date(), pictures });
      return named(new Blob([html], { type: 'text/html' }));
    }
    case 'svg':
      return named(new Blob([await cardSvg(lab, link)], { type: 'image/svg+xml' }));
    case 'png':
      return named(await toPng(await cardSvg(lab, link)));
    case 'csv':
      return named(await written(dataCsv(experiment, history)));
    case 'json':
      return named(
        await written(
          dataJson(experiment, history, METRICS, run.looks, {
            adapter: run.device,
            machines: run.machines,
            note: run.note,
          }),
        ),
      );
    case 'jsonl':
      return named(new Blob(await trajectoryLines(lab, experiment)));
    default:
      return kind satisfies never;
  }
}
