/** Success of each arm in the last examination: practised and new questions, while the tool works and without it. */

import type { Arm, Experiment } from '../../../../experiment/experiment';
import { examinedShare, lastExamined } from '../../../../store/look/outcomes';
import { formatCount, formatPercent, plural } from '../../../kit/format';
import { Row, Scrolling, Table } from '../../../kit/Table';
import { armColours } from '../../armColour';
import { MarkedArm } from '../../arms/ArmName';
import { worldOf } from '../../environment';
import { useLabState } from '../../useLab';
import './toolBars.css';

/** Cells by what the tool does; both bars of a cell are of the same arm and update. */
const CELLS = [
  { title: 'Tool works', bars: ['practisedToolUp', 'newToolUp'] },
  { title: 'Tool taken away', bars: ['practisedToolDown', 'newToolDown'] },
] as const;
const NAMES = ['practised', 'new'] as const;

export function ToolBars({ running, arms }: { running: Experiment; arms: readonly Arm[] }) {
  const history = useLabState((state) => state.history);
  useLabState((state) => state.tick);
  const { toolEvery } = running.evaluation;
  const environment = worldOf(running.environment)?.environment;
  if (toolEvery === 0 || (environment?.withTool?.('down') ?? null) === null) return null;
  const update = history === null ? null : lastExamined(history.count, toolEvery);
  const colours = armColours(running.arms);
  const when = update === null ? 'not examined yet' : `at update ${formatCount(update + 1)}`;
  return (
    <Scrolling label="Right answers, arm by arm">
      <Table
        className="tool-bars fine full"
        caption={`Right answers on practised and on new questions, ${when}; examined every ${plural(toolEvery, 'update')}`}
        captionClass="small soft"
        columns={[{ key: 'arm', head: <span className="hidden-text">Arm</span> }, ...CELLS.map(({ title }) => title)]}
      >
        {arms.map((arm) => (
          <Row key={arm.id} headClass="unbroken" head={<MarkedArm colour={colours.get(arm.id)} name={arm.name} />}>
            {CELLS.map(({ title, bars }) => (
              <td key={title}>
                {bars.map((metric, at) => (
                  <Bar
                    key={metric}
                    name={NAMES[at] as string}
                    colour={colours.get(arm.id)?.stroke}
                    share={history && examinedShare(history, toolEvery, running.arms.indexOf(arm), metric)}
                  />
                ))}
              </td>
            ))}
          </Row>
        ))}
      </Table>
    </Scrolling>
  );
}

function Bar({ name, colour, share }: { name: string; colour: string | undefined; share: number | null }) {
  return (
    <span className="tool-bar line" data-share={share ?? undefined}>
      <span className="tool-bar-name soft">{name}</span>
      <svg aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 8">
        <rect className="veil" width="100" height="8" />
        <rect fill={colour} width={100 * (share ?? 0)} height="8" />
      </svg>
      <span className="tool-bar-share to-right">{share === null ? '–' : formatPercent(share)}</span>
    </span>
  );
}
