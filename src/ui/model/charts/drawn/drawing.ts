/** Contents of a metric's chart: the run's curves, those of the run behind it, what was changed, and against which axes. */
import { branchesOf, isInherited } from '../../../../experiment/arm/branch';
import { labelOfLossPart } from '../../../../experiment/arm/ownLossSettings';
import { armSettings, type Change, type Experiment } from '../../../../experiment/experiment';
import { EVERY_ARM } from '../../../../experiment/timeline';
import type { CurvePoint, CurveShape, CurveSource, Ghost, ThinnedCurves } from '../../../../measured/curves';
import type { Progress } from '../../../../measured/progress';
import type { AxisByHand, CrossEntropyAxis } from '../../../../store/keep/preferences';
import { formatMeasured } from '../../../kit/format';
import type { ValueAxis } from '../../../kit/plot/axes';
import type { PlotProps } from '../../../kit/plot/plot';
import type { Range } from '../../../kit/plot/range';
import { type ArmColour, armColours } from '../../armColour';
import { worldOf } from '../../environment';
import { nameOfValue } from '../../settings/valueNames';
import { type ChartDefinition, isOfArm } from '../kinds/definition';
import { type HorizontalAxis, horizontalAxis, inSight } from '../progress';
import { coincides } from './coincidence';
import { valueAxis } from './scale';

interface DrawnArm {
  readonly id: string;
  readonly name: string;
  readonly colour: ArmColour;
}

/** Change of a setting while it trained: its update, the arms (by index) with its place on the axis, and its words. */
export interface DrawnChange {
  readonly update: number;
  readonly places: readonly { readonly arm: number; readonly at: number }[];
  readonly words: string;
}

/** Another run's mean. `own`: index of the arm of the same id, or −1; `isSame`: nobody could see the two apart. */
export interface DrawnGhost {
  readonly id: string;
  readonly name: string;
  readonly own: number;
  readonly isSame: boolean;
}

export interface ChartDrawing {
  readonly definition: ChartDefinition;
  readonly arms: readonly DrawnArm[];
  readonly points: readonly CurvePoint[];
  /** Updates that a point is the mean of. */
  readonly width: number;
  /** Floor below which the means cannot get, point by point; none where it is 0. */
  readonly floors: readonly CurvePoint[];
  readonly changes: readonly DrawnChange[];
  readonly horizontal: HorizontalAxis;
  /** The part of it in sight; null for everything. */
  readonly zoom: Range | null;
  readonly axis: ValueAxis;
  /** Line to compare with; `note` says what it is where its name does not. */
  readonly reference: (NonNullable<PlotProps['reference']> & { readonly note?: string }) | null;
  /** The run behind it, with its lines by its own arms. */
  readonly ghost: {
    readonly label: string;
    readonly lines: readonly DrawnGhost[];
    readonly points: readonly CurvePoint[];
  } | null;
  /** False while the curves have not been computed to their end. */
  readonly isComplete: boolean;
}

/** Sources that it is drawn from. */
export interface Drawable {
  readonly experiment: Experiment;
  readonly curves: (CurveSource & { readonly progress: Pick<Progress, 'at'> }) | null;
  readonly ghost: Ghost | null;
  /** Axis of the cross-entropy chart. */
  readonly choice: CrossEntropyAxis;
  /** The chart's axis as a person set it; absent where nobody did. */
  readonly byHand?: AxisByHand | undefined;
  readonly randomSuccess: number | null;
  /** The part of the horizontal axis in sight; everything where nobody says. */
  readonly zoom?: (over: HorizontalAxis['over'], end: number) => Range | null;
}

export function drawingOf(definition: ChartDefinition, shape: CurveShape, drawable: Drawable): ChartDrawing {
  const { experiment, curves, choice, byHand, randomSuccess } = drawable;
  const ghost = definition.arms === null ? drawable.ghost : null;
  const { axis: over = 'updates' } = shape;
  const own = fromBranching(experiment, ofArms(definition, experiment, curveOf(curves, definition.metric, shape)));
  const floors = fromBranching(experiment, curveOf(curves, definition.floor, shape));
  const behind = curveOf(ghost?.curves ?? null, definition.metric, shape);
  const { points, width } = own;
  const horizontal = horizontalAxis(over, experiment.updates, [...points, ...behind.points]);
  const zoom = drawable.zoom?.(over, horizontal.end) ?? null;
  const ghostPoints = inSight(behind.points, horizontal);
  const reference = referenceOf(definition, experiment, randomSuccess);
  const seen =
    zoom === null ? [...points, ...ghostPoints] : [...points, ...ghostPoints].filter((point) => isIn(point, zoom));
  const axis = valueAxis(definition, seen, reference?.value ?? null, choice, byHand);
  const colours = armColours(experiment.arms);
  const arms = experiment.arms.flatMap(({ id, name }) => {
    const colour = colours.get(id);
    return colour === undefined ? [] : [{ id, name, colour }];
  });
  const lines = ghost?.arms.map(({ id, name }, arm) => {
    const at = arms.findIndex((one) => one.id === id);
    const isSame = at >= 0 && coincides({ points: ghostPoints, arm }, { points, arm: at }, axis.domain);
    return { id, name, own: at, isSame };
  });
  return {
    definition,
    arms,
    points,
    width,
    floors: isFloor(floors.points) ? floors.points : [],
    changes: changesOf(experiment, (update, arm) => curves?.progress.at(over, update, arm) ?? null),
    horizontal,
    zoom,
    axis,
    reference,
    ghost: ghost === null ? null : { label: ghost.label, lines: lines ?? [], points: ghostPoints },
    isComplete: own.complete && floors.complete && behind.complete,
  };
}

