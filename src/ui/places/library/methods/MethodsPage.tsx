/**
 * The methods of the field by name: what each is, where it is in the lab, its source, and what differs. One types a name, a
 * part of one, or words of what it does; Enter opens the likeliest, the arrow keys walk along the links.
 */

import {
  Fragment,
  type KeyboardEvent,
  type MouseEvent,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Button } from '../../../kit/Button';
import { SearchField } from '../../../kit/Fields';
import { plural } from '../../../kit/format';
import { Term } from '../../../kit/Term';
import { takeFocus } from '../../../kit/takeFocus';
import { showChart } from '../../../model/charts/kinds/shownChart';
import { PlaceHead } from '../../../model/Group';
import type { Method, Where } from './method';
import { METHOD_GROUPS, nearestMethods, searchMethods } from './methods';
import { sourcesOf } from './sources';
import { fragmentTo, wordsOf } from './where';
import '../../../kit/styles/reading.css';
import './methods.css';

/** Words of the lines below that not everybody knows. */
const WORDS = ['rollout', 'on-policy', 'inner step', 'denominator', 'critic', 'GAE', 'k2'] as const;

export function MethodsPage() {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const wanted = useDeferredValue(text);
  const { found, said } = useMemo(() => resultOf(wanted), [wanted]);
  useEffect(() => takeFocus(field.current), []);
  const links = (): HTMLElement[] => [...(list.current?.querySelectorAll<HTMLElement>('a.method-link') ?? [])];
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isInField = event.target === field.current;
    if (event.key === 'Enter' && isInField) {
      event.preventDefault();
      links()[0]?.click();
    } else if (step !== undefined && (isInField || event.target instanceof HTMLAnchorElement)) {
      event.preventDefault();
      const all = links();
      const next = all.indexOf(document.activeElement as HTMLElement) + step;
      (next < 0 ? field.current : all[next])?.focus();
    }
  };
  return (
    <main className="reading methods" data-testid="methods" onKeyDown={press}>
      <PlaceHead
        id="methods"
        about="Methods from papers on training agents: where the lab has each, its paper, and what differs. Those that it lacks come last."
      />
      <label className="methods-search stack close">
        <span className="small">Name, or what it does</span>
        <SearchField
          ref={field}
          placeholder="GSPO, rejection fine-tuning, mask, curriculum …"
          enterKeyHint="go"
          data-testid="methods-search"
          text={text}
          onText={setText}
        />
      </label>
      {wanted === '' && <Chapters />}
      <p className="small soft">
        Words used here:{' '}
        {WORDS.map((term, at) => (
          <Fragment key={term}>
            {at > 0 && ', '}
            <Term term={term} />
          </Fragment>
        ))}
        .
      </p>
      <p className="small soft" role="status">
        {said}
      </p>
      <div ref={list} className="methods-list">
        {wanted !== '' && <h3 className="hidden-text">Found</h3>}
        {found.map(({ method, group }, index) => (
          <Shown
            key={method.name}
            method={method}
            heading={wanted === '' && found[index - 1]?.group !== group ? group : null}
          />
        ))}
      </div>
    </main>
  );
}

/** Methods that answer a text, and a line on how well. */
function resultOf(text: string) {
  const found = searchMethods(text);
  if (found.length > 0) return { found, said: plural(found.length, 'method') };
  const nearest = nearestMethods(text);
  const said =
    nearest.length > 0
      ? 'No method has all of these words; these have most.'
      : 'No method has any of these words. Try another name.';
  return { found: nearest, said };
}

const chapterId = (title: string): string => `methods-${METHOD_GROUPS.findIndex((group) => group.title === title)}`;

/** Links to the headings: the list is some thirty screens long. The address stays, since its fragment is the place. */
function Chapters() {
  const jump = (title: string): void => {
    const heading = document.getElementById(chapterId(title));
    heading?.scrollIntoView();
    heading?.focus({ preventScroll: true });
  };
  return (
    <nav className="row words-apart small" aria-label="Chapters">
      {METHOD_GROUPS.map(({ title }) => (
        <Button key={title} className="button-quiet small" onClick={() => jump(title)}>
          {title}
        </Button>
      ))}
    </nav>
  );
}

function Shown({ method, heading }: { method: Method; heading: string | null }) {
  const { name, also, line, where, differs, source } = method;
  return (
    <>
      {heading !== null && (
        <h3 id={chapterId(heading)} tabIndex={-1}>
          {heading}
        </h3>
      )}
      <article className="method stack ruled" data-testid="method">
        <h4 className="row words-apart baseline">
          {name}
          {also.length > 0 && <span className="small soft plain">{also.join(', ')}</span>}
        </h4>
        <p>{line}</p>
        {where.length > 0 ? (
          <ul className="row words-apart small" aria-label={`Where ${name} is`}>
            {where.map((one) => (
              <li key={wordsOf(one)}>
                <Link where={one} />
              </li>
            ))}
          </ul>
        ) : (
          <p className="small">Not here.</p>
        )}
        <p className="small soft">
          {differs !== '' && `${differs} `}
          <Sources source={source} />
        </p>
      </article>
    </>
  );
}

/** The whole address: a link that begins with # and is out of sight would pass for one that skips a part of the page. */
function Link({ where }: { where: Where }) {
  const open = (event: MouseEvent) => {
    if (where.kind !== 'chart' || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    showChart(where.metric);
  };
  return (
    <a
      className="method-link sentence"
      href={location.href.replace(/(#.*)?$/s, () => fragmentTo(where))}
      onClick={open}
    >
      {wordsOf(where)}
    </a>
  );
}

function Sources({ source }: { source: string }) {
  return (
    <span>
      {sourcesOf(source).map(({ words, href }, at) => (
        <Fragment key={words}>
          {at > 0 && ', '}
          {href === null ? (
            words
          ) : (
            <a href={href} target="_blank" rel="noreferrer">
              {words}
            </a>
          )}
        </Fragment>
      ))}
    </span>
  );
}
