/** The same curve as a table: every update with its mean and interval; each seed's own number at full precision. */

import { summarise } from '../../experiment/statistics';
import { useLab, useLabState } from '../useLab';
import type { ChartDefinition } from './definitions';

/** Rows drawn at most: the newest. */
const ROWS = 500;

export function CurveTable({ definition }: { definition: ChartDefinition }) {
  const lab = useLab();
  useLabState((state) => state.tick);
  const arms = useLabState((state) => state.running?.arms);
  const history = lab.store.getState().history;
  if (history === null || arms === undefined) return <p className="soft small">Nothing has been measured yet.</p>;
  const first = Math.max(0, history.count - ROWS);
  const rows = Array.from({ length: history.count - first }, (_, index) => history.count - 1 - index);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="curve-table" tabIndex={0} aria-label={`${definition.title}, table`}>
      <table>
        <caption className="small soft">
          {definition.title}, {definition.unit}: mean and 95% interval over seeds, newest first
          {first > 0 ? `; the last ${ROWS} updates` : ''}
        </caption>
        <thead>
          <tr>
            <th scope="col">update</th>
            {arms.map(({ id, name }) => (
              <th key={id} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((update) => (
            <tr key={update}>
              <th scope="row">{update}</th>
              {arms.map(({ id }, arm) => {
                const seeds = history.ofSeeds(update, arm, definition.metric);
                const { mean, interval } = summarise(seeds);
                return (
                  <td key={id} data-arm={id} data-update={update} data-value={mean ?? ''} data-seeds={seeds.join(' ')}>
                    {mean === null ? 'not measured' : definition.format(mean)}
                    {interval === null
                      ? ''
                      : ` (${definition.format(interval[0])} to ${definition.format(interval[1])})`}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
