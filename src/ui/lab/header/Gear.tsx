/** What one needs now and then: all settings, the machine and how it does, the theme, help; on a phone what has no room in the header. */
import type { ReactNode } from 'react';
import type { Theme } from '../../../store/keep/preferences';
import { Choice, type Option } from '../../kit/Choice';
import { PopoverButton } from '../../kit/PopoverButton';
import { BEHIND_GEAR, isHidden } from '../../place';
import { useLab, useLabState, usePreferences } from '../../useLab';
import { Machine } from '../machine/Machine';
import { PlaceLink } from './PlaceLink';
import './gear.css';

const THEMES: readonly Option<Theme>[] = [
  ['system', 'as the system'],
  ['light', 'light'],
  ['dark', 'dark'],
];

interface Props {
  readonly onHelp: () => void;
  /** What stands first in the panel; it is given what closes it before it does something. */
  readonly children: (closed: (then: () => void) => void) => ReactNode;
}

export function Gear({ onHelp, children }: Props) {
  const lab = useLab();
  const theme = usePreferences((state) => state.theme);
  const hidden = useLabState((state) => state.hidden);
  const places = BEHIND_GEAR.filter((id) => !isHidden(id, hidden));
  return (
    <PopoverButton
      label="Settings, machine and help"
      name="Settings, machine and help"
      words={<Wheel />}
      className="gear-button"
      testId="gear"
    >
      {(close) => {
        const closed = (then: () => void) => {
          close();
          then();
        };
        return (
          <div className="gear">
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
              place="gear-choice"
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
      }}
    </PopoverButton>
  );
}

/** Eight teeth around a hole. */
function Wheel() {
  return (
    <svg viewBox="-12 -12 24 24" width="20" height="20" aria-hidden="true">
      <g fill="none" stroke="currentColor" strokeWidth="1.75">
        <circle r="6.5" />
        <circle r="2.25" />
        {[0, 45, 90, 135, 180, 225, 270, 315].map((turn) => (
          <path key={turn} d="M0-6.5v-3.5" strokeWidth="3" transform={`rotate(${turn})`} />
        ))}
      </g>
    </svg>
  );
}
