/**
 * Charts for finding out why: folded away, and neither drawn nor loaded until opened. Own losses, worlds apart, texts and
 * examinations stand before them.
 */
import { useEffect, useMemo, useState } from 'react';
import { type ChartDefinition, isOf } from '../../../model/charts/kinds/definition';
import {
  asExamined,
  examinationCharts,
  textCharts,
  textExaminationCharts,
  toolCharts,
  toolOffCharts,
  worldCharts,
} from '../../../model/charts/kinds/definitions';
import { detailCharts } from '../../../model/charts/kinds/detailDefinitions';
import { useIsAsked } from '../../../model/charts/kinds/shownChart';
import { worldOf } from '../../../model/environment';
import { useLabState } from '../../../model/useLab';
import { ChartCards } from './ChartCards';
import { shownCharts } from './shownDefinitions';

export function DetailCharts() {
  const [open, setOpen] = useState(false);
  const experiment = useLabState(({ running, edited }) => running ?? edited);
  const charts = detailCharts.filter((definition) => isOf(experiment, definition));
  const asked = useIsAsked((metric) => charts.some((definition) => definition.metric === metric));
  useEffect(() => {
    if (asked) setOpen(true);
  }, [asked]);
  return (
    <>
      <ChartCards title="Losses of your own" charts={useShownCharts()} />
      <ChartCards title="Each world of the mixture apart" testId="worlds-apart" charts={useWorldCharts()} />
      <ChartCards title="How they write" testId="texts" charts={useTextCharts()} />
      <ExaminationCharts />
      <details className="detail-charts" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{`${charts.length} more measurements: groups, ratios, distances, gradients, critic, parts of the reward`}</summary>
        {open && <ChartCards charts={charts} />}
      </details>
    </>
  );
}

/** Values that the arms' own losses show (`show` in their texts). */
function useShownCharts(): readonly ChartDefinition[] {
  // Arms trained at present, which may be older than the edited ones.
  const arms = useLabState(({ running, told, edited }) => (running === null ? edited.arms : told));
  return useMemo(() => shownCharts(arms), [arms]);
}

/** Success in each world of a mixture; none where the environment is no mixture. */
export function useWorldCharts(): readonly ChartDefinition[] {
  const environment = useLabState(({ running, edited }) => (running ?? edited).environment);
  const parts = worldOf(environment)?.environment.parts ?? [];
  return worldCharts.filter(({ world }) => parts.some(({ id }) => id === world));
}

/** Metrics that are measured of any text. */
const OF_ANY_TEXT: readonly string[] = ['repeatedWords', 'ordinaryCrossEntropy'];

/** Charts of the texts that policies write, and of what they have kept and carry over where they are examined. */
function useTextCharts(): readonly ChartDefinition[] {
  const { evaluation, environment } = useLabState((state) => state.running ?? state.edited);
  const { texts, model } = worldOf(environment)?.environment ?? {};
  if (texts === undefined && model === undefined) return [];
  const all = [...textCharts, ...(evaluation.every > 0 ? textExaminationCharts : [])];
  // A world that is played elsewhere was written by somebody: nothing is asked for that could be taken up.
  return texts === undefined ? all.filter(({ metric }) => OF_ANY_TEXT.includes(metric)) : all;
}

/** Examinations: success on the same tasks each time, and without the policies' tool. */
function ExaminationCharts() {
  const { evaluation, environment } = useLabState((state) => state.running ?? state.edited);
  const world = worldOf(environment);
  const hasHeldOut = world?.environment.hasHeldOut === true;
  const hasTool = (world?.environment.withTool?.('down') ?? null) !== null;
  const ofTool =
    hasTool && evaluation.toolEvery > 0
      ? toolCharts.filter(({ metric }) => hasHeldOut || !metric.startsWith('new'))
      : [];
  const ofTasks = evaluation.every > 0 ? [...(hasTool ? toolOffCharts : []), ...examinationCharts] : [];
  const which = hasHeldOut
    ? `, which training never draws${ofTool.length > 0 ? ', but for those called practised' : ''}`
    : '';
  return (
    <ChartCards
      title={`Examined on the same tasks each time${which}`}
      testId="examinations"
      charts={[...ofTasks, ...ofTool].map((definition) => asExamined(definition, hasHeldOut))}
    />
  );
}
