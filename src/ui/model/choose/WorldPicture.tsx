/** A world in miniature: a board as it is, its way included; of worlds that are text, what they look like from afar. */
import type { ReactNode } from 'react';
import type { BoardScene, Environment, Scene } from '../../../environments/environment';
import { useExhibit } from '../play';
import { Board } from '../worlds/Board';

export function WorldPicture({ environment }: { environment: Environment }) {
  const { scenes, kinds } = useExhibit(environment) ?? COMING;
  const now = scenes.at(-1);
  if (now?.kind === 'board' && kinds.length === 1) {
    return <Board way={scenes as readonly BoardScene[]} now={now} colour="var(--ink)" label="" />;
  }
  return <Sheets kinds={kinds} />;
}

const COMING = { scenes: [], kinds: [] };

/** One sheet, or those of a mixture beside and below one another. */
export function Sheets({ kinds }: { kinds: readonly Scene['kind'][] }) {
  const across = Math.max(1, Math.ceil(Math.sqrt(kinds.length)));
  return (
    <svg viewBox={`0 0 ${across * SHEET} ${across * SHEET}`} aria-hidden="true">
      {kinds.map((kind, index) => (
        <g key={kind} transform={`translate(${(index % across) * SHEET} ${Math.floor(index / across) * SHEET})`}>
          <rect x="0.5" y="0.5" width={SHEET - 1} height={SHEET - 1} rx="2" className="sketch-sheet" />
          {SKETCHES[kind]}
        </g>
      ))}
    </svg>
  );
}

const SHEET = 40;

const line = (d: string) => <path className="sketch-line" d={d} />;
const soft = (d: string) => <path className="sketch-soft" d={d} />;

const SKETCHES: Readonly<Record<Scene['kind'], ReactNode>> = {
  board: (
    <>
      {soft('M13.3 2v36M26.7 2v36M2 13.3h36M2 26.7h36')}
      {line('M6.7 6.7V20H33.3V33.3')}
      <circle cx="33.3" cy="33.3" r="4" className="sketch-solid" />
    </>
  ),
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
  drawing: (
    <>
      <rect x="6" y="6" width="12" height="12" rx="1" className="sketch-line" />
      {soft('M24 8h10M24 14h8M6 24h28M6 30h18')}
      <circle cx="31" cy="31" r="3" className="sketch-solid" />
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
