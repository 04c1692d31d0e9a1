/** Which runs and which of their arms are compared: the one on screen, the pinned one, and any others that are kept. */
import { contendersOf } from '../../store/contenders';
import { plural } from '../format';
import { useKeptRuns, useLab } from '../useLab';

interface Props {
  /** Keys of those that are left out. */
  readonly without: readonly string[];
  readonly onChange: (without: readonly string[]) => void;
}

export function Contenders({ without, onChange }: Props) {
  const lab = useLab();
  const { runs, shown, pinned, compared } = useKeptRuns((state) => state);
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
      <fieldset>
        <legend className="small soft">Kept runs beside the one on screen</legend>
        {runs
          .filter(({ id }) => id !== shown)
          .map((run) => (
            <label key={run.id}>
              <input
                type="checkbox"
                checked={run.id === pinned || compared.includes(run.id)}
                disabled={run.id === pinned}
                data-testid={`compare-run-${run.id}`}
                onChange={({ target }) => void lab.kept.compare(run, target.checked)}
              />{' '}
              {run.name}, {plural(run.updates, 'update')}
              {run.id === pinned ? ', pinned' : ''}
            </label>
          ))}
      </fieldset>
    </details>
  );
}
