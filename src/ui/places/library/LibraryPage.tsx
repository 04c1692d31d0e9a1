/** One gallery of all that there is to try and to read, by words, and by kind, which the address names: `#library/experiment`. */

import { useDeferredValue, useMemo, useState } from 'react';
import { Button } from '../../kit/Button';
import { SearchField } from '../../kit/Fields';
import { plural } from '../../kit/format';
import { Group } from '../../model/Group';
import { goTo, isHidden } from '../../model/place';
import { useLabState } from '../../model/useLab';
import { type Card, cardsWith, KINDS, type Kind } from './cards';
import { LibraryCard } from './LibraryCard';

/** Cards of each kind while all kinds are shown. */
const MOST = 8;

export function LibraryPage({ name }: { name: string }) {
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text);
  const hidden = useLabState((state) => state.hidden);
  const found = useMemo(() => cardsWith(wanted), [wanted]);
  const kinds = (Object.keys(KINDS) as Kind[]).filter((one) => !isHidden(KINDS[one].place, hidden));
  const only = kinds.find((one) => one === name) ?? null;
  const kind = useDeferredValue(only);
  const of = (one: Kind) => found.filter((card) => card.kind === one);
  const count = kinds.filter((one) => kind === null || one === kind).reduce((sum, one) => sum + of(one).length, 0);
  return (
    <Group id="library" about="Experiments, findings, lessons, methods of the field, worlds and losses.">
      <search className="library-search row near">
        <label className="hidden-text" htmlFor="library-search">
          Search the library
        </label>
        <SearchField
          id="library-search"
          className="field search"
          data-testid="library-search"
          placeholder="Search: mask, shop, GSPO …"
          text={text}
          onText={setText}
        />
        <fieldset className="row near">
          <legend className="hidden-text">Kind</legend>
          {[null, ...kinds].map((one) => (
            <Button
              key={one}
              aria-pressed={one === only}
              data-testid={`kind-${one ?? 'all'}`}
              onClick={() => goTo('library', one ?? '')}
            >
              {one === null ? 'All' : KINDS[one].title}
            </Button>
          ))}
        </fieldset>
        <span className="small soft" role="status">
          {count === 0 ? 'Nothing has all of these words.' : plural(count, 'card')}
        </span>
      </search>
      {kinds
        .filter((one) => (kind === null || one === kind) && of(one).length > 0)
        .map((one) => (
          <Shelf key={one} kind={one} cards={of(one)} isWhole={kind !== null} onAll={() => goTo('library', one)} />
        ))}
    </Group>
  );
}

interface ShelfProps {
  readonly kind: Kind;
  readonly cards: readonly Card[];
  readonly isWhole: boolean;
  readonly onAll: () => void;
}

function Shelf({ kind, cards, isWhole, onAll }: ShelfProps) {
  const { title } = KINDS[kind];
  const shown = isWhole ? cards : cards.slice(0, MOST);
  return (
    <section aria-label={title}>
      <div className="library-head line wide baseline">
        <h3>{title}</h3>
        {shown.length < cards.length && (
          <Button className="button-quiet" data-testid={`all-${kind}`} onClick={onAll}>
            All {cards.length}
            <span className="hidden-text"> {title}</span>
          </Button>
        )}
      </div>
      <ul className="library-cards cards stack wide">
        {shown.map((card) => (
          <LibraryCard key={card.id} card={card} />
        ))}
      </ul>
    </section>
  );
}
