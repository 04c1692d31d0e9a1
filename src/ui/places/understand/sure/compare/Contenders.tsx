/** Choice of the runs and arms that are compared: the run on screen, the pinned one, and any others that are kept. */
import { contendersOf } from '../../../../../store/look/contenders';
import { plural } from '../../../../kit/format';
import { placeLink } from '../../../../model/place';
import { useKeptRuns, useLab } from '../../../../model/useLab';

interface Props {
  /** Keys of those that are left out. */
  readonly without: readonly string[];
  readonly onChange: (without: readonly string[]) => void;
}

export function Contenders({ without, onChange }: Props) {
  const lab = useLab();
  // The contenders are those of the kept runs that were chosen.
  useKeptRuns((state) => state);
  const contenders = contendersOf(lab.recordedRuns());
  const chosen = contenders.filter(({ key }) => !without.includes(key)).length;
  return (
    <details className="contenders" data-testid="contenders">
      <summary>
        Runs and arms compared: {chosen} of {plural(contenders.length, 'arm')}
      </summary>
      <fieldset>
        <legend className="small soft">Arms</legend>
        {contenders.map(({ key, name }) => (
          <label key={key}>
            <input
              type="checkbox"
              checked={!without.includes(key)}
              data-testid={`contender-${key.replace(' ', '-')}`}
              onChange={({ target }) =>
                onChange(target.checked ? without.filter((one) => one !== key) : [...without, key])
              }
            />{' '}
            {name}
          </label>
        ))}
      </fieldset>
      <p className="small">
        <a href={placeLink('runs')}>Choose kept runs</a> to compare them with the one on screen.
      </p>
    </details>
  );
}
