/** A card: its name, a line, its verdict where it was judged, its recorded curve where it was recorded, and facts. */
import { useMemo } from 'react';
import { estimateSeconds } from '../../../experiment/duration';
import { tell } from '../../../experiment/findings/told';
import { encodeLink } from '../../../experiment/link/link';
import { isOfOwnWorld } from '../../../experiment/ownWorld';
import type { Preset } from '../../../experiment/presets/presets';
import { worldOf } from '../../model/environment';
import { durationWords } from '../../model/experimentWords';
import { withFragment } from '../../model/place';
import { useLabState } from '../../model/useLab';
import type { Card } from './cards';
import { Spark } from './Spark';
import './library.css';

export function LibraryCard({ card }: { card: Card }) {
  const { kind, id, title, line, fragment, preset, asked } = card;
  const told = useMemo(() => (asked === undefined ? null : tell(asked)), [asked]);
  const present = usePresence(preset);
  const facts = [...(preset === undefined ? [] : minutesOf(preset)), ...card.facts].filter(Boolean);
  // An experiment may be one of several that a finding compares; of a finding, what is not supported is the rest.
  const verdict = told !== null && (
    <p className="library-verdict sentence bold">
      {kind === 'experiment'
        ? `Finding “${asked?.name.replaceAll('-', ' ')}”: ${told.verdict}`
        : told.verdict.replace(/, not supported in \d+/, '')}
      {kind === 'finding' && told.again !== '' && <span className="soft">; {told.again}</span>}
    </p>
  );
  return (
    <li className="library-card column edged raised relative" aria-current={present !== null}>
      <a href={withFragment(fragment)} data-testid={`card-${kind}-${id}`}>
        {title}
      </a>
      {present !== null && <b>{present}</b>}
      {kind === 'finding' && verdict}
      <p>{line === '' ? told?.brief : line}</p>
      {kind !== 'finding' && verdict}
      {preset !== undefined && <Spark experiment={preset.experiment} />}
      {facts.length > 0 && <p className="small soft">{facts.join(' · ')}</p>}
    </li>
  );
}

/** Standing of a preset as the experiment on screen; null for every other. */
const usePresence = (preset: Preset | undefined): string | null =>
  useLabState(({ edited }) => {
    if (preset === undefined || edited.preset !== preset.id) return null;
    return encodeLink(edited) === `preset=${preset.id}` ? 'on screen' : 'on screen, changed';
  });

/** A world in one file would have to be made for it. */
function minutesOf({ experiment }: Preset): string[] {
  const world = isOfOwnWorld(experiment.environment) ? null : worldOf(experiment.environment);
  return world === null ? [] : [durationWords(estimateSeconds(experiment, world.environment))];
}
