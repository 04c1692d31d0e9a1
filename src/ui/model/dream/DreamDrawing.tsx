/** A dream up to a turn: on the board where answers name places, else written beside what was seen. */
import type { BoardScene, Scene } from '../../../environments/environment';
import type { World } from '../environment';
import { AnswerPairs } from './AnswerPairs';
import type { Answer } from './answers';
import { type Cell, DreamBoard } from './DreamBoard';
import { DreamTokens } from './DreamTokens';

interface Props {
  readonly answers: readonly Answer[];
  /** Answers of the turns shown. */
  readonly shown: readonly Answer[];
  readonly scenes: readonly Scene[];
  readonly world: World;
  readonly isOneDream: boolean;
  readonly colour: string;
  readonly label: string;
}

export function DreamDrawing({ answers, shown, scenes, world, isOneDream, colour, label }: Props) {
  const { environment, words } = world;
  const cellNamed = (tokens: readonly number[]): Cell => environment.cellNamed?.(tokens) ?? null;
  if (!answers.some(({ seen }) => cellNamed(seen) !== null)) {
    return <DreamTokens answers={shown} scenes={scenes} words={words} label={label} />;
  }
  const now = shown.at(-1);
  return (
    <div>
      <DreamBoard
        way={scenes.slice(0, shown.length + 1) as readonly BoardScene[]}
        cells={shown.map(({ dreamed }) => cellNamed(dreamed))}
        isOneDream={isOneDream}
        colour={colour}
        label={label}
      />
      <p className="dream-now small clips above-4">
        {now === undefined ? null : (
          <>
            <span className="soft">dreamed</span> <AnswerPairs answer={now} words={words} />{' '}
            <span className="soft">seen</span>
          </>
        )}
      </p>
    </div>
  );
}
