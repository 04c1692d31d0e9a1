/**
 * The rollouts of a task as one tree of what they share: a band for each stretch on which they stay together, as wide as they
 * are many and the fuller the more of them succeed. One stop of the keyboard; arrows walk along the branches. Below it the
 * same as a table.
 */
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import type { Inspection } from '../../../../../train/looks/shown';
import { Caption } from '../../../../kit/Caption';
import { formatMeasured, formatPercent, formatSigned, plural } from '../../../../kit/format';
import { HIDDEN, Row, Scrolling, Table } from '../../../../kit/Table';
import type { ArmColour } from '../../../../model/armColour';
import { ArmMark } from '../../../../model/arms/ArmName';
import { BranchPanel, type TreeProps } from './BranchPanel';
import { doneOn, numberOf, saidOf, turnsOn } from './branchWords';
import { type DrawnBranch, drawTree, treeStep } from './drawn';
import './tree.css';

interface Props {
  /** Trees of the arms that are shown, whichever of their trajectories. */
  readonly shown: readonly Inspection[];
  readonly words: readonly string[];
  readonly colours: ReadonlyMap<string, ArmColour>;
}

export function GroupTree({ shown, words, colours }: Props) {
  const [chosen, setChosen] = useState({ arm: shown[0]?.arm.id ?? '', at: 0 });
  const of = shown.find(({ arm }) => arm.id === chosen.arm) ?? shown[0];
  if (of === undefined) return null;
  const at = Math.min(chosen.at, of.tree.length - 1);
  return (
    <div className="inspector-halves short grow">
      <div className="inspector-tokens shrinks">
        <Caption
          said={`All ${of.rewards.length} rollouts of this task, parted where they first did or saw something else.`}
          about="the rollouts"
        >
          Thoughts count for nothing. The wider a band, the more rollouts take it; the fuller its box, the more of them
          succeed.
        </Caption>
        {shown.map((one) => (
          <ArmTree
            key={one.arm.id}
            inspection={one}
            words={words}
            colour={colours.get(one.arm.id)}
            chosen={one === of ? at : null}
            onChoose={(place) => setChosen({ arm: one.arm.id, at: place })}
          />
        ))}
      </div>
      <BranchPanel inspection={of} at={at} words={words} colour={colours.get(of.arm.id)} />
    </div>
  );
}

/** Sizes in pixels: from one level to the next, of a box, from row to row, and of the widest band. */
const [LEVEL, BOX, ROW, BAND] = [143, 111, 48, 28];

interface ArmProps extends TreeProps {
  /** Branch that is chosen; null where it is one of another arm's. */
  readonly chosen: number | null;
  readonly onChoose: (at: number) => void;
}

function ArmTree({ inspection, words, colour, chosen, onChoose }: ArmProps) {
  const { arm, tree } = inspection;
  const drawn = useMemo(() => drawTree(inspection), [inspection]);
  const place = useRef<HTMLDivElement>(null);
  const [levels, rows] = [
    1 + Math.max(...drawn.map(({ level }) => level)),
    1 + Math.max(...drawn.map(({ row }) => row)),
  ];
  const walk = (event: KeyboardEvent, at: number): void => {
    const to = treeStep(event.key, drawn, at);
    if (to === null) return;
    event.preventDefault();
    onChoose(to);
    place.current?.querySelector<HTMLElement>(`[data-branch="${to}"]`)?.focus();
  };
  return (
    <section className="under-8" aria-label={`Rollouts of ${arm.name}`}>
      <h3 className="world-name line">
        <ArmMark colour={colour} />
        <span className="arm-name-text">{arm.name}</span>
        <span className="small soft plain">{whole(inspection)}</span>
      </h3>
      <div className="tree-scroll">
        <div
          ref={place}
          className="tree relative"
          role="tree"
          aria-label={`Rollouts of ${arm.name} as a tree`}
          style={{ width: (levels - 1) * LEVEL + BOX, height: rows * ROW }}
        >
          <Bands drawn={drawn} total={inspection.rewards.length} />
          {drawn.map((one) => (
            <button
              key={one.at}
              type="button"
              role="treeitem"
              className="tree-box small frame to-left hand"
              data-branch={one.at}
              aria-level={one.level + 1}
              aria-selected={one.at === chosen}
              tabIndex={one.at === (chosen ?? 0) ? 0 : -1}
              style={{ left: one.level * LEVEL, top: one.row * ROW, width: BOX, ...fullness(one) }}
              onClick={() => onChoose(one.at)}
              onKeyDown={(event) => walk(event, one.at)}
            >
              <span className="one-line lined">{doneOn(tree[one.at], words, 5)}</span>
              <span className="tree-rate soft lined" aria-hidden="true">
                {one.rollouts.length} · {formatPercent(one.success)}
              </span>
              <span className={HIDDEN}>{saidOf(one, tree[one.at] as Inspection['tree'][number])}</span>
            </button>
          ))}
        </div>
      </div>
      <BranchTable inspection={inspection} drawn={drawn} words={words} />
    </section>
  );
}

