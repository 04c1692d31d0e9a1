/** What of a run can be shared beyond its settings: its result in the link, a report, its data, its charts. */
import { encodeResult } from '../../experiment/result';
import { shareLink } from '../../store/arrival';
import { completed } from '../../store/curves';
import type { Lab } from '../../store/openLab';
import { resultOf } from '../../store/sentResult';
import { inSlices } from '../../store/slices';
import { armColours } from '../armColour';
import { type ChartDefinition, decisiveCharts } from '../charts/definitions';
import { curveSvg, type DrawnArm } from './curveSvg';
import { dataCsv, dataJson } from './data';
import { reportHtml } from './report';

export interface SharedFile {
  readonly name: string;
  readonly content: Blob;
}

/** null before a run has measured anything. */
function runOf(lab: Lab) {
  const { running: experiment, history, backend } = lab.store.getState();
  if (experiment === null || history === null || history.count === 0) return null;
  return { experiment, history, device: backend?.description ?? 'an unknown device' };
}

export async function linkWithResult(lab: Lab): Promise<string> {
  const run = runOf(lab);
  const link = shareLink(lab.editor.shared(), lab.editor.sharedMachines(), location.href);
  if (run === null) return link;
  const { experiment, history, device } = run;
  return `${link}&result=${await encodeResult(await resultOf(experiment, history, device))}`;
}

export const FILE_KINDS = ['report', 'csv', 'json', 'svg', 'png'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

export async function shareAs(lab: Lab, kind: FileKind): Promise<SharedFile | null> {
  const run = runOf(lab);
  const curves = lab.curves();
  if (run === null || curves === null) return null;
  const { experiment, history, device } = run;
  const named = (extension: string, content: BlobPart, type: string): SharedFile => ({
    name: `unmask-${experiment.preset}.${extension}`,
    content: new Blob([content], { type }),
  });
  const arms = drawnArms(lab);
  const link = shareLink(lab.editor.shared(), lab.editor.sharedMachines(), location.href);
  switch (kind) {
    case 'report':
      return named(
        'html',
        await reportHtml({ experiment, history, curves, device, link, date: new Date(), arms }),
        'text/html',
      );
    case 'csv':
      return named('csv', await written(dataCsv(experiment, history)), 'text/csv');
    case 'json':
      return named('json', await written(dataJson(experiment, history)), 'application/json');
    case 'svg':
      return named('svg', await successSvg(lab, arms), 'image/svg+xml');
    case 'png':
      return { name: `unmask-${experiment.preset}.png`, content: await toPng(await successSvg(lab, arms)) };
    default:
      return kind satisfies never;
  }
}

/** All pieces of a text, between which the page may answer. */
export async function written(pieces: Generator<string>): Promise<Blob> {
  const parts: string[] = [];
  await inSlices(
    (function* collect() {
      for (const piece of pieces) yield parts.push(piece);
    })(),
  );
  return new Blob(parts);
}

const POINTS = 400;

async function successSvg(lab: Lab, arms: readonly DrawnArm[]): Promise<string> {
  const { history } = lab.store.getState();
  const curves = lab.curves();
  if (history === null || curves === null) return '';
  const [definition] = decisiveCharts as [ChartDefinition];
  const { points } = await completed(curves, definition.metric, POINTS);
  return curveSvg(definition, points, arms, history.count);
}

/** The arms' colours as the light theme has them: files are read on paper. */
function drawnArms(lab: Lab): DrawnArm[] {
  const { running } = lab.store.getState();
  const arms = running?.arms ?? [];
  const colours = armColours(arms);
  const tokens = getComputedStyle(document.documentElement);
  return arms.map(({ id, name }) => {
    const { stroke = '', dash = '' } = colours.get(id) ?? {};
    const token = tokens.getPropertyValue(stroke.replace(/^var\((.*)\)$/, '$1'));
    return { name, dash, colour: /#[0-9a-f]{6}/.exec(token)?.[0] ?? '#1d1f24' };
  });
}

/** Twice its size, for sharp screens. */
async function toPng(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [2 * image.width, 2 * image.height];
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('The picture could not be drawn.')) : resolve(blob)));
  });
}
