/**
 * The strip under the curves: a mark for each change of the run, in its arm's colour and with its name, planned or made while it
 * trained. From here an arm is branched, and a change planned.
 */

import { type ReactNode, useMemo, useRef, useState } from 'react';
import { branchesOf, isInherited } from '../../../../experiment/arm/branch';
import type { Change, Experiment } from '../../../../experiment/experiment';
import { roomOf } from '../../../../experiment/timeline';
import { marked } from '../../../../store/edit/interventions';
import { Button } from '../../../kit/Button';
import { plural } from '../../../kit/format';
import { part } from '../../../kit/part';
import { useSize } from '../../../kit/useSize';
import { armColours } from '../../../model/armColour';
import { changeInWords, changeWords, nameOfChange } from '../../../model/changeWords';
import { useAsking } from '../../../model/useAsking';
import { useHidden } from '../../../model/useHidden';
import { useLabParts, useLabState } from '../../../model/useLab';
import { MarkGroup } from './MarkGroup';
import { groupMarks, placeNames, placeOf } from './places';
import { RunEvents } from './RunEvents';
import { StripMark } from './StripMark';
import type { OpenedStrip } from './StripPopover';
import { useInterventions } from './useInterventions';
import './timeline.css';

/** Characters of a name under its mark. */
const LONGEST = 44;

/** Name cut at its end and after a word: the text that is seen has to be a part of the one that is heard. */
const cut = (name: string): string =>
  name.length <= LONGEST ? name : `${name.slice(0, LONGEST).replace(/\s+\S*$/, '')}…`;

const StripPopover = part('The form of a change', () => import('./StripPopover'), 'StripPopover');

export function Interventions() {
  const experiment = useMarked();
  const now = useLabState((state) => (state.running === null ? null : state.update));
  const isFixed = useHidden('settings');
  const isArmsFixed = useHidden('arms');
  const [opened, setOpened] = useState<OpenedStrip | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const track = useRef<HTMLDivElement>(null);
  const { width } = useSize(track);
  const { timeline, updates } = experiment;
  // Nothing to branch from, and no strip, before there is a run or a change.
  const isEarly = useAsking() && timeline.length === 0;
  const close = () => {
    setOpened(null);
    opener.current?.focus();
  };
  const open = (what: OpenedStrip, by: HTMLButtonElement) => {
    opener.current = by;
    setOpened(isSame(what, opened) ? null : what);
  };
  const shown = stillThere(opened, timeline);
  return (
    <section className="interventions shrinks" aria-labelledby="timeline">
      <h3 id="timeline">What was changed</h3>
      <div className="strip-place relative">
        <div ref={track} className="strip-track relative" hidden={isEarly}>
          <span className="strip-line" aria-hidden="true" />
          {now !== null && (
            <span className="strip-now small" style={{ left: `${placeOf(now, updates, width)}px` }}>
              <span className={`strip-now-words${now > updates / 2 ? ' strip-now-left' : ''} soft unbroken`}>
                now · update {now}
              </span>
            </span>
          )}
          {timeline.length === 0 && (
            <span className="soft small strip-empty">Changes while it trains are marked here.</span>
          )}
          <Marks {...{ experiment, width, isFixed, opened }} onOpen={open} onMoved={setOpened} />
        </div>
        <div className="row near baseline">
          {!isArmsFixed && !isEarly && (
            <Opener testId="branch" isOpen={opened === 'branch'} onOpen={(by) => open('branch', by)}>
              Branch from here…
            </Opener>
          )}
          {!isFixed && (
            <Opener testId="plan-change" isOpen={opened === 'plan'} onOpen={(by) => open('plan', by)}>
              Plan a change…
            </Opener>
          )}
          {timeline.length > 0 && !isFixed && <span className="soft small">drag a mark to move it</span>}
        </div>
        {shown !== null && (
          <StripPopover
            {...{ experiment, opener }}
            opened={shown}
            onLeave={() => setOpened(null)}
            onDone={close}
            onEdit={setOpened}
          />
        )}
      </div>
      <RunEvents />
    </section>
  );
}

