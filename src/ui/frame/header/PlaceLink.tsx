import { PLACES, type PlaceId, placeLink } from '../../model/place';
import { useSpeed } from '../../model/useLab';
import { usePlace } from '../../model/usePlace';

export function PlaceLink({ id, onGo }: { id: PlaceId; onGo?: () => void }) {
  const { place } = usePlace();
  const measuring = useSpeed(({ phase }) => phase === 'waiting' || phase === 'measuring');
  return (
    <a href={placeLink(id)} aria-current={id === place ? 'page' : undefined} data-testid={`go-${id}`} onClick={onGo}>
      {PLACES[id].title}
      {id === 'speed' && measuring && <span className="soft">, measuring</span>}
    </a>
  );
}
