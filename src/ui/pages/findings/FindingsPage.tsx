/** Findings: the questions put to the lab with what came of each, or one of them with its figures. */
import { useMemo } from 'react';
import { standingOf } from '../../../experiment/findings/finding';
import { methodsOf } from '../../../experiment/findings/methods';
import { type Asked, tell } from '../../../experiment/findings/told';
import { placeLink } from '../../place';
import { ListedPage } from '../ListedPage';
import { CARDS } from './data';
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
        Questions about small worlds and small policies, and none about language models. What is measured, expected and
        would refute a claim was written into a file before its runs, unless its page says otherwise. A mask learns from
        the agent’s own tokens alone; a world model also predicts what the world answers; a placebo predicts shuffled
        answers.
      </p>
      {STANDINGS.map((title) => (
        <Cards key={title} title={title} cards={judged.filter((card) => headingOf(card) === title)} />
      ))}
      <Cards title="Asked, not answered yet" cards={open} />
      <PaperButton />
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

/** Headings of the answered ones, in order. */
const STANDINGS = [
  'Supported',
  'Supported in part',
  'Contradicted',
  'Not supported',
  'Pictures, without a verdict',
] as const;

function headingOf({ claim, finding }: Asked): (typeof STANDINGS)[number] {
  if (claim.picture === true) return 'Pictures, without a verdict';
  const all = (finding.comparisons ?? []).map(standingOf);
  if (all.every((one) => one === 'supported')) return 'Supported';
  if (all.includes('supported')) return 'Supported in part';
  return all.includes('contradicted') ? 'Contradicted' : 'Not supported';
}

function Cards({ title, cards }: { title: string; cards: readonly Asked[] }) {
  if (cards.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>
        {title} <span className="soft">{cards.length}</span>
      </h3>
      <ul className="finding-cards">
        {cards.map((card) => (
          <ListedCard key={card.name} card={card} />
        ))}
      </ul>
    </section>
  );
}

/** Verdict, question, and the answer's first sentence. */
function ListedCard({ card }: { card: Asked }) {
  const { name, claim } = card;
  const { verdict, brief, again } = useMemo(() => tell(card), [card]);
  return (
    <li>
      <p className="small finding-standing">
        {verdict}
        {again !== '' && <span className="soft">; run again: {again}</span>}
      </p>
      <a href={placeLink('findings', name)} data-testid={`finding-${name}`}>
        {claim.question}
      </a>
      {brief !== '' && <p className="small">{brief}</p>}
    </li>
  );
}
