/** A chart as data, in its own units: the source of every chart of the page, on the screen and in files. */
import type { ReactNode } from 'react';
import type { ValueAxis } from './axes';
import type { Placement } from './placement';

export interface PlotPoint {
  readonly at: number;
  /** Value; null where nothing was measured: the line has a gap. */
  readonly value: number | null;
  readonly band?: readonly [low: number, high: number] | null;
}

/**
 * Meaning of a line: a mean, the floor below which the mean cannot get, another line behind it, or another line that is
 * the same and shows through it. The crosshair tells the means.
 */
export type SeriesKind = 'mean' | 'floor' | 'behind' | 'same';

export interface Series {
  readonly id: string;
  readonly name: string;
  /** Words shown where it is pointed at; its name unless told. */
  readonly title?: string;
  readonly kind: SeriesKind;
  readonly colour: string;
  readonly dash?: string;
  /** Points in the order of their places. */
  readonly points: readonly PlotPoint[];
  /** Gaps are joined: it is measured only now and then. */
  readonly isJoined?: boolean;
  /** A dot at each point. */
  readonly hasDots?: boolean;
  /** Text after the line's name, which is right of the plot, at the height of its end. */
  readonly label?: string;
  /** True if the line ended before others: its name is at its own end, on the plot. */
  readonly isShort?: boolean;
}

export interface PlotAxis extends Omit<ValueAxis, 'log'> {
  readonly log?: boolean;
  readonly write: (value: number) => string;
}

export interface HorizontalPlotAxis extends PlotAxis {
  /** Words for a place, in the crosshair. */
  readonly words: (at: number) => string;
  /** Name, written under the axis. */
  readonly name?: string;
  /** Pixels between its ends and the plot's. */
  readonly inset?: number;
}

/** A hollow circle, which the crosshair tells of in words. */
export interface Mark {
  readonly at: number;
  readonly value: number;
  readonly colour: string;
  readonly words: string;
  /** Words that tell the mark without the chart. */
  readonly title: string;
}

export interface PlotProps {
  readonly title: string;
  /** Description for those who do not see it: what is drawn, and where its numbers are. */
  readonly description: string;
  readonly across: HorizontalPlotAxis;
  readonly up: PlotAxis;
  readonly series: readonly Series[];
  readonly reference?: { readonly value: number; readonly name: string } | null;
  /** Name of the lines behind, all of them, where there are any. */
  readonly behind?: string;
  /** Name of the floors, all of them, where there are any. */
  readonly floor?: string;
  readonly marks?: readonly Mark[];
  /** A value, and its interval where there is one, in the crosshair. */
  readonly format: (value: number, interval: PlotPoint['band']) => string;
  /** Pixels above the plot, and right of it for names. */
  readonly head?: number;
  readonly room?: number;
  /** Plots of the same name share their crosshair. */
  readonly together?: string;
  /** Further things drawn on the plot, in pixels. */
  readonly over?: (placement: Placement) => ReactNode;
}
