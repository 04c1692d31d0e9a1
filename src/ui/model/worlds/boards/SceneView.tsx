/** A world up to one turn, drawn by what kind of world it is. */
import { Suspense, useRef } from 'react';
import type { BoardScene, Scene, ShopScene } from '../../../../environments/scene';
import { within } from '../../../kit/part';
import type { TokenLearning } from '../../tokens/Chip';
import { Board } from './Board';
import { Tape } from './Tape';

const ShopView = within('The shop', () => import('./Shop'), 'ShopView');
const TerminalView = within('The terminal', () => import('./Terminal'), 'TerminalView');
const Book = within('The story', () => import('./Book'), 'Book');
const DrawingView = within('The world', () => import('./Drawing'), 'DrawingView');

interface Props {
  /** Scenes of the prompt and after each turn; null while they are on their way: the scene drawn before stays. */
  readonly scenes: readonly Scene[] | null;
  /** Turn of the scene shown. */
  readonly turn: number;
  readonly colour: string;
  readonly label: string;
  /** Learning of a token of the episode; absent where nobody learns from it. */
  readonly learning?: (index: number) => TokenLearning;
}

export function SceneView({ scenes, ...props }: Props) {
  const last = useRef<DrawnProps | null>(null);
  const there = scenes === null ? last.current : { scenes, ...props };
  last.current = there;
  return (
    <Suspense fallback={<div className="board board-empty veil" />}>
      {there === null ? (
        <div className="board board-empty veil" role="img" aria-label={props.label} />
      ) : (
        <Drawn {...there} />
      )}
    </Suspense>
  );
}

interface DrawnProps extends Props {
  readonly scenes: readonly Scene[];
}

function Drawn({ scenes, turn, colour, label, learning }: DrawnProps) {
  const shown = scenes.slice(0, turn + 1);
  const now = shown.at(-1);
  switch (now?.kind) {
    case 'board':
      return <Board way={shown as readonly BoardScene[]} now={now} colour={colour} label={label} />;
    case 'story':
      return <Book now={now} colour={colour} label={label} learning={learning} />;
    case 'tape':
      return <Tape now={now} colour={colour} label={label} />;
    case 'shop':
      return <ShopView now={now} way={shown as readonly ShopScene[]} colour={colour} label={label} />;
    case 'terminal':
      return <TerminalView now={now} colour={colour} label={label} />;
    case 'drawing':
      return <DrawingView scene={now} label={label} />;
    default:
      return <div className="board board-empty veil" role="img" aria-label={label} />;
  }
}
