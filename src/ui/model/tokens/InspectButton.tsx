/** Opens the inspector on an episode, at one of its tokens if one is chosen. */

import type { EpisodeView } from '../../../train/looks/shown';
import { Button } from '../../kit/Button';
import { useLab } from '../useLab';

interface Props {
  readonly episode: EpisodeView;
  readonly index: number | null;
  readonly label: string;
}

export function InspectButton({ episode, index, label }: Props) {
  const { inspector } = useLab();
  return (
    <Button
      className="button-quiet small firm tall"
      aria-label={label}
      data-testid={`inspect-${episode.arm}`}
      onClick={() => inspector.open(episode, index)}
    >
      Inspect
    </Button>
  );
}
