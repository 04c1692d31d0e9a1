/** The places of the area that one is in, below the header; nothing where it has one. */
import { AREAS, isHidden } from '../../model/place';
import { useLabState } from '../../model/useLab';
import { usePlace } from '../../model/usePlace';
import { PlaceLink } from './PlaceLink';
import './areas.css';

export function AreaPlaces() {
  const { place } = usePlace();
  const hidden = useLabState((state) => state.hidden);
  const area = Object.values(AREAS).find(({ places }) => places.includes(place));
  const shown = area?.places.filter((one) => !isHidden(one, hidden)) ?? [];
  if (area === undefined || shown.length < 2) return null;
  return (
    <nav className="areas area-places" aria-label={`Places of ${area.title}`} data-testid="area-places">
      <ul>
        {shown.map((id) => (
          <li key={id}>
            <PlaceLink id={id} />
          </li>
        ))}
      </ul>
    </nav>
  );
}
