/** Results of the checks of a world, each with its line where it has one. */
import type { WorldDesk } from '../../../../store/desk/worldDesk';
import { formatPercent } from '../../../kit/format';
import { useWorldDesk } from './useWorldDesk';

const MARKS = new Map([
  [true, ['✓', 'holds', 'good']],
  [false, ['✗', 'does not hold', 'alarm']],
  [null, ['–', 'for your information', 'soft']],
] as const);

export function Checks({ desk }: { desk: WorldDesk }) {
  const report = useWorldDesk(desk, (state) => state.report);
  const checking = useWorldDesk(desk, (state) => state.checking);
  const failed = report?.checks.filter(({ ok }) => ok === false).length ?? 0;
  const verdict =
    failed === 0 ? 'nothing is wrong with it' : failed === 1 ? 'one does not hold' : `${failed} do not hold`;
  const said =
    checking === null
      ? verdict
      : checking === 0
        ? 'not looked at yet'
        : `a thousand random episodes, ${formatPercent(checking)}`;
  return (
    <div className="checks" data-testid="world-checks" data-checking={checking !== null}>
      <h3>
        Is it well made?{' '}
        <span className="soft small" role="status">
          {said}
        </span>
      </h3>
      <ul className={`stack close above-4 ${checking === null ? '' : 'soft'}`}>
        {report?.checks.map(({ id, ok, text, line }) => {
          const [mark, words, kind] = MARKS.get(ok) ?? ['', '', ''];
          return (
            <li key={`${id} ${text}`} data-check={id} data-ok={ok} className={`check ${kind}`}>
              <span aria-hidden="true">{mark}</span>
              <span>
                <span className="hidden-text">{words}: </span>
                {text.includes(`line ${line})`) || line === 0 ? text : `Line ${line}: ${text}`}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
