/**
 * The comparison's rows, computed again at most every two seconds while numbers arrive, one arm a task: bootstraps of
 * many seeds take their time, and the page must not wait.
 */
import { useEffect, useState } from 'react';
import { type Comparison, compare, type Summary } from '../../../../../experiment/conclude/comparison';
import {
  arePaired,
  type Contender,
  commonUpdates,
  contendersOf,
  summariesOfSeeds,
} from '../../../../../store/look/contenders';
import type { Lab } from '../../../../../store/openLab';
import { useLab } from '../../../../model/useLab';
import { type Measure, scaleOf } from './measures';

const EVERY = 2000;

export interface ComparisonRow {
  readonly contender: Contender;
  readonly values: readonly number[];
  readonly comparison: Comparison;
}

export interface Compared {
  readonly rows: readonly ComparisonRow[];
  readonly updates: number;
}

interface Asked {
  readonly measure: Measure;
  readonly summary: Summary;
  /** A contender's key; one that is not there is the first. */
  readonly baseline: string;
  /** Keys of contenders, parted by commas. */
  readonly without?: string;
}

/** Comparison; null until the first rows are there. */
export function useComparison({ measure, summary, baseline, without = '' }: Asked): Compared | null {
  const lab = useLab();
  const [compared, setCompared] = useState<Compared | null>(null);
  useEffect(
    () => keepCompared(lab, { measure, summary, baseline, without }, setCompared),
    [lab, measure, summary, baseline, without],
  );
  return compared;
}

/** Tells the rows now and whenever there are new measurements, until the answer is called. */
function keepCompared(lab: Lab, asked: Asked, tell: (compared: Compared | null) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let due = false;
  const rest = (): void => {
    timer = undefined;
    if (due) compute();
  };
  const compute = (): void => {
    due = false;
    const remaining = rowsOf(lab, asked);
    const rows: ComparisonRow[] = [];
    const next = (): void => {
      const { done, value } = remaining.next();
      if (!done) rows.push(value);
      else tell(value === 0 ? null : { rows, updates: value });
      timer = setTimeout(done ? rest : next, done ? EVERY : 0);
    };
    timer = setTimeout(next, 0);
  };
  compute();
  const again = (): void => {
    due = true;
    if (timer === undefined) compute();
  };
  const stops = [
    lab.store.subscribe((now, before) => {
      const same = now.tick === before.tick && now.history === before.history && now.ghost === before.ghost;
      if (!same || now.running !== before.running) again();
    }),
    lab.kept.store.subscribe((now, before) => {
      if (now.compared !== before.compared || now.shown !== before.shown) again();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    clearTimeout(timer);
  };
}

/** Yields a row an arm and returns the number of updates they are of. */
function* rowsOf(lab: Lab, { measure, summary, baseline, without = '' }: Asked): Generator<ComparisonRow, number> {
  const left = without.split(',');
  const contenders = contendersOf(lab.recordedRuns()).filter(({ key }) => !left.includes(key));
  const runs = [...new Set(contenders.map(({ run }) => run))];
  const against = contenders.find(({ key }) => key === baseline) ?? contenders[0];
  if (against === undefined) return 0;
  const updates = commonUpdates(runs);
  if (updates === 0) return 0;
  const { lowerIsBetter } = scaleOf(measure, summary);
  const theirs = summariesOfSeeds(against, measure.metric, summary, updates);
  for (const contender of contenders) {
    const values = summariesOfSeeds(contender, measure.metric, summary, updates);
    const paired = contender === against ? null : arePaired(contender, against);
    yield {
      contender,
      values,
      comparison: compare(values, paired === null ? null : theirs, lowerIsBetter, paired ?? false),
    };
  }
  return updates;
}
