/** A place with a list of things, and each of them under its own address: reaching another one begins at its top. */
import { type ReactNode, useEffect, useRef } from 'react';
import { excerpt } from '../../../foundation/errors';
import { PlaceHead } from '../../model/Group';
import type { PlaceId } from '../../model/place';
import '../../kit/styles/reading.css';

interface ListedProps {
  /** Noun for an entry of the list: “lesson”. */
  readonly kind: string;
  /** Name in the address, empty for the list. */
  readonly name: string;
  /** Page of the entry of that name; null where there is none. */
  readonly one: ReactNode | null;
  readonly place: PlaceId;
  /** Sentence beside the place's name. */
  readonly about: string;
  /** The list, below the heading. */
  readonly children: ReactNode;
}

export function ListedPage({ kind, name, one, place, about, children }: ListedProps) {
  const main = useRef<HTMLElement>(null);
  const before = useRef(name);
  useEffect(() => {
    if (before.current === name) return;
    before.current = name;
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [name]);
  return (
    <main ref={main} className="reading" tabIndex={-1} data-testid={one === null ? `${kind}s` : kind}>
      {one ?? (
        <>
          <PlaceHead id={place} about={about} />
          {name !== '' && (
            <p role="status">
              There is no {kind} called “{excerpt(name, 40)}”. These are all:
            </p>
          )}
          {children}
        </>
      )}
    </main>
  );
}
