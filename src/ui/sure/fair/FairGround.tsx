/** Outcome of the search on fair ground: the verdict of each world, the map of when, and the test of an explanation. */
import recorded from '../../../../findings/fair/result.json?raw';
import type { Contest, FairGround as Recorded } from '../../../experiment/fairGround';
import { exploredInWords, mapInWords } from '../../../experiment/fairMapWords';
import {
  atMaskInWords,
  differenceInWords,
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
import { Seeds } from './Seeds';
import './fair.css';

// Written by `npm run fair -- --report` as this type; a test computes it again.
const found = JSON.parse(recorded) as Recorded;

export function FairGround() {
  return (
    <div className="fair">
      <p data-testid="fair-headline">{headline(found)}</p>
      <ul className="small">
        {found.contests.map((contest) => (
          <li key={contest.world}>{verdictInWords(contest)}</li>
        ))}
        {found.contests.map((contest) => (
          <li key={contest.world}>{endInWords(contest)}</li>
        ))}
        {found.contests.map((contest) => (
          <li key={contest.world}>{heldOutInWords(contest)}</li>
        ))}
        {found.contests.map((contest) => (
          <li key={contest.world}>{atMaskInWords(contest)}</li>
        ))}
        {found.contests.map((contest) => (
          <li key={contest.world}>{dynamicsInWords(contest)}</li>
        ))}
        {found.contests.map((contest) => (
          <li key={contest.world}>{flatteryInWords(contest)}</li>
        ))}
      </ul>
      <Entrants contests={found.contests} />
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

const MASKS: readonly string[] = ['action-mask', 'mask-as-world-model'];

const percent = (values: readonly (number | null)[]): string => {
  const mean = meanOf(values);
  return mean === null ? '–' : `${Math.round(100 * mean)}%`;
};

function Entrants({ contests }: { contests: readonly Contest[] }) {
  return contests.map(({ world, entrants, paired }) => (
    <details key={world} className="small">
      <summary>{worldName(world)}: settings, seeds, held-out tasks</summary>
      <Scrolling label={`${worldName(world)}: entrants`}>
        <Table
          className="fair-entrants"
          columns={['Entrant', 'Area', 'Seeds', 'End', 'Held out', 'Held out, tool away', 'Settings']}
        >
          {Object.entries(entrants).map(([id, entrant]) => (
            <Row
              key={id}
              head={
                <a href={`#${entrant.link}`} target="_blank" rel="noreferrer">
                  {ENTRANTS[id] ?? id}
                </a>
              }
            >
              <td>{(meanOf(entrant.area) ?? Number.NaN).toFixed(2)}</td>
              <td>
                <span className={HIDDEN}>{entrant.area.map((area) => area.toFixed(2)).join(' ')}</span>
                <Seeds rows={[{ areas: entrant.area, className: MASKS.includes(id) ? 'fair-mask' : 'fair-model' }]} />
              </td>
              <td>{percent(entrant.final)}</td>
              <td>{percent(entrant.heldOut)}</td>
              <td>{percent(entrant.toolOff)}</td>
              <td>{entrant.setting}</td>
            </Row>
          ))}
        </Table>
      </Scrolling>
      <p className="soft">Seed by seed, the world model’s area minus the mask’s: {differenceInWords(paired)}.</p>
    </details>
  ));
}
