/** Menu of things needed now and then: all settings, the machine, the theme, help. */
import { PopoverButton } from '../../kit/PopoverButton';
import { part } from '../../kit/part';
import './gear.css';

const GearPanel = part('What is behind the gear', () => import('./GearPanel').then((module) => module.GearPanel));

export function Gear({ onHelp }: { readonly onHelp: () => void }) {
  const name = 'Settings, machine and help';
  return (
    <PopoverButton
      label={name}
      name={name}
      words={<Wheel />}
      className="gear-button soft firm round hand"
      testId="gear"
    >
      {(close) => <GearPanel onHelp={onHelp} close={close} />}
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
