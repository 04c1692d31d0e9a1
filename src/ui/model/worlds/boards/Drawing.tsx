/** Drawing of a user's world: text, a table, cards or shapes. All of it is data; its texts are shown as texts. */

import { lettersOf } from '../../../../environments/own/extent';
import type { DrawingScene } from '../../../../environments/scene';
import './drawing.css';

type Drawing = DrawingScene['drawing'];
type Shape = Extract<Drawing, { kind: 'shapes' }>['shapes'][number];

export function DrawingView({ scene: { drawing }, label }: { readonly scene: DrawingScene; readonly label: string }) {
  return (
    <div className="board drawing fine raised scrolls" role="img" aria-label={`${label}. ${spoken(drawing)}`}>
      <Drawn drawing={drawing} />
    </div>
  );
}

function Drawn({ drawing }: { readonly drawing: Drawing }) {
  switch (drawing.kind) {
    case 'text':
      return numbered(drawing.lines.map(toned)).map(([key, { text, tone }]) => (
        <p key={key} className={`drawing-line drawing-${tone}`}>
          {text}
        </p>
      ));
    case 'table':
      return (
        <table className="table">
          <thead>
            <tr>
              {numbered(drawing.head).map(([key, text]) => (
                <th key={key}>{text}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {numbered(drawing.rows).map(([key, row]) => (
              <tr key={key}>
                {numbered(row).map(([column, text]) => (
                  <td key={column}>{text}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      );
    case 'cards':
      return (
        <div className="row closer">
          {numbered(drawing.cards).map(([key, { title, text, tone }]) => (
            <div key={key} className={`drawing-card drawing-${tone}`}>
              <strong>{title}</strong>
              <span>{text}</span>
            </div>
          ))}
        </div>
      );
    case 'shapes':
      return (
        <svg viewBox={`0 0 ${drawing.width} ${drawing.height}`} aria-hidden="true">
          {numbered(drawing.shapes).map(([key, shape]) => (
            <ShapeView key={key} shape={shape} letters={lettersOf(drawing)} />
          ))}
        </svg>
      );
  }
}

/** `letters`: height of texts that do not say theirs, units. */
function ShapeView({ shape, letters }: { readonly shape: Shape; readonly letters: number }) {
  const className = `drawing-shape drawing-${shape.tone}`;
  if (shape.shape === 'rect') {
    return <rect className={className} x={shape.x} y={shape.y} width={shape.width} height={shape.height} />;
  }
  if (shape.shape === 'circle') return <circle className={className} cx={shape.x} cy={shape.y} r={shape.radius} />;
  if (shape.shape === 'line') {
    return <line className={className} x1={shape.x} y1={shape.y} x2={shape.toX} y2={shape.toY} />;
  }
  return (
    <text className={className} x={shape.x} y={shape.y} fontSize={shape.size ?? letters}>
      {shape.text}
    </text>
  );
}

/** Each thing with its place as its key: a drawing's parts have no other name. */
const numbered = <T,>(things: readonly T[]): [key: string, thing: T][] =>
  things.map((thing, at) => [String(at), thing]);

type Line = Extract<Drawing, { kind: 'text' }>['lines'][number];

const toned = (line: Line) => (typeof line === 'string' ? { text: line, tone: 'plain' } : line);

function spoken(drawing: Drawing): string {
  if (drawing.kind === 'text') return drawing.lines.map((line) => toned(line).text).join('. ');
  if (drawing.kind === 'table') return drawing.rows.map((row) => row.join(', ')).join('. ');
  if (drawing.kind === 'cards') return drawing.cards.map(({ title, text }) => `${title} ${text}`.trim()).join('. ');
  return drawing.shapes.flatMap((shape) => (shape.shape === 'text' ? [shape.text] : [])).join('. ');
}
