/** A metric's chart as Recharts draws it. */
import { Plot } from '../kit/plot/Plot';
import type { Drawing } from './drawing';
import { plotOf } from './plotted';

export const MetricPlot = ({ drawing }: { readonly drawing: Drawing }) => <Plot {...plotOf(drawing)} />;
