/** Section of the page at a place: its heading takes the focus when one comes to it. */
import { type ReactNode, useEffect, useRef } from 'react';
import { takeFocus } from '../kit/takeFocus';
import { PLACES, type PlaceId } from './place';
import './group.css';

interface Props {
  readonly id: PlaceId;
  /** Sentence beside the place's name. */
  readonly about: string;
  readonly children: ReactNode;
}

export function Group({ id, about, children }: Props) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => takeFocus(title.current), []);
  return (
    <main className={`group group-${id}`} aria-labelledby={`${id}-title`} data-testid={`place-${id}`}>
      <div className="group-head row words-apart baseline">
        <h2 ref={title} id={`${id}-title`} tabIndex={-1}>
          {PLACES[id].title}
        </h2>
        <p className="small soft">{about}</p>
      </div>
      {children}
    </main>
  );
}
