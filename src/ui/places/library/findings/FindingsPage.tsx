/** Findings: the questions put to the lab with what came of each, or one of them with its figures. */
import { useMemo } from 'react';
import { standingOf } from '../../../../experiment/findings/finding';
import { methodsOf } from '../../../../experiment/findings/methods';
import type { Asked } from '../../../../experiment/findings/told';
import { findingCard } from '../cards';
import { LibraryCard } from '../LibraryCard';
import { ListedPage } from '../ListedPage';
import { CARDS } from './data';
import { FindingView } from './FindingView';
import { PaperButton } from './PaperButton';
import './findings.css';

/** `name`: of the claim's folder, empty for the list. */
export function FindingsPage({ name }: { name: string }) {
  const shown = CARDS.find((one) => one.name === name);
  const answered = CARDS.filter(({ finding }) => finding.comparisons !== null);
  const judged = [...answered].sort((a, b) => placeOf(a) - placeOf(b));
  const open = CARDS.filter(({ finding }) => finding.comparisons === null);
  return (
    <ListedPage
      kind="finding"
      name={name}
      one={shown === undefined ? null : <FindingView key={shown.name} card={shown} />}
      title="Findings"
    >
      <p className="measure">
        Small worlds, small policies, no large language models. What each claim expects was written into a file before
        its runs, unless its page says otherwise. A mask learns from the agent’s own tokens alone; a world model also
        predicts what the world answers; a placebo, shuffled answers.
      </p>
      <Cards cards={judged} />
      {open.length > 0 && (
        <details data-testid="findings-open">
          <summary>Asked, not answered yet: {open.length}</summary>
          <Cards cards={open} />
        </details>
      )}
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
    <details className="finding-said measure" data-testid="finding-methods">
      <summary>Methods: seeds, tests, intervals, reruns</summary>
      {methods.map(({ title, text }) => (
        <section key={title} aria-label={title}>
          <h3 className="above-8">{title}</h3>
          <p>{text}</p>
        </section>
      ))}
    </details>
  );
}

/** Supported ones first, then those in part, contradicted ones, all others, and pictures. */
function placeOf({ claim, finding }: Asked): number {
  if (claim.picture === true) return 4;
  const all = (finding.comparisons ?? []).map(standingOf);
  if (all.every((one) => one === 'supported')) return 0;
  if (all.includes('supported')) return 1;
  return all.includes('contradicted') ? 2 : 3;
}

const Cards = ({ cards }: { cards: readonly Asked[] }) => (
  <ul className="library-cards cards stack wide">
    {cards.map((asked) => (
      <LibraryCard key={asked.name} card={findingCard(asked)} />
    ))}
  </ul>
);
