/** Menus of a chart that shows something: its axis set by hand, and the chart saved. */

import { apart } from '../../../foundation/apart';
import { Button } from '../../kit/Button';
import { useAttempt } from '../../kit/Fields';
import { PopoverButton } from '../../kit/PopoverButton';
import { saveFile } from '../../kit/saveFile';
import { useLab, useLabState } from '../useLab';
import { AxisMenu } from './drawn/AxisMenu';
import type { ChartDefinition } from './kinds/definition';

export function ChartMenus({ definition }: { definition: ChartDefinition }) {
  return (
    <>
      <AxisMenu definition={definition} />
      <ChartMenu definition={definition} />
    </>
  );
}

const chartFiles = apart(() => import('../files/chartFiles'));

const SAVED = [
  ['png', 'Save as PNG'],
  ['svg', 'Save as SVG'],
  ['csv', 'Data as CSV'],
  ['json', 'Data as JSON'],
] as const;

/** A chart as a picture or as numbers: offered once there is something in it, loaded when first asked for. */
function ChartMenu({ definition }: { definition: ChartDefinition }) {
  const measured = useLabState(({ history, update }) => history !== null && update > 0);
  if (!measured) return null;
  const words = `${definition.title}: copy or save`;
  return (
    <span className="chart-menu">
      <PopoverButton
        label={words}
        words="Save"
        name={words}
        className="button button-quiet small"
        testId={`save-chart-${definition.metric}`}
      >
        {() => <Choices definition={definition} />}
      </PopoverButton>
    </span>
  );
}

function Choices({ definition }: { definition: ChartDefinition }) {
  const lab = useLab();
  const [said, attempt] = useAttempt();
  return (
    <div className="chart-choices stack">
      <Button
        data-testid="chart-copy"
        onClick={() =>
          attempt(async () => {
            await (await chartFiles()).copyChart(lab, definition);
            return 'The picture is in your clipboard.';
          })
        }
      >
        Copy the picture
      </Button>
      {SAVED.map(([kind, words]) => (
        <Button
          key={kind}
          data-testid={`chart-${kind}`}
          onClick={() =>
            attempt(async () => {
              const { name, content } = await (await chartFiles()).chartAs(lab, definition, kind);
              saveFile(name, content);
              return `Saved as ${name}.`;
            })
          }
        >
          {words}
        </Button>
      ))}
      <p className="small" aria-live="polite">
        {said}
      </p>
    </div>
  );
}