const fullness = ({ success }: DrawnBranch) => ({ '--success': success }) as Record<string, number>;

function whole({ successes, tree }: Inspection): string {
  const solved = successes.reduce((sum, one) => sum + one, 0);
  const forks = new Set(tree.map(({ parent }) => parent).filter((parent) => parent >= 0)).size;
  return `${solved} of ${successes.length} succeed, ${plural(forks, 'fork')}`;
}

/** Bands from the branch it grows from to each, side by side where they leave, in the order of their rows. */
function Bands({ drawn, total }: { drawn: readonly DrawnBranch[]; total: number }) {
  const width = (one: DrawnBranch): number => Math.max(1.5, (BAND * one.rollouts.length) / total);
  const middle = (one: DrawnBranch): number => one.row * ROW + ROW / 2;
  return (
    <svg className="tree-bands cover full" aria-hidden="true" focusable="false">
      {drawn.map((one) => {
        const from = drawn[one.parent];
        if (from === undefined) return null;
        const others = drawn.filter(({ parent }) => parent === one.parent);
        const before = others.slice(0, others.indexOf(one)).reduce((sum, other) => sum + width(other), 0);
        const all = others.reduce((sum, other) => sum + width(other), 0);
        const [x, end] = [from.level * LEVEL + BOX, one.level * LEVEL];
        const [y, to] = [middle(from) - all / 2 + before + width(one) / 2, middle(one)];
        const half = (x + end) / 2;
        return (
          <path
            key={one.at}
            d={`M${x - 2} ${y}C${half} ${y} ${half} ${to} ${end + 2} ${to}`}
            strokeWidth={width(one)}
            style={fullness(one)}
          />
        );
      })}
    </svg>
  );
}

function BranchTable({ inspection, drawn, words }: Pick<ArmProps, 'inspection' | 'words'> & { drawn: DrawnBranch[] }) {
  const { tree, arm } = inspection;
  return (
    <details className="under-8">
      <summary className="small">The same as a table</summary>
      <Scrolling label={`Branches of ${arm.name}`}>
        <Table
          className="small unbroken"
          testId="tree-table"
          caption={`Branches of ${arm.name}`}
          columns={['Branch', 'Done', 'Turns', 'Rollouts', 'End here', 'Succeed', 'Mean reward', 'Less that before it']}
        >
          {drawn.map((one) => {
            const branch = tree[one.at] as Inspection['tree'][number];
            return (
              <Row
                key={one.at}
                head={numberOf(drawn, one.at)}
                cells={[
                  doneOn(branch, words, 6),
                  turnsOn(branch),
                  one.rollouts.length,
                  one.ends,
                  formatPercent(one.success),
                  formatMeasured(one.reward),
                  Number.isNaN(one.step) ? '' : formatSigned(one.step, 2),
                ]}
              />
            );
          })}
        </Table>
      </Scrolling>
    </details>
  );
}
