/** A world up to one turn, drawn by what kind of world it is. */
import type { BoardScene, Scene, ShopScene } from '../../../environments/environment';
import { Board } from './Board';
import { DrawingView } from './Drawing';
import { ShopView } from './Shop';
import { Tape } from './Tape';
import { TerminalView } from './Terminal';

interface Props {
  /** One for the prompt and one after each turn. */
  readonly scenes: readonly Scene[];
  /** The last one shown. */
  readonly turn: number;
  readonly colour: string;
  readonly label: string;
}

export function SceneView({ scenes, turn, colour, label }: Props) {
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
