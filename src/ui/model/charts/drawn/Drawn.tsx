/** A metric's chart as the run stands now; redrawn only while it is on screen. Loaded apart from the page. */
import { numbersLeft } from '../../../kit/plot/axes';
import { Plot } from '../../../kit/plot/Plot';
import type { Prepare } from '../../../kit/plot/turns';
import { Zoomable } from '../../../kit/plot/Zoomable';
import { useAsking } from '../../useAsking';
import { useLab, usePreferences } from '../../useLab';
import { useRandomSuccess } from '../../useRandomSuccess';
import { ChartBody } from '../ChartBody';
import type { ChartDefinition } from '../kinds/definition';
import { type ChartDrawing, drawingOf, placeOf } from './drawing';
import { noteOf } from './note';
import { plotOf, ROOM } from './plotted';
import { shapeOf, useCompletion, useRedraw } from './redraw';
import { zoomOf, zoomTo } from './zoom';

interface DrawnProps {
  readonly definition: ChartDefinition;
  readonly visible: boolean;
  readonly prepare: Prepare;
  readonly compact: boolean;
}

function Zoomed({ drawing }: { readonly drawing: ChartDrawing }) {
  const { horizontal, zoom } = drawing;
  const plot = plotOf(drawing);
  return (
    <Zoomable
      title={plot.title}
      whole={[0, horizontal.end]}
      seen={zoom}
      onSee={(range) => zoomTo(horizontal.over, range)}
      words={plot.across.words}
      isBrushed={!useAsking()}
      margins={[numbersLeft(plot.up), ROOM]}
    >
      <Plot {...plot} />
    </Zoomable>
  );
}

export function Drawn({ definition, visible, prepare, compact }: DrawnProps) {
  const lab = useLab();
  const { running, edited, ghost } = lab.store.getState();
  const experiment = running ?? edited;
  const choice = usePreferences((state) => state.crossEntropyAxis);
  const byHand = usePreferences((state) => state.axes[definition.metric]);
  const again = useRedraw(visible, prepare);
  const randomSuccess = useRandomSuccess(placeOf(definition, experiment));
  // Charts follow other choices one after the other, as they do new measurements.
  const drawing = drawingOf(definition, shapeOf(lab, definition), {
    experiment,
    curves: visible ? lab.curves() : null,
    ghost: visible ? ghost : null,
    choice,
    byHand,
    randomSuccess,
    zoom: zoomOf,
  });
  useCompletion(drawing.isComplete, prepare, again);
  const smoothing = compact ? 1 : lab.preferences.getState().smoothing;
  const note = noteOf(drawing, { smoothing, seeds: compact ? null : experiment.seeds });
  return (
    <ChartBody definition={definition} note={note}>
      {visible && <Zoomed drawing={drawing} />}
    </ChartBody>
  );
}
