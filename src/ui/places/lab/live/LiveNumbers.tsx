/**
 * Numbers that a person turns while arms train, of one arm or of all, beside the curves that they move. Before a run
 * the first of them is shown, and the others on request. What stands above them keeps its place when they unfold.
 */

import { useState } from 'react';
import { isFixed } from '../../../../experiment/arm/policyFiles';
import { isRelevant } from '../../../../experiment/arm/relevance';
import { isLive } from '../../../../store/lab';
import { Button } from '../../../kit/Button';
import { Choice } from '../../../kit/Choice';
import { changeWords, nameOfChange } from '../../../model/changeWords';
import { worldOf } from '../../../model/environment';
import { placeLink } from '../../../model/place';
import { ArmControl, EVERY } from '../../../model/settings/ArmControl';
import { FIRST } from '../../../model/settings/armSections';
import { OwnNumbers } from '../../../model/settings/OwnLosses';
import { useScope } from '../../../model/settings/scope';
import { SweepASetting } from '../../../model/sweep/SweepButton';
import { useAsking } from '../../../model/useAsking';
import { useHidden } from '../../../model/useHidden';
import { useLabParts, useLabState } from '../../../model/useLab';
import '../../../model/settings/controls-panel.css';
import './live.css';

/** The first settings of an arm, but for those that are chosen once. */
const LIVE = FIRST.filter((path) => path !== 'learningRateWarmUp' && path !== 'innerEpochs');

export function LiveNumbers() {
  const [scope, setScope] = useScope();
  const arms = useLabState((state) => state.edited.arms);
  const environment = worldOf(useLabState((state) => state.edited.environment))?.environment;
  const settingsHidden = useHidden('settings');
  const concerned = arms.filter((arm) => !isFixed(arm) && (scope === EVERY || arm.id === scope));
  const isAsking = useAsking();
  const [open, setOpen] = useState(false);
  const isShort = isAsking && !open;
  const shown = LIVE.slice(0, isShort ? 1 : LIVE.length).filter(
    (path) => path === 'ce.observation' || concerned.some((arm) => isRelevant(arm, path, environment)),
  );
  return (
    <section className="live stack" aria-labelledby="live-title" data-testid="live">
      <div className="live-head line across apart between tall">
        <h2 id="live-title" className="fine">
          Live numbers
        </h2>
        {!isShort && (
          <Choice
            label="Arm"
            labelClass="hidden-text"
            value={scope}
            options={[[EVERY, 'all arms'], ...arms.map(({ id, name }) => [id, name] as const)]}
            onChoose={setScope}
          />
        )}
      </div>
      <p className="small soft row words-apart baseline across">
        {isAsking ? (
          <Button
            className="button-quiet small"
            aria-expanded={open}
            data-testid="live-more"
            onClick={() => setOpen(!open)}
          >
            {open ? 'Fewer numbers' : 'More numbers'}
          </Button>
        ) : (
          <Applies />
        )}{' '}
        {!settingsHidden && (
          <a className="button button-quiet small" href={placeLink('settings')}>
            All settings
          </a>
        )}
      </p>
      {shown.map((path) => (
        <ArmControl key={path} path={path} scope={scope} isLive />
      ))}
      {(isShort ? [] : concerned).flatMap((arm) =>
        arm.losses.map((loss) => <OwnNumbers key={`${arm.id} ${loss.name}`} arm={arm} loss={loss} isLive />),
      )}
      {!isShort && !settingsHidden && (
        <div>
          <SweepASetting testId="sweep-live" className="button button-quiet small" />
        </div>
      )}
    </section>
  );
}

/** Update from which a number holds, and the last change of the run that trains. */
function Applies() {
  const { phase, running, update } = useLabParts('phase', 'running', 'update');
  if (running === null || !isLive({ phase, running })) return 'They hold from the next run.';
  const last = running.timeline.findLast((change) => change.update <= update + 1);
  return (
    <span role="status" data-testid="last-change">
      {last === undefined
        ? 'They apply at the next update.'
        : `From update ${last.update}: ${nameOfChange(changeWords(running, last))}.`}
    </span>
  );
}
