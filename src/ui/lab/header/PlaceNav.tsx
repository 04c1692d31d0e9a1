/** The places of the page as links. Each holds the place alone: the address is completed with the experiment that is open. */
import { type RefObject, useEffect, useRef, useState } from 'react';
import { isHidden, PLACE_IDS, PLACES, placeLink, usePlace } from '../../place';
import { useLabState, useSpeed } from '../../useLab';
import './places.css';

export function PlaceNav() {
  const { place } = usePlace();
  const hidden = useLabState((state) => state.hidden);
  const measuring = useSpeed(({ phase }) => phase === 'waiting' || phase === 'measuring');
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone they are a row that one swipes.
    const link = nav.current?.querySelector<HTMLElement>(`[data-testid="go-${place}"]`);
    if (link != null && nav.current !== null) nav.current.scrollLeft = link.offsetLeft - nav.current.clientWidth / 3;
  }, [place]);
  const { left, right } = useHiddenEnds(nav);
  return (
    <nav ref={nav} className="places" aria-label="Places of the page" data-left={left} data-right={right}>
      <ul>
        {PLACE_IDS.filter((id) => !isHidden(id, hidden)).map((id) => (
          <li key={id}>
            <a href={placeLink(id)} aria-current={id === place ? 'page' : undefined} data-testid={`go-${id}`}>
              {PLACES[id].title}
              {id === 'speed' && measuring && <span className="hidden-text">, measuring</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Pixels that are no end: links have a margin. */
const MARGIN = 8;

/** Sides to which a row goes on beyond what is seen of it. */
function useHiddenEnds(row: RefObject<HTMLElement | null>): { left: boolean; right: boolean } {
  const [ends, setEnds] = useState({ left: false, right: false });
  useEffect(() => {
    const element = row.current;
    if (element === null) return;
    const look = () => {
      const { scrollLeft, clientWidth, scrollWidth } = element;
      const now = { left: scrollLeft > MARGIN, right: scrollLeft + clientWidth < scrollWidth - MARGIN };
      setEnds((before) => (before.left === now.left && before.right === now.right ? before : now));
    };
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [row]);
  return ends;
}
