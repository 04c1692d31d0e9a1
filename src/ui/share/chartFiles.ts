/** One chart as a picture or as the numbers behind it, over what the page's charts are drawn over. */
import type { Arm } from '../../experiment/experiment';
import { LabError } from '../../foundation/errors';
import { ROLES } from '../../foundation/roles';
import { shareLink } from '../../store/arrival';
import type { Lab } from '../../store/openLab';
import { armColours } from '../armColour';
import { type ChartDefinition, windowOf } from '../charts/definition';
import { horizontalAxis } from '../charts/progress';
import { curveSvg, type DrawnArm } from './curveSvg';
import { dataCsv, dataJson } from './data';
import { drawnCurves } from './drawn';
import { written } from './written';

export type ChartFileKind = 'png' | 'svg' | 'csv' | 'json';

export interface SharedFile {
  readonly name: string;
  readonly content: Blob;
}

const POINTS = 400;

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
export async function copyChart(lab: Lab, definition: ChartDefinition): Promise<void> {
  const picture = chartSvg(lab, definition).then(toPng);
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]);
  } catch (cause) {
    throw new LabError('unsupported', 'The browser did not allow copying.', 'Save the picture instead.', { cause });
  }
}

function runOf(lab: Lab) {
  const { running: experiment, history } = lab.store.getState();
  const curves = lab.curves();
  if (experiment !== null && history !== null && curves !== null) return { experiment, history, curves };
  throw new LabError('internal', 'Nothing has been measured yet.', 'Run the experiment first.');
}

async function chartSvg(lab: Lab, definition: ChartDefinition): Promise<string> {
  const { experiment, curves } = runOf(lab);
  const { progress, smoothing } = lab.preferences.getState();
  const { points, floors } = await drawnCurves(curves, definition, {
    limit: POINTS,
    axis: progress,
    window: windowOf(definition, smoothing),
  });
  const link = shareLink(lab.editor.shared(), lab.editor.sharedMachines(), location.href);
  return curveSvg({
    definition,
    points,
    floors,
    arms: drawnArms(experiment.arms),
    horizontal: horizontalAxis(progress, curves.history.count, points),
    description: `${experiment.title}. ${experiment.arms.map(inWords).join('; ')}. ${link}`,
  });
}

/** “World model: policy 1 on action, cross-entropy 0.1 on observation”. */
function inWords({ name, pg, ce }: Arm): string {
  const losses = ROLES.flatMap((role) => [
    ...(pg[role] > 0 ? [`policy ${pg[role]} on ${role}`] : []),
    ...(ce[role] > 0 ? [`cross-entropy ${ce[role]} on ${role}`] : []),
  ]);
  return `${name}: ${losses.join(', ')}`;
}

/** The arms' colours as the light theme has them: files are read on paper. */
export function drawnArms(arms: readonly Arm[]): DrawnArm[] {
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
