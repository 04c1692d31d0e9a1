/** A chart as a picture or as numbers: offered once there is something in it, loaded when first asked for. */
import { useRef, useState } from 'react';
import { apart } from '../../foundation/apart';
import { asLabError } from '../../foundation/errors';
import { Popover } from '../Popover';
import { saveFile } from '../share/saveFile';
import { useLab, useLabState } from '../useLab';
import type { ChartDefinition } from './definition';

const chartFiles = apart(() => import('../share/chartFiles'));

const SAVED = [
  ['png', 'Save as PNG'],
  ['svg', 'Save as SVG'],
  ['csv', 'Data as CSV'],
  ['json', 'Data as JSON'],
] as const;

export function ChartMenu({ definition }: { definition: ChartDefinition }) {
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const measured = useLabState(({ history, update }) => history !== null && update > 0);
  if (!measured) return null;
  return (
    <span className="chart-menu">
      <button
        ref={opener}
        type="button"
        className="button button-quiet small"
        aria-expanded={open}
        aria-label={`${definition.title}: copy or save`}
        data-testid={`save-chart-${definition.metric}`}
        onClick={() => setOpen(!open)}
      >
        Save
      </button>
      {open && (
        <Popover label={`${definition.title}: copy or save`} opener={opener} onClose={() => setOpen(false)}>
          <Choices definition={definition} />
        </Popover>
      )}
    </span>
  );
}

function Choices({ definition }: { definition: ChartDefinition }) {
  const lab = useLab();
  const [said, setSaid] = useState('');
  const attempt = async (work: (files: typeof import('../share/chartFiles')) => Promise<string>) => {
    try {
      setSaid('');
      setSaid(await work(await chartFiles()));
    } catch (cause) {
      setSaid(asLabError(cause).message);
    }
  };
  return (
    <div className="chart-choices">
      <button
        type="button"
        className="button"
        data-testid="chart-copy"
        onClick={() =>
          attempt(async ({ copyChart }) => {
            await copyChart(lab, definition);
            return 'The picture is in your clipboard.';
          })
        }
      >
        Copy the picture
      </button>
      {SAVED.map(([kind, words]) => (
        <button
          key={kind}
          type="button"
          className="button"
          data-testid={`chart-${kind}`}
          onClick={() =>
            attempt(async ({ chartAs }) => {
              const { name, content } = await chartAs(lab, definition, kind);
              saveFile(name, content);
              return `Saved as ${name}.`;
            })
          }
        >
          {words}
        </button>
      ))}
      <p className="small" aria-live="polite">
        {said}
      </p>
    </div>
  );
}
