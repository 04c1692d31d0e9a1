/** Findings: the questions put to the lab with what came of each, or one of them with its figures. */
import { useMemo } from 'react';
import { methodsOf } from '../../../experiment/findings/methods';
import { type Asked, tell } from '../../../experiment/findings/told';
import { placeLink } from '../../place';
import { ListedPage } from '../ListedPage';
import { CARDS } from './data';
import { FindingPlot } from './FindingPlot';
import { FindingView } from './FindingView';
import { PaperButton } from './PaperButton';
import './findings.css';

/** `name`: of the claim's folder, empty for the list. */
export function FindingsPage({ name }: { name: string }) {
  const shown = CARDS.find((one) => one.name === name);
  const judged = CARDS.filter(({ finding }) => finding.comparisons !== null);
  const open = CARDS.filter(({ finding }) => finding.comparisons === null);
  return (
    <ListedPage
      kind="finding"
      name={name}
      one={shown === undefined ? null : <FindingView key={shown.name} card={shown} />}
      title="Findings"
    >
      <p className="reading-text">
        Questions put to this lab. What is measured, what is expected and what would refute it were written into a file
        before the runs, unless a card says otherwise; all runs are shown, and one rule judges every claim. They are
        about small worlds and small policies, and none of them says anything about language models. An action mask
        learns from the agent’s own tokens alone; a world model learns besides to predict what the world answers; a
        placebo predicts answers that were shuffled.
      </p>
      <PaperButton />
      <Cards title="Answered" cards={judged} />
      <Cards title="Asked, not answered yet" cards={open} />
      <Methods />
      <p className="small soft">
        In a copy of the lab, <code>npm run findings -- --only NAME</code> trains what is missing of one.
      </p>
    </ListedPage>
  );
}

function Methods() {
  const methods = useMemo(() => methodsOf(CARDS), []);
  return (
    <details className="finding-said reading-text" data-testid="finding-methods">
      <summary>Methods: seeds, tests, intervals, reruns</summary>
      {methods.map(({ title, text }) => (
        <section key={title}>
          <h3>{title}</h3>
          <p>{text}</p>
        </section>
      ))}
    </details>
  );
}

function Cards({ title, cards }: { title: string; cards: readonly Asked[] }) {
  if (cards.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul className="reading-list">
        {cards.map((card) => (
          <ListedCard key={card.name} card={card} />
        ))}
      </ul>
    </section>
  );
}

/** Question, verdict and answer, and the figure of the comparison that a rerun is judged by. */
function ListedCard({ card }: { card: Asked }) {
  const { name, claim, finding } = card;
  const { verdict, answer, reruns } = useMemo(() => tell(card), [card]);
  const drawn = finding.comparisons?.find(({ id }) => id === claim.rerun.comparison);
  return (
    <li className="finding-listed">
      <div>
        <p className="small finding-standing">{verdict}</p>
        <a href={placeLink('findings', name)} data-testid={`finding-${name}`}>
          {claim.question}
        </a>
        {answer !== '' && <p className="small">{answer}</p>}
        {reruns.map((rerun) => (
          <p key={rerun} className="small soft">
            Run again: {rerun}
          </p>
        ))}
      </div>
      {drawn !== undefined && (
        <div className="finding-figure">
          <FindingPlot card={card} compared={drawn} live={null} isFirstOnly />
        </div>
      )}
    </li>
  );
}
