import type { ComponentProps } from 'react';
import type { Theme } from '../../../store/keep/preferences';
import { Choice, type Option } from '../../kit/Choice';
import { BEHIND_GEAR, isHidden } from '../../model/place';
import { useLab, useLabState, usePreferences } from '../../model/useLab';
import { Machine } from '../machine/Machine';
import type { Gear } from './Gear';
import { PlaceLink } from './PlaceLink';

const THEMES: readonly Option<Theme>[] = [
  ['system', 'as the system'],
  ['light', 'light'],
  ['dark', 'dark'],
];

export function GearPanel({ onHelp, close, children }: ComponentProps<typeof Gear> & { readonly close: () => void }) {
  const lab = useLab();
  const theme = usePreferences((state) => state.theme);
  const hidden = useLabState((state) => state.hidden);
  const places = BEHIND_GEAR.filter((id) => !isHidden(id, hidden));
  const closed = (then: () => void) => {
    close();
    then();
  };
  return (
    <div className="gear stack wide start">
      {children(closed)}
      {places.length > 0 && (
        <nav aria-label="Settings and machine">
          <ul>
            {places.map((id) => (
              <li key={id}>
                <PlaceLink id={id} onGo={close} />
              </li>
            ))}
          </ul>
        </nav>
      )}
      <Machine />
      <Choice
        place="line inline"
        label="Theme"
        testId="theme"
        value={theme}
        options={THEMES}
        onChoose={(chosen) => lab.preferences.setState({ theme: chosen })}
      />
      <button type="button" className="button" data-testid="help" onClick={() => closed(onHelp)}>
        Help
      </button>
    </div>
  );
}
