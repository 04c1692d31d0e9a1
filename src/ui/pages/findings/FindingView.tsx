/** One finding: answer, figures with their numbers, what was said beforehand, limits, and the way to run it again. */
import { MEASURES } from '../../../experiment/findings/claim';
import type { Compared, Condition } from '../../../experiment/findings/finding';
import {
  answerInWords,
  comparedInWords,
  interval,
  meanIn,
  number,
  pInWords,
  powerInWords,
  rerunInWords,
  ruleInWords,
  standingOf,
} from '../../../experiment/findings/words';
import { plural } from '../../kit/format';
import { Row, Scrolling, Table } from '../../kit/Table';
import { placeLink } from '../../place';
import type { Card } from './data';
import { FindingPlot } from './FindingPlot';
import type { LiveRerun } from './live';
import { RunItHere } from './RunItHere';
import { useRerun } from './useRerun';

export function FindingView({ card }: { card: Card }) {
  const { claim, finding } = card;
  const { comparisons } = finding;
  const live = useRerun(card);
  return (
    <>
      <a className="small" href={placeLink('findings')}>
        All findings
      </a>
      <h2>{claim.question}</h2>
      <p className="finding-answer" data-testid="finding-answer">
        {answerInWords(finding, claim)}
      </p>
      {comparisons !== null && (
        <div className="finding-figures">
          {comparisons.map((compared) => (
            <Figure key={compared.id} card={card} compared={compared} live={live} />
          ))}
        </div>
      )}
      <RunItHere card={card} live={live} />
      {comparisons !== null && <Numbers card={card} comparisons={comparisons} />}
      <Beforehand card={card} />
      {finding.runs.done > 0 && <Seeds card={card} />}
    </>
  );
}

function Figure({ card, compared, live }: { card: Card; compared: Compared; live: LiveRerun | null }) {
  const { claim, finding } = card;
  return (
    <figure className="finding-figure">
      <FindingPlot card={card} compared={compared} live={compared.id === claim.rerun.comparison ? live : null} />
      <figcaption>
        {comparedInWords(compared, finding, claim)} <span className="soft">{powerInWords(compared, finding)}</span>
      </figcaption>
    </figure>
  );
}

const COLUMNS = [
  'Comparison',
  'First',
  'Second',
  'Second − first, unpaired',
  'The same, seed by seed',
  'p, corrected',
  'Expected',
  'Standing',
] as const;

function Numbers({ card: { claim, finding }, comparisons }: { card: Card; comparisons: readonly Compared[] }) {
  const condition = (id: string): Condition => finding.conditions[id] as Condition;
  return (
    <Scrolling label="Comparisons">
      <Table
        className="small finding-numbers"
        testId="finding-numbers"
        columns={COLUMNS}
        caption={`Means over seeds of ${MEASURES[claim.measure].words}; 95% intervals in brackets`}
        captionClass="soft"
      >
        {comparisons.map((one) => (
          <Row key={one.id} head={`${condition(one.first).name} → ${condition(one.second).name}`}>
            <td>{meanIn(condition(one.first))}</td>
            <td>{meanIn(condition(one.second))}</td>
            <td>{interval(one.unpaired)}</td>
            <td>{interval(one.paired)}</td>
            <td>{pInWords(one.corrected)}</td>
            <td>{one.expected}</td>
            <td>{standingOf(one, claim)}</td>
          </Row>
        ))}
      </Table>
    </Scrolling>
  );
}

function Beforehand({ card: { name, claim, finding } }: { card: Card }) {
  const title = (id: string): string => finding.conditions[id]?.name ?? id;
  return (
    <section className="finding-said reading-text" aria-label="What was said beforehand">
      <h3>{claim.stated === undefined ? 'What was said beforehand' : 'What was said, and when'}</h3>
      <ul>
        {claim.stated !== undefined && <li>{claim.stated}</li>}
        {claim.comparisons.map(({ id, first, second, expected }) => (
          <li key={id}>
            Expected: “{title(second)}” {expected} “{title(first)}”.
          </li>
        ))}
        <li>Refuted by: {claim.refuted}.</li>
        <li>{ruleInWords(claim)}</li>
      </ul>
      <h3>Limits</h3>
      <ul>
        {claim.limits.map((limit) => (
          <li key={limit}>{limit}</li>
        ))}
      </ul>
      <h3>Beside it</h3>
      <ul>
        {claim.literature.map(({ says, source }) => (
          <li key={source}>
            {says[0]?.toUpperCase()}
            {says.slice(1)} ({source}).
          </li>
        ))}
        <li>
          The files: <code>findings/{name}/claim.json</code> and <code>experiment.json</code>.
        </li>
      </ul>
      {finding.reruns.length > 0 && <h3>Run again</h3>}
      {finding.reruns.map((rerun) => (
        <p key={rerun.seed}>
          Seeds drawn from {rerun.seed}. {rerunInWords(rerun)}
        </p>
      ))}
    </section>
  );
}

/** Every condition with the number of each of its seeds, where it ran, and its link. */
function Seeds({ card: { finding } }: { card: Card }) {
  return (
    <details className="small">
      <summary>Every seed, and the experiments</summary>
      <Scrolling label="Seeds">
        <Table columns={['Condition', 'Seeds', 'Trained on', 'Commit']} caption="Numbers of each seed">
          {Object.entries(finding.conditions).map(([id, condition]) => (
            <Row
              key={id}
              head={
                <a href={`#${condition.link}`} target="_blank" rel="noreferrer">
                  {condition.name}
                  {condition.arm === null ? '' : `, arm ${condition.arm}`}
                </a>
              }
            >
              <td>{condition.values.map(number).join(' ')}</td>
              <td>
                {condition.device}, {plural(Math.ceil(condition.seconds / 60), 'minute')} of one core
              </td>
              <td>{condition.commits.length === 0 ? 'not noted' : condition.commits.join(', ')}</td>
            </Row>
          ))}
        </Table>
      </Scrolling>
    </details>
  );
}
