/** Section of the page at a place, and the head that all places have: its name, and a sentence beside it. */
import { type ReactNode, type Ref, useEffect, useRef } from 'react';
import { takeFocus } from '../kit/takeFocus';
import { PLACES, type PlaceId } from './place';
import './group.css';

interface HeadProps {
  readonly id: PlaceId;
  /** Sentence beside the place's name. */
  readonly about: ReactNode;
  readonly title?: Ref<HTMLHeadingElement>;
}

export const PlaceHead = ({ id, about, title }: HeadProps) => (
  <div className="group-head row words-apart baseline">
    <h2 ref={title} id={`${id}-title`} tabIndex={-1}>
      {PLACES[id].title}
    </h2>
    <p className="small soft">{about}</p>
  </div>
);

/** The heading takes the focus when one comes to the place. */
export function Group({ id, about, children }: Omit<HeadProps, 'title'> & { readonly children: ReactNode }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => takeFocus(title.current), []);
  return (
    <main className={`group group-${id}`} aria-labelledby={`${id}-title`} data-testid={`place-${id}`}>
      <PlaceHead id={id} about={about} title={title} />
      {children}
    </main>
  );
}
