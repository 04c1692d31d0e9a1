/** The places of the page as links. Each holds the place alone: the address is completed with the experiment that is open. */
import { useEffect, useRef } from 'react';
import { isHidden, PLACE_IDS, PLACES, placeLink, usePlace } from '../../place';
import { useLabState, useSpeed } from '../../useLab';

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
  return (
    <nav ref={nav} className="places" aria-label="Places of the page">
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
