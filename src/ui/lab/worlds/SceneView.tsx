/** A world up to one turn, drawn by what kind of world it is. */
import { Suspense } from 'react';
import type { BoardScene, Scene, ShopScene } from '../../../environments/environment';
import { part } from '../../kit/part';
import { Board } from './Board';
import { Tape } from './Tape';

const ShopView = part('The shop', () => import('./Shop').then((module) => module.ShopView));
const TerminalView = part('The terminal', () => import('./Terminal').then((module) => module.TerminalView));
const DrawingView = part('The world', () => import('./Drawing').then((module) => module.DrawingView));

interface Props {
  /** One for the prompt and one after each turn. */
  readonly scenes: readonly Scene[];
  /** The last one shown. */
  readonly turn: number;
  readonly colour: string;
  readonly label: string;
}

export function SceneView(props: Props) {
  return (
    <Suspense fallback={<div className="board board-empty" />}>
      <Drawn {...props} />
    </Suspense>
  );
}

function Drawn({ scenes, turn, colour, label }: Props) {
  const shown = scenes.slice(0, turn + 1);
  const now = shown.at(-1);
  switch (now?.kind) {
    case 'board':
      return <Board way={shown as readonly BoardScene[]} now={now} colour={colour} label={label} />;
    case 'tape':
      return <Tape now={now} colour={colour} label={label} />;
    case 'shop':
      return <ShopView scene={now} way={shown as readonly ShopScene[]} colour={colour} label={label} />;
    case 'terminal':
      return <TerminalView scene={now} colour={colour} label={label} />;
    case 'drawing':
      return <DrawingView scene={now} label={label} />;
    default:
      return <div className="board board-empty" role="img" aria-label={label} />;
  }
}
