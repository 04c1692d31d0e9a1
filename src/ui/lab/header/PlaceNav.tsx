/** The places of the page as links. Each holds the place alone: the address is completed with the experiment that is open. */
import { useEffect, useRef } from 'react';
import { useHiddenEnds } from '../../kit/useHiddenEnds';
import { isHidden, PLACE_IDS, PLACES, placeLink, usePlace } from '../../place';
import { useLabState, useSpeed } from '../../useLab';
import './places.css';

export function PlaceNav() {
  const { place } = usePlace();
  const hidden = useLabState((state) => state.hidden);
  const measuring = useSpeed(({ phase }) => phase === 'waiting' || phase === 'measuring');
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = nav;
    if (current === null) return;
    // On a phone they are a row that one swipes; a window may become narrow.
    const show = () => {
      const link = current.querySelector<HTMLElement>(`[data-testid="go-${place}"]`);
      if (link !== null) current.scrollLeft = link.offsetLeft - current.clientWidth / 3;
    };
    show();
    const sizes = new ResizeObserver(show);
    sizes.observe(current);
    return () => sizes.disconnect();
  }, [place]);
  const { left, right } = useHiddenEnds(nav);
  return (
    <nav ref={nav} className="places fading" aria-label="Places of the page" data-left={left} data-right={right}>
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
