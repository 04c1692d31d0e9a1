/** Memory that a run of a language model would take, before it begins. */
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { isOwnModel } from '../../../../environments/own/own';
import type { Experiment } from '../../../../experiment/experiment';
import { findModel } from '../../../../experiment/models';
import { Caption, firstSentence } from '../../../kit/Caption';
import { useLab, usePreferences } from '../../../model/useLab';

/** Milliseconds between the last change of the experiment and the question. */
const SETTLE = 400;

export function Memory({ experiment }: { experiment: Experiment }) {
  const { models } = useLab();
  const backend = usePreferences((state) => state.backend);
  const weighed = useStore(models.store, (state) => state.weighed);
  useEffect(() => {
    const timer = setTimeout(() => void models.weigh(experiment, backend), SETTLE);
    return () => clearTimeout(timer);
  }, [models, experiment, backend]);
  const { model } = experiment.policy;
  // The preset's own model is in its question.
  const begun = isOwnModel(model) ? `Begins from ${findModel(model)?.title ?? 'a model that is asked for'}. ` : '';
  // Until the estimate is there, words in its place keep the layout still.
  if (weighed === null) return <span className="small soft">{begun}Weighing</span>;
  const [said, rest] = firstSentence(weighed.text);
  return (
    <div data-testid="memory-told" role={weighed.isLacking ? 'alert' : undefined}>
      <Caption said={weighed.isLacking ? <span className="alarm">{said}</span> : `${begun}${said}`} about="its memory">
        {rest}
      </Caption>
    </div>
  );
}