const NOTHING: ThinnedCurves = { points: [], width: 1, complete: true };

/** Curve of a metric; empty where there is no such curve. */
const curveOf = (curves: CurveSource | null, metric: ChartDefinition['floor'], shape: CurveShape): ThinnedCurves =>
  curves === null || metric === null ? NOTHING : curves.points(metric, shape);

/** Curves of the definition's arms; the others have no values. */
function ofArms(definition: ChartDefinition, { arms }: Experiment, curves: ThinnedCurves): ThinnedCurves {
  if (definition.arms === null) return curves;
  const isDrawn = arms.map(({ id }) => isOfArm(definition, id));
  const own = <T>(values: readonly (T | null)[]) => values.map((value, arm) => (isDrawn[arm] ? value : null));
  return {
    ...curves,
    points: curves.points.map(({ mean, band, ...point }) => ({ ...point, mean: own(mean), band: own(band) })),
  };
}

/** True where some arm's point is in a range of the axis. */
const isIn = ({ at }: CurvePoint, [low, high]: Range): boolean =>
  at.some((place) => place !== null && place >= low && place <= high);

/** Curves in which a branch begins where it branches, on its parent's line: until then its numbers are its parent's. */
function fromBranching(experiment: Experiment, curves: ThinnedCurves): ThinnedCurves {
  const branches = branchesOf(experiment);
  if (branches.size === 0) return curves;
  const { points } = curves;
  const first = experiment.arms.map(({ id }) => {
    const from = branches.get(id)?.update ?? 0;
    const isToCome = from > (points.at(-1)?.update ?? 0) + 1;
    return isToCome ? points.length : points.findLastIndex(({ update }) => update <= from);
  });
  const own = <T>(values: readonly (T | null)[], index: number) =>
    values.map((value, arm) => (index < (first[arm] ?? 0) ? null : value));
  return {
    ...curves,
    points: points.map(({ at, mean, band, ...point }, index) => ({
      ...point,
      at: own(at, index),
      mean: own(mean, index),
      band: own(band, index),
    })),
  };
}

function referenceOf(
  { reference }: ChartDefinition,
  { environment }: Experiment,
  randomSuccess: number | null,
): ChartDrawing['reference'] {
  const world = worldOf(environment);
  if (world === null || reference === null) return null;
  if (reference === 'randomSuccess') {
    return randomSuccess === null ? null : { value: randomSuccess, name: 'random policy' };
  }
  if (reference === 'uniformWords') {
    const value = Math.log(world.words.length);
    return { value, name: `guessing, ${formatMeasured(value)}`, note: 'Guessing: every word equally likely.' };
  }
  const {
    legalSets: [legal],
    parts,
  } = world.environment;
  // Each world of a mixture has its own.
  if (legal === undefined || parts !== undefined) return null;
  const value = Math.log(legal.length);
  return { value, name: `random, ${formatMeasured(value)}` };
}

/** World whose random policy is a chart's reference: the world, or one of a mixture. */
export function placeOf({ reference, world: part }: ChartDefinition, { environment }: Experiment) {
  const whole = worldOf(environment)?.environment;
  if (reference !== 'randomSuccess' || whole === undefined) return null;
  return whole.parts?.find(({ id }) => id === part)?.environment ?? whole;
}

function changesOf(
  { arms, timeline }: Pick<Experiment, 'arms' | 'timeline'>,
  placeIn: (update: number, arm: number) => number | null,
): DrawnChange[] {
  const branches = branchesOf({ arms, timeline });
  const isShown = (change: Change): boolean => !isInherited(branches, change);
  return timeline.filter(isShown).map(({ update, arm, setting, value }: Change) => {
    const places = arms.flatMap(({ id }, index) => {
      const isOf = arm === id || (arm === EVERY_ARM && !isInherited(branches, { arm: id, update }));
      const at = isOf ? placeIn(update, index) : null;
      return at === null ? [] : [{ arm: index, at }];
    });
    const label = armSettings.find(({ path }) => path === setting)?.label ?? labelOfLossPart(setting);
    const name = arm === EVERY_ARM ? 'all arms' : (arms.find(({ id }) => id === arm)?.name ?? arm);
    return { update, places, words: `${name}: ${label} to ${nameOfValue(setting, value)}` };
  });
}

/** Smaller floors, in the metric's unit, are not told apart from 0. */
const LEAST = 0.005;

/** True if the part that nobody could foresee is large enough to be drawn. */
const isFloor = (points: readonly CurvePoint[]): boolean =>
  points.some(({ mean }) => mean.some((value) => (value ?? 0) > LEAST));
