/** Memory that a run of a language model would take, before it begins. */
import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { Experiment } from '../../../../experiment/experiment';
import { Caption, firstSentence } from '../../../kit/Caption';
import { useLab, usePreferences } from '../../../model/useLab';

/** Milliseconds between the last change of the experiment and the question. */
const SETTLE = 400;

/** Placeholder until the estimate of memory is there, so that the layout keeps still. */
const WEIGHING = <span className="small soft">Weighing</span>;

export function Memory({ experiment }: { experiment: Experiment }) {
  const { models } = useLab();
  const backend = usePreferences((state) => state.backend);
  const weighed = useStore(models.store, (state) => state.weighed);
  useEffect(() => {
    const timer = setTimeout(() => void models.weigh(experiment, backend), SETTLE);
    return () => clearTimeout(timer);
  }, [models, experiment, backend]);
  if (weighed === null) return WEIGHING;
  const [said, rest] = firstSentence(weighed.text);
  return (
    <div data-testid="memory-told" role={weighed.isLacking ? 'alert' : undefined}>
      <Caption said={weighed.isLacking ? <span className="alarm">{said}</span> : said} about="its memory">
        {rest}
      </Caption>
    </div>
  );
}
