/** One change, opened: from where and to what it is, and a way to take it away. */

import type { Change } from '../../../../experiment/experiment';
import { Button } from '../../../kit/Button';
import { UpdateField, ValueField } from './ChangeFields';
import { useInterventions } from './useInterventions';

interface Props {
  readonly change: Change;
  readonly room: readonly [first: number, last: number];
  /** The run has made it already. */
  readonly hasActed: boolean;
  readonly onEdit: (next: Change) => void;
  readonly onDone: () => void;
}

export function ChangeForm({ change, room, hasActed, onEdit, onDone }: Props) {
  const interventions = useInterventions();
  const edit = (next: Change) => {
    interventions.edit(change, next);
    onEdit(next);
  };
  return (
    <div className="plan-fields start">
      <UpdateField
        id="mark-update"
        value={change.update}
        first={room[0]}
        last={room[1]}
        onChange={(update) => edit({ ...change, update })}
      />
      <ValueField
        id="mark-value"
        setting={change.setting}
        value={change.value}
        onChange={(value) => edit({ ...change, value })}
      />
      <p className="small soft">
        {hasActed
          ? 'The run has made this change: moved, changed or taken away, it holds from the next run.'
          : 'It acts when a run gets there.'}
      </p>
      <Button
        data-testid="mark-remove"
        onClick={() => {
          onDone();
          interventions.edit(change, null);
        }}
      >
        Take away
      </Button>
    </div>
  );
}
