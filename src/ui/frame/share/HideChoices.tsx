/** Parts of the page that a link hides at first: for a lesson in which only one thing is to be changed. */
import { HIDEABLE, HIDEABLES, type Hideable } from '../../../experiment/link/hidden';

interface Props {
  readonly hidden: readonly Hideable[];
  readonly onChange: (hidden: readonly Hideable[]) => void;
}

export function HideChoices({ hidden, onChange }: Props) {
  return (
    <details className="small">
      <summary data-testid="hide">
        Hide from the receiver{hidden.length === 0 ? '' : `: ${hidden.length} of ${HIDEABLES.length}`}
      </summary>
      <fieldset className="cards stack row-close above-8">
        <legend className="soft">The page says what is hidden, and shows it when asked.</legend>
        {HIDEABLES.map((part) => (
          <label key={part}>
            <input
              type="checkbox"
              data-testid={`hide-${part}`}
              checked={hidden.includes(part)}
              onChange={({ target }) =>
                // In the list's order, so that the same choice is the same link.
                onChange(HIDEABLES.filter((one) => (one === part ? target.checked : hidden.includes(one))))
              }
            />{' '}
            {HIDEABLE[part]}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
