/** One chart as a picture or as the numbers behind it, over what the page's charts are drawn over. */
import { LabError } from '../../../foundation/errors';
import { shareLink } from '../../../store/edit/arrival';
import type { Lab } from '../../../store/openLab';
import { seenIn, zoomOf } from '../charts/drawn/zoom';
import { type ChartDefinition, windowOf } from '../charts/kinds/definition';
import { dataCsv, dataJson } from './data';
import { chartPicture, inWords, POINTS } from './pictures';
import { written } from './written';

export type ChartFileKind = 'png' | 'svg' | 'csv' | 'json';

export interface SharedFile {
  readonly name: string;
  readonly content: Blob;
}

/** Throws LabError 'internal' before anything was measured. */
export async function chartAs(lab: Lab, definition: ChartDefinition, kind: ChartFileKind): Promise<SharedFile> {
  const { experiment, history } = runOf(lab);
  const { metric } = definition;
  const name = `unmask-${experiment.preset}-${metric}.${kind}`;
  switch (kind) {
    case 'png':
      return { name, content: await toPng(await chartSvg(lab, definition)) };
    case 'svg':
      return { name, content: new Blob([await chartSvg(lab, definition)], { type: 'image/svg+xml' }) };
    case 'csv':
      return { name, content: await written(dataCsv(experiment, history, [metric])) };
    case 'json':
      return { name, content: await written(dataJson(experiment, history, [metric])) };
    default:
      return kind satisfies never;
  }
}

/** Throws LabError 'unsupported' where the browser allows no copying. */
export const copyChart = (lab: Lab, definition: ChartDefinition): Promise<void> =>
  copyPicture(chartSvg(lab, definition));

/** Throws LabError 'unsupported' where the browser allows no copying. */
export async function copyPicture(svg: Promise<string>): Promise<void> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': svg.then(toPng) })]);
  } catch (cause) {
    throw new LabError('unsupported', 'The browser did not allow copying.', 'Save the picture instead.', { cause });
  }
}

function runOf(lab: Lab) {
  const { running: experiment, history } = lab.store.getState();
  const curves = lab.curves();
  if (experiment !== null && history !== null && curves !== null) return { experiment, history, curves };
  throw nothingMeasured();
}

export const nothingMeasured = (): LabError =>
  new LabError('internal', 'Nothing has been measured yet.', 'Run the experiment first.');

async function chartSvg(lab: Lab, definition: ChartDefinition): Promise<string> {
  const { experiment, curves } = runOf(lab);
  const { progress, smoothing, crossEntropyAxis, axes } = lab.preferences.getState();
  const link = shareLink(lab.editor.shared(), lab.editor.sharedMachines(), location.href);
  const shape = {
    limit: POINTS,
    axis: progress,
    window: windowOf(definition, smoothing),
    ...seenIn(progress, experiment.updates),
  };
  return chartPicture(definition, shape, {
    experiment,
    curves,
    ghost: lab.store.getState().ghost,
    choice: crossEntropyAxis,
    byHand: axes[definition.metric],
    said: { smoothing: 1, seeds: experiment.seeds },
    zoom: zoomOf,
    description: `${experiment.title}. ${experiment.arms.map(inWords).join('; ')}. ${link}`,
  });
}

/** PNG of twice the picture's size, for sharp screens. */
export async function toPng(svg: string): Promise<Blob> {
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
