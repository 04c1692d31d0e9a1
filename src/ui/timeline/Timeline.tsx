/** Every setting changed while training, in order: what the hollow marks on the charts stand for. */
import { armSettings } from '../../experiment/experiment';
import { EVERY_ARM } from '../../experiment/timeline';
import { formatSetting } from '../format';
import { useLabState } from '../useLab';
import './timeline.css';

export function Timeline() {
  const { timeline, arms } = useLabState((state) => state.running ?? state.edited);
  const started = useLabState((state) => state.running !== null);
  const happenings = useLabState((state) => state.happenings);
  return (
    <section className="panel" aria-labelledby="timeline">
      <h2 id="timeline">Changes made while training</h2>
      {timeline.length === 0 ? (
        <p className="soft small">None so far. A change is marked on every chart and travels with the link.</p>
      ) : (
        <ol className="timeline" data-testid="timeline">
          {timeline.map(({ update, arm, setting, value }) => (
            <li key={`${update}:${arm}:${setting}`}>
              <span className="timeline-mark" aria-hidden="true" />
              {started ? '' : 'will act '}from update {update}:{' '}
              {arm === EVERY_ARM ? 'all arms' : (arms.find(({ id }) => id === arm)?.name ?? arm)},{' '}
              {armSettings.find(({ path }) => path === setting)?.label ?? setting} to <b>{formatSetting(value)}</b>
            </li>
          ))}
        </ol>
      )}
      {happenings.length > 0 && (
        <ul className="timeline" data-testid="happenings">
          {happenings.map(({ update, text }) => (
            <li key={`${update}:${text}`}>
              <span className="timeline-mark timeline-mark-device" aria-hidden="true" />
              at update {update}: {text}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
