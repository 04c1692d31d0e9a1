/** Areas of the page as links, each to a place; the address is completed with the experiment that is open. */
import { AREAS, isHidden, placeLink } from '../../model/place';
import { useLabState } from '../../model/useLab';
import { usePlace } from '../../model/usePlace';
import './areas.css';

export function AreaNav() {
  const { place } = usePlace();
  const hidden = useLabState((state) => state.hidden);
  return (
    <nav className="areas" aria-label="Areas of the page">
      <ul>
        {Object.entries(AREAS).map(([id, { title, places }]) => {
          const first = places.find((one) => !isHidden(one, hidden));
          if (first === undefined) return null;
          return (
            <li key={id}>
              <a href={placeLink(first)} aria-current={places.includes(place)} data-testid={`to-${id}`}>
                {title}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
