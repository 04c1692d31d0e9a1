/** Findings: the questions put to the lab with what came of each, or one of them with its figures. */
import { useMemo } from 'react';
import { standingOf } from '../../../../experiment/findings/finding';
import { methodsOf } from '../../../../experiment/findings/methods';
import type { AnsweredClaim } from '../../../../experiment/findings/told';
import { apart } from '../../../../foundation/apart';
import { Button } from '../../../kit/Button';
import { useAttempt } from '../../../kit/Fields';
import { saveFile } from '../../../kit/saveFile';
import { labLink } from '../../../model/place';
import { findingCard } from '../cards';
import { LibraryCard } from '../LibraryCard';
import { ListedPage } from '../ListedPage';
import { CARDS } from './data';
import { FindingView } from './FindingView';
import { InShort } from './InShort';
import { Said } from './Said';
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
      place="findings"
      about="Small worlds, small policies, no large language models. What each claim expects was written into a file before its runs, unless its page says otherwise. A mask learns from the agent’s own tokens alone; a world model also predicts what the world answers; a placebo predicts shuffled answers."
    >
      <InShort />
      <Cards cards={judged} />
      {open.length > 0 && (
        <details>
          <summary>Asked, not answered yet: {open.length}</summary>
          <Cards cards={open} />
        </details>
      )}
      <PaperButton />
      <Methods />
      <p className="small soft">
        In a copy of the lab, <code>npm run findings -- --only NAME</code> trains the runs that a finding still lacks.
      </p>
    </ListedPage>
  );
}

function Methods() {
  const methods = useMemo(() => methodsOf(CARDS), []);
  return (
    <details className="finding-said measure">
      <summary>Methods: seeds, tests, intervals, reruns</summary>
      {methods.map(({ title, text }) => (
        <section key={title} aria-label={title}>
          <h3 className="above-8">{title}</h3>
          <p>
            <Said text={text} />
          </p>
        </section>
      ))}
    </details>
  );
}

/** Supported ones first, then those in part, contradicted ones, all others, and pictures. */
function placeOf({ claim, finding }: AnsweredClaim): number {
  if (claim.picture === true) return 4;
  const all = (finding.comparisons ?? []).map(standingOf);
  if (all.every((one) => one === 'supported')) return 0;
  if (all.includes('supported')) return 1;
  return all.includes('contradicted') ? 2 : 3;
}

const Cards = ({ cards }: { cards: readonly AnsweredClaim[] }) => (
  <ul className="library-cards cards stack wide">
    {cards.map((asked) => (
      <LibraryCard key={asked.name} card={findingCard(asked)} />
    ))}
  </ul>
);

const paper = apart(() => import('./paper'));

/** Button that saves all findings as one file for paper, which is written when it is first asked for. */
function PaperButton() {
  const [said, attempt] = useAttempt();
  const save = async () => {
    const html = (await paper()).paper(CARDS, labLink(''), new Date());
    saveFile('unmask-findings.html', new Blob([html], { type: 'text/html' }));
    return '';
  };
  return (
    <p>
      <Button onClick={() => attempt(save)}>Save for print</Button>{' '}
      <span className="small soft">all findings with figures, methods and every seed’s number, as one HTML file</span>{' '}
      <span role="status" className="small">
        {said}
      </span>
    </p>
  );
}
