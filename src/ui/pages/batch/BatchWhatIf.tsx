/** The batch under other losses of the lab, side by side; worked out in the Worker. */
import { useState } from 'react';
import { useStore } from 'zustand';
import type { Told } from '../../../batch/words/told';
import { whatIfCells, whatIfNotes } from '../../../batch/words/whatIf';
import { objectivePresets } from '../../../experiment/objectives/objectivePresets';
import type { BatchDesk } from '../../../store/desk/batch';
import { Choice } from '../../kit/Choice';
import { CellTable } from './CellTable';

const FIRST = ['dapo', 'gspo', 'no-mask'];

export function BatchWhatIf({ told, desk }: { told: Told; desk: BatchDesk }) {
  const [names, setNames] = useState<readonly string[]>(FIRST);
  const isBusy = useStore(desk.store, ({ phase }) => phase === 'comparing');
  const compare = (chosen: readonly string[]) => {
    setNames(chosen);
    desk.compare(chosen);
  };
  const { whatIf } = told;
  return (
    <section className="batch-part" aria-labelledby="batch-what-if">
      <h3 id="batch-what-if">What if</h3>
      <p className="small soft">
        The lab’s own losses on these log-probs: what each would do to every token, without the gradient of parameters.
      </p>
      <div className="batch-buttons">
        <button
          type="button"
          className="button button-primary"
          data-testid="batch-compare"
          disabled={isBusy}
          onClick={() => compare(names)}
        >
          Compare {names.join(', ')}
        </button>
        <Choice
          label="Add"
          place="batch-choice"
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
      {whatIf !== null && (
        <>
          <CellTable
            cells={whatIfCells(whatIf)}
            caption="The batch under other losses"
            testId="batch-losses"
            busy={isBusy}
          />
          <ul className="small">
            {whatIfNotes(whatIf).map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
