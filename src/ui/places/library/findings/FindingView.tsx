/** One finding: answer, figures with their numbers, what was said beforehand, limits, and the way to run it again. */
import { Fragment, useMemo } from 'react';
import type { ComparedConditions } from '../../../../experiment/findings/finding';
import { rerunInWords } from '../../../../experiment/findings/findingWords';
import {
  type AnsweredClaim,
  COMPARED,
  SEEDS,
  type ToldComparison,
  type ToldFinding,
  tell,
} from '../../../../experiment/findings/told';
import { formatCount } from '../../../kit/format';
import { PlotPlace } from '../../../kit/plot/PlotPlace';
import { Swatch } from '../../../kit/plot/Swatch';
import { Row, Scrolling, Table } from '../../../kit/Table';
import { fragmentOf, placeLink } from '../../../model/place';
import { COLOURS, comparedConditions, DASH, figuresOf } from './figure';
import type { LiveRerun } from './live';
import { Said } from './Said';
import { rerunLink, useRerun } from './useRerun';

export function FindingView({ card }: { card: AnsweredClaim }) {
  const told = useMemo(() => tell(card), [card]);
  const live = useRerun(card);
  const isJudged = told.comparisons.length > 0;
  return (
    <>
      <a className="small" href={placeLink('findings')}>
        All findings
      </a>
      <h2>{told.question}</h2>
      <p className="finding-standing sentence bold">{told.verdict}</p>
      <p>
        <Said text={told.answer} />
      </p>
      {isJudged && card.claim.picture !== true && (
        <div className="cards finding-figures">
          {told.comparisons.map((one) => (
            <Figure key={one.compared.id} card={card} told={one} live={live} />
          ))}
        </div>
      )}
      <RunItHere card={card} command={told.command} live={live} />
      {isJudged && <Numbers told={told} />}
      <Beforehand told={told} />
      {told.spent !== null && <Seeds told={told} />}
    </>
  );
}

function Figure({ card, told, live }: { card: AnsweredClaim; told: ToldComparison; live: LiveRerun | null }) {
  const {
    compared,
    row: [, first, second, difference, , , , , standing],
  } = told;
  const isRerun = compared.id === card.claim.rerun.comparison;
  return (
    <figure className="finding-figure stack close top">
      <FindingPlot card={card} compared={compared} live={isRerun ? live : null} />
      <figcaption>
        {first} → {second}, {difference} <span className="block">{standing}</span>
      </figcaption>
    </figure>
  );
}

function Numbers({ told: { caption, comparisons } }: { told: ToldFinding }) {
  return (
    <Scrolling label="Comparisons">
      <Table
        className="small finding-numbers unbroken"
        testId="finding-numbers"
        columns={COMPARED}
        caption={caption}
        captionClass="soft"
      >
        {comparisons.map(({ compared, row: [head, ...cells] }) => (
          <Row key={compared.id} head={head} cells={cells} />
        ))}
      </Table>
    </Scrolling>
  );
}

function Beforehand({ told: { when, beforehand, limits, beside, files, reruns } }: { told: ToldFinding }) {
  return (
    <section className="finding-said measure" aria-label={when}>
      <List title={when} lines={beforehand} />
      <List title="Limits" lines={limits} />
      <List title="Related work" lines={beside} />
      {reruns.length > 0 && <List title="Run again" lines={reruns} />}
      <p className="small soft above-8">Files: {files}.</p>
    </section>
  );
}

function List({ title, lines }: { title: string; lines: readonly string[] }) {
  return (
    <>
      <h3 className="above-8">{title}</h3>
      <ul className="bullets">
        {lines.map((line) => (
          <li key={line}>
            <Said text={line} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Every condition with the number of each of its seeds, where it ran, and its link. */
function Seeds({ told: { conditions, spent } }: { told: ToldFinding }) {
  return (
    <details className="small">
      <summary>Every seed, and the experiments</summary>
      <p>{spent}</p>
      <Scrolling label="Seeds">
        <Table columns={SEEDS} caption="Numbers of each seed">
          {conditions.map(({ id, link, row: [head, ...cells] }) => (
            <Row
              key={id}
              head={
                <a href={`#${link}`} target="_blank" rel="noreferrer">
                  {head}
                </a>
              }
              cells={cells}
            />
          ))}
        </Table>
      </Scrolling>
    </details>
  );
}

interface Props {
  readonly card: AnsweredClaim;
  readonly compared: ComparedConditions;
  readonly live: LiveRerun | null;
}

/** Charts of a recorded comparison, with a rerun over them. */
function FindingPlot({ card, compared, live }: Props) {
  const { finding } = card;
  const conditions = useMemo(() => comparedConditions(compared, finding), [compared, finding]);
  const plots = useMemo(() => figuresOf(conditions, live), [conditions, live]);
  return (
    <>
      {plots.map((plot) => (
        <Fragment key={plot.title}>
          <p className="small soft">{plot.title}</p>
          <PlotPlace height={200} plot={plot} />
        </Fragment>
      ))}
      <p className="small row row-close">
        {conditions.map(({ name }, i) => (
          <span key={name}>
            <Swatch stroke={COLOURS[i] as string} /> {name}
          </span>
        ))}
        {live !== null && (
          <span>
            <Swatch stroke="var(--ink)" dash={DASH} /> here
          </span>
        )}
      </p>
    </>
  );
}

interface RunItHereProps {
  readonly card: AnsweredClaim;
  /** Command that does the same. */
  readonly command: string;
  readonly live: LiveRerun | null;
}

/** The way to run a finding again: here, with its curves over the recorded ones and a verdict, or by the command. */
function RunItHere({ card, command, live }: RunItHereProps) {
  const { name, claim, finding } = card;
  const link = rerunLink(card);
  const compared = claim.comparisons.find(({ id }) => id === claim.rerun.comparison);
  const names = [compared?.first ?? '', compared?.second ?? ''].map((id) => finding.conditions[id]?.name);
  return (
    <section className="stack band" aria-label="Run it again">
      {link === null ? (
        <p className="small">
          What is compared here differs in more than an arm’s settings, so no one experiment holds both. The experiments
          are linked below, and the command runs it again.
        </p>
      ) : (
        <p>
          <a className="button" href={fragmentOf({ place: 'findings', name, experiment: `#${link}` })}>
            Run it here
          </a>{' '}
          <span className="small soft">
            opens “{names[0]}” and “{names[1]}” with {claim.rerun.seeds} new seeds in the lab.{' '}
            {finding.comparisons === null
              ? 'Nothing is recorded yet to judge them by.'
              : 'Press Run there: their curves grow over the recorded ones here, and are judged in the end.'}
          </span>
        </p>
      )}
      <p role="status" className={live?.verdict == null ? 'small' : 'bold'}>
        {live !== null && progressInWords(live)}
      </p>
      <p className="small soft">
        <code>{command}</code> runs it again elsewhere and says whether it came out the same.
      </p>
    </section>
  );
}

function progressInWords({ verdict, updates, of }: LiveRerun): string {
  if (verdict !== null) return rerunInWords(verdict);
  if (updates >= of) return 'Through, but there is nothing recorded to judge it by yet.';
  return `Running here: ${formatCount(updates)} of ${formatCount(of)} updates. Judged once it is through.`;
}
