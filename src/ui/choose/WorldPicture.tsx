/** A world in miniature: a board as it is, its way included; of worlds that are text, what they look like from afar. */
import { useMemo } from 'react';
import type { BoardScene, Environment, Scene } from '../../environments/environment';
import { exhibit } from '../../environments/exhibit';
import { Board } from '../worlds/Board';

export function WorldPicture({ environment }: { environment: Environment }) {
  const scenes = useMemo(() => exhibit(environment), [environment]);
  const now = scenes.at(-1);
  if (now?.kind === 'board') {
    return <Board way={scenes as readonly BoardScene[]} now={now} colour="var(--ink)" label="" />;
  }
  return (
    <svg viewBox="0 0 40 40" aria-hidden="true">
      <rect x="0.5" y="0.5" width="39" height="39" rx="2" className="sketch-sheet" />
      {now === undefined ? null : SKETCHES[now.kind]}
    </svg>
  );
}

const line = (d: string) => <path className="sketch-line" d={d} />;
const soft = (d: string) => <path className="sketch-soft" d={d} />;

/** Boards are drawn themselves. */
const SKETCHES: Readonly<Record<Exclude<Scene['kind'], 'board'>, React.ReactNode>> = {
  tape: (
    <>
      {line('M22 7h4m2 0h5M24 5v4')}
      {soft('M6 13h28M6 19h8M6 25h10')}
      {line('M29 19h4M27 25h6M6 31h28')}
    </>
  ),
  shop: (
    <>
      <rect x="6" y="6" width="28" height="6" rx="1" className="sketch-line" />
      {soft('M6 18h14M31 18h3M6 24h18M31 24h3')}
      <rect x="6" y="29" width="10" height="6" rx="1" className="sketch-solid" />
    </>
  ),
  terminal: (
    <>
      {line('M6 9l4 3-4 3M14 15h10')}
      {soft('M6 21h20M6 26h14')}
      <rect x="6" y="30" width="4" height="5" className="sketch-solid" />
    </>
  ),
};
