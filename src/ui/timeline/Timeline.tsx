/**
 * What changes in the course of a run, in order: settings, which the hollow marks on the charts stand for, and what the run
 * ran on.
 */
import { type Arm, armSettings, type Change } from '../../experiment/experiment';
import type { MachineEntry } from '../../experiment/machines';
import { labelOfLossPart } from '../../experiment/ownLossSettings';
import { EVERY_ARM } from '../../experiment/timeline';
import { machineWords, timelineRows } from '../../store/timelineRows';
import { nameOfValue } from '../controls/valueNames';
import { useLab, useLabState } from '../useLab';
import { PlanChange } from './PlanChange';
import './timeline.css';

export function Timeline() {
  const { timeline, arms } = useLabState((state) => state.running ?? state.edited);
  const started = useLabState((state) => state.running !== null);
  const machines = useLabState((state) => state.machines);
  const linked = useLabState((state) => state.linkedMachines);
  const happenings = useLabState((state) => state.happenings);
  const rows = timelineRows(timeline, machines);
  return (
    <section className="panel" aria-labelledby="timeline">
      <h3 id="timeline">Timeline</h3>
      {rows.length === 0 ? (
        <p className="soft small">
          None so far. A change made during a run is marked on every chart and travels with the link; before a run,
          changes can be planned.
        </p>
      ) : (
        <ol className="timeline" data-testid="timeline">
          {rows.map((row) =>
            row.type === 'change' ? (
              <li key={`${row.update}:${row.change.arm}:${row.change.setting}`}>
                <span className="timeline-mark" aria-hidden="true" />
                {started ? '' : 'will act '}from update {row.update}: <ChangeWords change={row.change} arms={arms} />
                {!started && <Unplan change={row.change} />}
              </li>
            ) : (
              <MachineRow key={`${row.update}:machine`} entry={row.entry} before={row.before} />
            ),
          )}
        </ol>
      )}
      {!started && <PlanChange />}
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
      {linked.length > 0 && (
        <>
          <p className="soft small">What the run behind the link you opened ran on; yours need not:</p>
          <ol className="timeline" data-testid="linked-machines">
            {linked.map((entry, i) => (
              <MachineRow key={entry.update} entry={entry} before={linked[i - 1] ?? null} />
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function ChangeWords({ change: { arm, setting, value }, arms }: { change: Change; arms: readonly Arm[] }) {
  return (
    <>
      {arm === EVERY_ARM ? 'all arms' : (arms.find(({ id }) => id === arm)?.name ?? arm)},{' '}
      {armSettings.find(({ path }) => path === setting)?.label ?? labelOfLossPart(setting)} to{' '}
      <b>{nameOfValue(setting, value)}</b>
    </>
  );
}

/** Takes back a change that was planned. */
function Unplan({ change }: { change: Change }) {
  const lab = useLab();
  const remove = () => {
    const { edited } = lab.store.getState();
    lab.editor.edit({ ...edited, timeline: edited.timeline.filter((planned) => planned !== change) });
  };
  const label = `Remove the change at update ${change.update}`;
  return (
    <button type="button" className="button button-quiet small plan-remove" aria-label={label} onClick={remove}>
      Remove
    </button>
  );
}

function MachineRow({ entry, before }: { entry: MachineEntry; before: MachineEntry | null }) {
  return (
    <li data-backend={entry.backend}>
      <span className="timeline-mark timeline-mark-device" aria-hidden="true" />
      from update {entry.update}: {machineWords(entry, before)}
    </li>
  );
}
