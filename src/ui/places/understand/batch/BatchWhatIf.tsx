/** The batch under other losses of the lab, side by side; worked out in the Worker. */

import { useState } from 'react';
import { useStore } from 'zustand';
import type { BatchSummary } from '../../../../batch/words/told';
import { whatIfCells, whatIfNotes } from '../../../../batch/words/whatIf';
import { objectivePresets } from '../../../../experiment/objectives/objectivePresets';
import type { BatchDesk } from '../../../../store/desk/batch';
import { Button } from '../../../kit/Button';
import { Caption } from '../../../kit/Caption';
import { Choice } from '../../../kit/Choice';
import { Refusal } from '../../../kit/Fields';
import { Titled } from '../../../kit/Titled';
import { CellTable } from './CellTable';

const EXAMPLE = 'ratio = exp(logp - old_logp)\nloss = -min(ratio * advantage, clip(ratio, 0.8, 1.28) * advantage)';

/** Message of a failure, with advice. */
export function Failure({ desk }: { desk: BatchDesk }) {
  const failure = useStore(desk.store, (state) => state.failure);
  return <Refusal problem={failure} className="" data-testid="batch-failure" />;
}

const FIRST = ['dapo', 'gspo', 'no-mask'];

export function BatchWhatIf({ told, desk }: { told: BatchSummary; desk: BatchDesk }) {
  const [names, setNames] = useState<readonly string[]>(FIRST);
  const [formula, setFormula] = useState('');
  const isBusy = useStore(desk.store, ({ phase }) => phase === 'comparing');
  const compare = (chosen: readonly string[]) => {
    setNames(chosen);
    desk.compare(chosen, formula);
  };
  const { whatIf } = told;
  return (
    <Titled title="What if" className="batch-part">
      <Caption said="The lab’s own losses on these log-probs." about="the losses">
        They tell what each would do to every token, without the gradient of parameters.
      </Caption>
      <div className="row padded">
        <Button
          className="button-primary wraps to-left"
          data-testid="batch-compare"
          disabled={isBusy}
          onClick={() => compare(names)}
        >
          Compare {names.join(', ')}
          {formula.trim() !== '' && ', your formula'}
        </Button>
        <Choice
          label="Add"
          place="line inline fit unbroken"
          testId="batch-add"
          value={null}
          unset="an objective"
          disabled={isBusy}
          options={objectivePresets
            .filter(({ id }) => !names.includes(id))
            .map(({ id, title: words }) => [id, words] as const)}
          onChoose={(id) => compare([...names, id])}
        />
      </div>
      <details className="batch-formula">
        <summary data-testid="batch-formula-open">A formula of your own</summary>
        <label className="small soft block padded" htmlFor="batch-formula">
          Loss of one token, in place of the policy loss
        </label>
        <Caption said="It reads logp, old_logp, sampler_logp, ref_logp, advantage." about="formulas">
          And what else a formula of the lab does (docs/formulas.md). The lab’s own advantages and mean stay.
        </Caption>
        <textarea
          id="batch-formula"
          className="field"
          rows={4}
          spellCheck={false}
          placeholder={EXAMPLE}
          maxLength={4000}
          data-testid="batch-formula"
          value={formula}
          onChange={({ target }) => setFormula(target.value)}
        />
      </details>
      <Failure desk={desk} />
      {whatIf !== null && (
        <>
          <CellTable
            cells={whatIfCells(whatIf)}
            caption="The batch under other losses"
            testId="batch-losses"
            busy={isBusy}
          />
          <ul className="small bullets">
            {whatIfNotes(whatIf).map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </>
      )}
    </Titled>
  );
}
