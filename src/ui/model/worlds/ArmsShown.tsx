/** Choice of the arms whose worlds are drawn where not all fit: pressing one brings it, and the one shown longest makes way. */

import type { Arm } from '../../../experiment/experiment';
import { Button } from '../../kit/Button';
import { type ArmColour, armColours } from '../armColour';
import { ArmMark } from '../arms/ArmName';
import type { Room } from './room';

/** Worlds drawn at most; one page at a time has room on a phone. */
export const mostWorlds = (isPhone: boolean, room: Room): number => (isPhone && room === 'page' ? 1 : 4);

/** The ids chosen, in the order of choosing; spread evenly over the arms while there are none. */
export function shownArms(arms: readonly Arm[], chosen: readonly string[], most: number): readonly string[] {
  const known = chosen.filter((id) => arms.some((arm) => arm.id === id));
  if (arms.length <= most) return arms.map(({ id }) => id);
  if (known.length > 0) return known.slice(-most);
  const step = (arms.length - 1) / Math.max(1, most - 1);
  return Array.from({ length: most }, (_, place) => arms[Math.round(place * step)]?.id ?? '');
}

/** Shown arms after a press; the last one stays. */
function withArmToggled(shown: readonly string[], id: string, most: number): readonly string[] {
  if (!shown.includes(id)) return [...shown, id].slice(-most);
  return shown.length > 1 ? shown.filter((one) => one !== id) : shown;
}

interface Props {
  readonly arms: readonly Arm[];
  readonly shown: readonly string[];
  /** Worlds drawn at most. */
  readonly most: number;
  readonly onChoose: (ids: readonly string[]) => void;
}

export function ArmsShown({ arms, shown, most, onChoose }: Props) {
  const colours = armColours(arms);
  return (
    <fieldset className="worlds-shown row">
      <legend className="hidden-text">Arms whose episodes are drawn, at most {most}</legend>
      {arms.map(({ id, name }) => (
        <Button
          key={id}
          className="button-quiet small"
          aria-pressed={shown.includes(id)}
          data-testid={`show-world-${id}`}
          onClick={() => onChoose(withArmToggled(shown, id, most))}
        >
          <ArmMark colour={colours.get(id) as ArmColour} /> {name}
        </Button>
      ))}
    </fieldset>
  );
}
