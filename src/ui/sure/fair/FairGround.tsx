/** Outcome of the search on fair ground: the verdict of each world, the map of when, and the test of an explanation. */
import recorded from '../../../../findings/fair/result.json?raw';
import type { Contest, FairGround as Recorded } from '../../../experiment/fairGround';
import { exploredInWords, mapInWords } from '../../../experiment/fairMapWords';
import { differenceInWords } from '../../../experiment/fairNumbers';
import {
  atMaskInWords,
  dynamicsInWords,
  endInWords,
  flatteryInWords,
  headline,
  heldOutInWords,
  verdictInWords,
  worldName,
} from '../../../experiment/fairWords';
import { meanOf } from '../../../experiment/statistics';
import { HIDDEN, Row, Scrolling, Table } from '../../kit/Table';
import { Explanation } from './Explanation';
import { FairMap } from './FairMap';
import { Outcomes } from './Outcomes';
import { Seeds } from './Seeds';
import './fair.css';

// Written by `npm run fair -- --report` as this type; a test computes it again.
const found = JSON.parse(recorded) as Recorded;

export function FairGround() {
  return (
    <div className="fair">
      <p data-testid="fair-headline">{headline(found)}</p>
      <Outcomes contests={found.contests} />
      {found.contests.map((contest) => (
        <World key={contest.world} contest={contest} />
      ))}
      {found.map.length > 0 && (
        <>
          <h4>When: over initial scale and world</h4>
          <p className="small">{mapInWords(found)}</p>
          <FairMap rows={found.map} />
        </>
      )}
      {found.wide.length > 0 && (
        <>
          <h4>Gridworld at the default’s width of 64</h4>
          <FairMap rows={[{ place: 'reward-9', world: 'gridworld', axis: 'rarity', cells: found.wide }]} />
        </>
      )}
      {found.explored.length > 0 && (
        <>
          <h4>Asked after the rest was known</h4>
          <p className="small">{exploredInWords(found)}</p>
          <FairMap rows={[{ place: 'reward-9', world: 'gridworld', axis: 'rarity', cells: found.explored }]} />
        </>
      )}
      {found.why !== null && <Explanation {...found.why} />}
      <p className="small soft">
        {found.runs} different runs on {found.device}. Intervals are over seeds; the map has the presets’ settings,
        which were not searched.
      </p>
    </div>
  );
}

const ENTRANTS: Readonly<Record<string, string>> = {
  'action-mask': 'Action mask, its pick',
  'world-model': 'World model, its pick',
  placebo: 'Placebo',
  'failed-only': 'World model of failures only',
  'mask-as-world-model': 'Action mask at the world model’s settings',
  'world-model-as-mask': 'World model at the mask’s settings',
};

const ENTRANT_COLUMNS = ['Area', 'Seeds', 'End', 'Held out', 'Held out, tool away', 'Settings'] as const;

const MASKS: readonly string[] = ['action-mask', 'mask-as-world-model'];

const percent = (values: readonly (number | null)[]): string => {
  const mean = meanOf(values);
  return mean === null ? '–' : `${Math.round(100 * mean)}%`;
};

const SENTENCES = [
  verdictInWords,
  endInWords,
  heldOutInWords,
  atMaskInWords,
  dynamicsInWords,
  flatteryInWords,
] as const;

/** All that is to be said of one world, and its entrants. */
function World({ contest }: { contest: Contest }) {
  const { world, entrants, paired } = contest;
  const name = worldName(world);
  return (
    <details className="small">
      <summary>{name} in words, with settings and seeds</summary>
      <ul>
        {SENTENCES.map((sentence) => withoutName(name, sentence(contest))).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <Scrolling label={`${worldName(world)}: entrants`}>
        <Table className="fair-entrants table-folds" columns={['Entrant', ...ENTRANT_COLUMNS]}>
          {Object.entries(entrants).map(([id, entrant]) => (
            <Row
              key={id}
              head={
                <a href={`#${entrant.link}`} target="_blank" rel="noreferrer">
                  {ENTRANTS[id] ?? id}
                </a>
              }
            >
              <td data-label={ENTRANT_COLUMNS[0]}>{(meanOf(entrant.area) ?? Number.NaN).toFixed(2)}</td>
              <td data-label={ENTRANT_COLUMNS[1]}>
                <span className={HIDDEN}>{entrant.area.map((area) => area.toFixed(2)).join(' ')}</span>
                <Seeds rows={[{ areas: entrant.area, className: MASKS.includes(id) ? 'fair-mask' : 'fair-model' }]} />
              </td>
              <td data-label={ENTRANT_COLUMNS[2]}>{percent(entrant.final)}</td>
              <td data-label={ENTRANT_COLUMNS[3]}>{percent(entrant.heldOut)}</td>
              <td data-label={ENTRANT_COLUMNS[4]}>{percent(entrant.toolOff)}</td>
              <td data-label={ENTRANT_COLUMNS[5]}>{entrant.setting}</td>
            </Row>
          ))}
        </Table>
      </Scrolling>
      <p className="soft">Seed by seed, the world model’s area minus the mask’s: {differenceInWords(paired)}.</p>
    </details>
  );
}

/** `Gridworld: on the tasks …` → `On the tasks …`: under its name. */
function withoutName(name: string, sentence: string): string {
  const rest = sentence.slice(name.length).replace(/^[:,] /, '');
  return sentence.startsWith(name) ? rest.charAt(0).toUpperCase() + rest.slice(1) : sentence;
}
