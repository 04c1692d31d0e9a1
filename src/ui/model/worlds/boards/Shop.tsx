/**
 * The shop as the agent sees it: the instruction, the page it is on, and below what it has clicked so far. What the last
 * click brought is outlined in the arm's colour and named at the end of the way; what was not shown is not drawn.
 */
import type { CSSProperties, ReactNode } from 'react';
import type { ShopScene } from '../../../../environments/scene';
import { formatPercent } from '../../../kit/format';
import type { DrawnScene } from './Board';
import './shop.css';

/** Clicks drawn: two lines of them. */
const MOST_CLICKS = 6;

interface Props extends DrawnScene<ShopScene> {
  /** The scenes up to this one, for the way of clicks. */
  readonly way?: readonly ShopScene[];
}

export function ShopView({ now: scene, way = [scene], colour, label }: Props) {
  const clicks = way.flatMap(({ action }) => (action === null ? [] : [action]));
  const style = { '--click': colour } as CSSProperties;
  return (
    <div
      className="scene-page shop column close small shrinks"
      role="img"
      aria-label={`${label}. ${spoken(scene, clicks)}`}
      style={style}
    >
      <p className="scene-task bold clips firm">{scene.instruction}</p>
      <div className="scene-sheet shop-sheet edged clips short grow raised top">
        <p className="shop-search frame soft">
          <Mark
            on={scene.page === 'results' && scene.query !== null && scene.query.split(' ').includes(scene.action ?? '')}
          >
            {scene.query ?? 'search'}
          </Mark>
        </p>
        <Page scene={scene} />
      </div>
      <ol className="shop-way clips soft firm">
        {shortened(clicks).map((click, index, all) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a click is its place on the way
          <li key={index} className="shop-click" data-last={index === all.length - 1}>
            {click}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Clicks that there is room for: the same ones in a row as one, the newest ones of many. */
function shortened(clicks: readonly string[]): string[] {
  const runs: { click: string; count: number }[] = [];
  for (const click of clicks) {
    const last = runs.at(-1);
    if (last?.click === click) last.count += 1;
    else runs.push({ click, count: 1 });
  }
  const texts = runs.map(({ click, count }) => (count === 1 ? click : `${click} ×${count}`));
  return texts.length > MOST_CLICKS ? ['…', ...texts.slice(1 - MOST_CLICKS)] : texts;
}

/** Text, outlined if it is what the last click was about. */
function Mark({ on, children }: { on: boolean; children: ReactNode }) {
  return <span className={on ? 'shop-mark' : undefined}>{children}</span>;
}

function Page({ scene }: { scene: ShopScene }) {
  const { page, results, item, complaint, score, action } = scene;
  if (complaint !== null) return <p className="shop-complaint bold">{complaint}</p>;
  if (page === 'bought') return <Bought scene={scene} />;
  if (page === 'results') {
    return (
      <>
        <ul className="shop-results">
          {results.map(({ id, text, price }) => (
            <li key={id}>
              <span>{[id, text].join(' ').trim()}</span>
              <span>{price}</span>
            </li>
          ))}
          {results.length === 0 && <li>nothing found</li>}
        </ul>
        {item !== null && <p className="soft low">opened last: {item.id}</p>}
        <Buttons scene={scene} />
      </>
    );
  }
  if (page === 'item' && item !== null) {
    return (
      <>
        <p className="shop-title bold">
          <Mark on={item.id === action}>{item.id}</Mark>
          <span>{item.price}</span>
        </p>
        <p className="low">{item.attributes.join(' ')}</p>
        <p className="shop-options row">
          {item.options.map(({ text, isChosen }) => (
            <Mark key={text} on={isChosen}>
              {text}
            </Mark>
          ))}
        </p>
        <Buttons scene={scene} />
      </>
    );
  }
  return score === null ? <p className="soft low">an empty search page</p> : null;
}

function Buttons({ scene: { buttons } }: { scene: ShopScene }) {
  return (
    <p className="shop-buttons row">
      {buttons.map((text) => (
        <span key={text}>{text}</span>
      ))}
    </p>
  );
}

function Bought({ scene: { item, score } }: { scene: ShopScene }) {
  return (
    <>
      <p className="shop-title bold">
        <Mark on>bought</Mark>
        <span>{item?.price}</span>
      </p>
      <p className="low">
        {item === null ? 'nothing: no product was open' : [item.id, ...item.attributes, ...chosen(item)].join(' ')}
      </p>
      <p className="bold low">reward {formatPercent(score ?? 0)}</p>
    </>
  );
}

function chosen({ options }: NonNullable<ShopScene['item']>): string[] {
  return options.filter(({ isChosen }) => isChosen).map(({ text }) => text);
}

function spoken({ instruction, page, results, item, complaint, score }: ShopScene, clicks: readonly string[]): string {
  const seen = {
    search: 'The search page.',
    results: `Results: ${results.map(({ id, price }) => `${id} ${price}`.trim()).join(', ') || 'none'}.`,
    item: `Product ${[item?.id, ...(item?.attributes ?? []), item?.price].join(' ')}.`,
    bought: `Bought ${item?.id ?? 'nothing'}, reward ${formatPercent(score ?? 0)}.`,
  };
  const way = clicks.length === 0 ? '' : ` Clicked: ${clicks.join(', ')}.`;
  return `Wanted: ${instruction}. ${seen[page]}${complaint === null ? '' : ` The shop says: ${complaint}.`}${way}`;
}
