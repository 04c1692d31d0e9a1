/** An arm's name in its colour, and how it learns; pressing it offers what can be done with the arm. */
import { useRef, useState } from 'react';
import type { Arm } from '../../../experiment/experiment';
import { methodOf } from '../../../experiment/objectives/method';
import { part } from '../../kit/part';
import type { ArmColour } from '../armColour';
import { useHidden } from '../useHidden';

const ArmMenu = part('The menu of an arm', () => import('./ArmMenu'), 'ArmMenu');

/** Names with more characters than this are set small: they take several lines. */
const LONG = 30;

export function ArmMark({ colour }: { colour: ArmColour | undefined }) {
  return (
    <svg className="arm-mark firm" width="16" height="12" aria-hidden="true">
      <line x1="0" x2="16" y1="6" y2="6" stroke={colour?.stroke} strokeWidth="4" strokeDasharray={colour?.dash} />
    </svg>
  );
}

/** The mark, and the name beside it, within a line of text. */
export const MarkedArm = ({ colour, name }: { colour: ArmColour | undefined; name: string | undefined }) => (
  <>
    <ArmMark colour={colour} /> {name}
  </>
);

export function ArmName({ arm, colour }: { arm: Arm; colour: ArmColour | undefined }) {
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const method = methodOf(arm);
  const words = (
    <>
      <ArmMark colour={colour} />
      <span className={`arm-name-text${arm.name.length > LONG ? ' arm-name-long small' : ''}`}>
        {arm.name} {method !== '' && <span className="arm-method small soft block lined">{method}</span>}
      </span>
    </>
  );
  if (useHidden('arms')) return <span className="arm-name arm-name-fixed line fit round tall bare">{words}</span>;
  return (
    <>
      <button
        ref={opener}
        type="button"
        className="arm-name line fit round tall bare"
        aria-expanded={open}
        aria-label={`${arm.name}${method === '' ? '' : `, ${method}`}. Rename, change its method, duplicate, move or remove`}
        onClick={() => setOpen(!open)}
      >
        {words}
      </button>
      {open && <ArmMenu {...{ arm, opener }} onClose={() => setOpen(false)} />}
    </>
  );
}
