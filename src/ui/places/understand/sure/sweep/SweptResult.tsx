/** Result of a sweep, however its cells were trained: the choice of numbers, the picture, and the finding beside it. */
import { type ReactNode, useMemo } from 'react';
import { SUMMARIES } from '../../../../../experiment/conclude/comparison';
import type { Axis } from '../../../../../experiment/grid/axes';
import type { CellNumbers } from '../../../../../experiment/grid/finding';
import { sweepPicture } from '../../../../../experiment/grid/picture';
import { Button } from '../../../../kit/Button';
import { Caption } from '../../../../kit/Caption';
import { Choice } from '../../../../kit/Choice';
import { linesOf as wrapped } from '../../../../kit/plot/lines';
import { saveFile } from '../../../../kit/saveFile';
import { type DrawnSweep, drawnSweep, SweepChart } from './SweepChart';
import { CENTRES, type Centre } from './shares';
import './sweep.css';

/** Most characters of a line under the saved picture. */
const LONGEST = 95;
const SHOWN = ['final', 'area'] as const;

/** Choice of a reader: which number of each seed, and which centre of them. */
export interface SweepChoice {
  readonly summary: (typeof SHOWN)[number];
  readonly centre: Centre;
}

export const FIRST_CHOICE: SweepChoice = { summary: 'final', centre: 'mean' };

interface Props {
  /** Axes, called by their labels. */
  readonly axes: readonly Axis[];
  /** Cells that have numbers: those of the chosen summary. */
  readonly cells: readonly CellNumbers[];
  readonly colours: DrawnSweep['colours'];
  /** Finding in sentences. */
  readonly finding: readonly string[];
  /** Sentence on what is compared. */
  readonly said: string;
  /** Name of the saved picture, without its ending, and the link to the sweep. */
  readonly name: string;
  readonly link: string;
  readonly choice: SweepChoice;
  readonly onChoose: (choice: SweepChoice) => void;
  /** Buttons beside the one that saves the picture. */
  readonly children?: ReactNode;
}

export function SweptResult(props: Props) {
  const { axes, cells, colours, finding, said, name, link, choice, onChoose, children } = props;
  const { summary, centre } = choice;
  const drawn = useMemo(() => drawnSweep({ axes, cells, colours, by: centre }), [axes, cells, colours, centre]);
  const save = () => {
    const notes = finding.flatMap((words) => wrapped(words, LONGEST));
    const svg = sweepPicture({ axes, cells, drawn: SUMMARIES[summary].label, notes, description: link });
    saveFile(`${name}.svg`, new Blob([svg], { type: 'image/svg+xml' }));
  };
  return (
    <>
      <div className="compare-choices padded">
        <Choice
          labelClass="small soft"
          place="stack close fit"
          label="Success, one number a seed"
          testId="sweep-summary"
          value={summary}
          options={SHOWN.map((id) => [id, SUMMARIES[id].label])}
          onChoose={(chosen) => onChoose({ ...choice, summary: chosen as SweepChoice['summary'] })}
        />
        <Choice
          labelClass="small soft"
          place="stack close fit"
          label="Joined"
          testId="sweep-centre"
          value={centre}
          options={Object.entries(CENTRES)}
          onChoose={(chosen) => onChoose({ ...choice, centre: chosen as Centre })}
        />
      </div>
      <div className="split sweep-shown">
        <SweepChart {...drawn} />
        <div data-testid="sweep-finding">
          {finding.map((words) => (
            <p key={words}>{words}</p>
          ))}
          <Caption said={said} about="the comparison">
            The best of several is flattered by chance: other seeds will show it a little lower.
          </Caption>
        </div>
      </div>
      <div className="dialog-buttons">
        <Button onClick={save}>Save the picture</Button>
        {children}
      </div>
    </>
  );
}
