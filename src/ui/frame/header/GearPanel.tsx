import type { Theme } from '../../../store/keep/preferences';
import { Button } from '../../kit/Button';
import { Choice, type Option } from '../../kit/Choice';
import { BEHIND_GEAR, isHidden } from '../../model/place';
import { useLab, useLabState, usePreferences } from '../../model/useLab';
import { Machine } from '../machine/Machine';
import { PlaceLink } from './PlaceLink';

const THEMES: readonly Option<Theme>[] = [
  ['system', 'as the system'],
  ['light', 'light'],
  ['dark', 'dark'],
];

export function GearPanel({ onHelp, close }: { onHelp: () => void; close: () => void }) {
  const lab = useLab();
  const theme = usePreferences((state) => state.theme);
  const hidden = useLabState((state) => state.hidden);
  const places = BEHIND_GEAR.filter((id) => !isHidden(id, hidden));
  return (
    <div className="gear stack wide start">
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
      <Button
        data-testid="help"
        onClick={() => {
          close();
          onHelp();
        }}
      >
        Help
      </Button>
    </div>
  );
}
