/** A card: its name, a line, its verdict where it was judged, its recorded curve where it was recorded, and facts. */
import { useMemo } from 'react';
import { estimateSeconds } from '../../../experiment/duration';
import type { Experiment } from '../../../experiment/experiment';
import { tell } from '../../../experiment/findings/told';
import { encodeLink, presetLink } from '../../../experiment/link/link';
import { isOfOwnWorld } from '../../../experiment/ownWorld';
import type { Preset } from '../../../experiment/presets/presets';
import { lastStretch } from '../../../measured/sentResult';
import { recordedResultOf } from '../../../store/recorded/recordings';
import { formatPercent, plural } from '../../kit/format';
import { useArrived } from '../../kit/part';
import { armColours } from '../../model/armColour';
import { worldOf } from '../../model/environment';
import { durationWords } from '../../model/experimentWords';
import { withFragment } from '../../model/place';
import { useLabState } from '../../model/useLab';
import type { Card } from './cards';
import { saidPlainly } from './findings/Said';
import './library.css';

export function LibraryCard({ card }: { card: Card }) {
  const { kind, id, title, line, fragment, preset, asked } = card;
  const told = useMemo(() => (asked === undefined ? null : tell(asked)), [asked]);
  const present = usePresence(preset);
  const facts = [...(preset === undefined ? [] : minutesOf(preset)), ...card.facts].filter(Boolean);
  // An experiment may be one of several that a finding compares; of a finding, what is not supported is the rest.
  const verdict = told !== null && (
    <p className="sentence bold">
      {kind === 'experiment'
        ? `Finding “${asked?.name.replaceAll('-', ' ')}”: ${told.verdict}`
        : told.verdict.replace(/, not supported in \d+/, '')}
      {kind === 'finding' && told.again !== '' && <span className="soft plain">; {told.again}</span>}
    </p>
  );
  return (
    <li className="library-card column edged raised relative" aria-current={present !== null}>
      <a href={withFragment(fragment)} data-testid={`card-${kind}-${id}`}>
        {title}
      </a>
      {present !== null && <b>{present}</b>}
      {kind === 'finding' && verdict}
      <p>{line === '' && told !== null ? saidPlainly(told.brief) : line}</p>
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
    return encodeLink(edited) === presetLink(preset.id) ? 'on screen' : 'on screen, changed';
  });

/** A world in one file would have to be made for it. */
function minutesOf({ experiment }: Preset): string[] {
  const world = isOfOwnWorld(experiment.environment) ? null : worldOf(experiment.environment);
  return world === null ? [] : [durationWords(estimateSeconds(experiment, world.environment))];
}

const [WIDTH, HEIGHT] = [160, 40];

/** The recorded success of an experiment's arms, small: a line each, and where it ended. Nothing where none is recorded. */
function Spark({ experiment }: { experiment: Experiment }) {
  const load = recordedResultOf(experiment);
  if (load === undefined) return null;
  return <Recorded experiment={experiment} load={load} />;
}

type Load = NonNullable<ReturnType<typeof recordedResultOf>>;

function Recorded({ experiment: { arms, updates }, load }: { experiment: Experiment; load: Load }) {
  const result = useArrived(load);
  const colours = armColours(arms);
  const at = result?.at ?? [];
  const most = Math.max(0.01, ...(result?.arms ?? []).flatMap(({ successRate }) => successRate.map(Number)));
  const xOf = (update: number) => (WIDTH * update) / updates;
  const yOf = (value: number) => HEIGHT - 2 - ((HEIGHT - 4) * value) / most;
  return (
    <figure className="library-spark">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {result?.arms.map(({ id, successRate }) => (
          <polyline
            key={id}
            points={successRate
              .flatMap((value, i) => (value === null ? [] : [`${xOf(at[i] ?? 0)},${yOf(value)}`]))
              .join(' ')}
            fill="none"
            stroke={colours.get(id)?.stroke}
            strokeDasharray={colours.get(id)?.dash}
            strokeWidth="1.5"
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
      <figcaption className="small soft">
        {result === null
          ? ' '
          : `Recorded success, last ${plural(lastStretch(result), 'update')}: ${result.arms.map(({ name, successRate }) => `${name} ${formatPercent(successRate.at(-1) ?? 0)}`).join(', ')}`}
      </figcaption>
    </figure>
  );
}