const isSame = (one: OpenedStrip | null, other: OpenedStrip | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The opened mark, if its changes still exist. */
function stillThere(opened: OpenedStrip | null, timeline: readonly Change[]): OpenedStrip | null {
  if (opened === null || typeof opened === 'string') return opened;
  const found = timeline.filter((one) => [opened].flat().some((wanted) => isSame(one, wanted)));
  return Array.isArray(opened) && found.length > 1 ? found : (found[0] ?? null);
}

/** The experiment with the changes that the strip shows. */
function useMarked(): Experiment {
  const { running, edited, marks } = useLabParts('running', 'edited', 'marks');
  return useMemo(() => marked({ running, edited, marks }), [running, edited, marks]);
}

interface MarksProps {
  readonly experiment: Experiment;
  readonly width: number;
  readonly isFixed: boolean;
  readonly opened: OpenedStrip | null;
  readonly onOpen: (opened: OpenedStrip, opener: HTMLButtonElement) => void;
  readonly onMoved: (change: Change | null) => void;
}

function Marks({ experiment, width, isFixed, opened, onOpen, onMoved }: MarksProps) {
  const interventions = useInterventions();
  // One that is being moved stands alone until it is left, and keeps the focus.
  const [moving, setMoving] = useState<Change | null>(null);
  const { timeline, arms, updates } = experiment;
  const colours = armColours(arms);
  const branches = branchesOf(experiment);
  const own = timeline.filter((change) => !isInherited(branches, change));
  const marks = own.map((change, index) => ({
    change,
    key: keyOf(own, index),
    label: changeInWords(experiment, change),
    at: placeOf(change.update, updates, width),
  }));
  const isMoving = ({ change }: { readonly change: Change }): boolean => isSame(change, moving);
  const groups = [
    ...groupMarks(
      marks.filter((mark) => !isMoving(mark)),
      width,
    ),
    ...marks.filter(isMoving).map((mark) => [mark] as const),
  ];
  const named = groups.map((group) => ({
    group,
    at: group[0].at,
    name:
      group.length > 1 ? plural(group.length, 'change') : cut(nameOfChange(changeWords(experiment, group[0].change))),
  }));
  const places = placeNames(named, width);
  if (marks.length === 0) return null;
  return (
    <ol className="cover" data-testid="timeline">
      {named.map(({ group, name, at }, index) => {
        const [{ change, key, label }] = group;
        const place = places[index] ?? null;
        if (group.length > 1) {
          const changes = group.map((one) => one.change);
          return (
            <MarkGroup
              key={`group ${key}`}
              labels={group.map((one) => one.label)}
              named={place}
              isOpen={opened !== null && (isSame(opened, changes) || changes.some((one) => isSame(opened, one)))}
              onOpen={(by) => onOpen(changes, by)}
              {...{ name, at }}
            />
          );
        }
        return (
          <StripMark
            key={key}
            colour={colours.get(change.arm)?.stroke ?? 'var(--ink)'}
            update={change.update}
            room={roomOf(experiment, change)}
            named={place}
            isOpen={isSame(change, opened)}
            onMove={(update) => {
              const next = { ...change, update };
              setMoving(next);
              interventions.edit(change, next);
              if (isSame(change, opened)) onMoved(next);
            }}
            onLeft={() => setMoving(null)}
            onOpen={(by) => onOpen(change, by)}
            onRemove={() => {
              interventions.edit(change, null);
              document.querySelector<HTMLElement>('[data-testid=plan-change]')?.focus();
            }}
            {...{ label, name, at, width, updates, isFixed }}
          />
        );
      })}
    </ol>
  );
}

/** A mark is the same wherever it is moved to: it never passes another of its arm and setting. */
function keyOf(timeline: readonly Change[], index: number): string {
  const { arm, setting } = timeline[index] as Change;
  const before = timeline.slice(0, index).filter((other) => other.arm === arm && other.setting === setting);
  return `${arm} ${setting} ${before.length}`;
}

interface OpenerProps {
  readonly testId: string;
  readonly isOpen: boolean;
  readonly onOpen: (opener: HTMLButtonElement) => void;
  readonly children: ReactNode;
}

function Opener({ testId, isOpen, onOpen, children }: OpenerProps) {
  return (
    <Button
      className="small"
      aria-expanded={isOpen}
      data-testid={testId}
      onClick={({ currentTarget }) => onOpen(currentTarget)}
    >
      {children}
    </Button>
  );
}
