/** Result of a sweep, however its cells were trained: the choice of numbers, the picture, and the finding beside it. */
import { useState } from 'react';
import { SUMMARIES } from '../../../../../experiment/conclude/comparison';
import { gridInWords, type SweptNumber } from '../../../../../experiment/grid/finding';
import { sweepPicture } from '../../../../../experiment/grid/picture';
import { Button } from '../../../../kit/Button';
import { Caption } from '../../../../kit/Caption';
import { StackedChoice } from '../../../../kit/Choice';
import { linesOf } from '../../../../kit/plot/lines';
import { saveFile } from '../../../../kit/saveFile';
import { SweepChart, type SweepChartProps } from './SweepChart';
import { CENTRES, type Centre } from './shares';
import './sweep.css';

/** Most characters of a line under the saved picture. */
const LONGEST = 95;
const NUMBERS: readonly SweptNumber[] = ['final', 'area'];

interface Props extends Omit<SweepChartProps, 'by' | 'centre'> {
  /** Names of the settings in the finding; null before there is one. */
  readonly named: readonly string[] | null;
  /** Sentence on what is compared. */
  readonly said: string;
  readonly preset: string;
  /** Link to the sweep. */
  readonly link: string;
}

export function SweptResult({ named, said, preset, link, ...drawn }: Props) {
  const [by, setBy] = useState<SweptNumber>('final');
  const [centre, setCentre] = useState<Centre>('mean');
  const { axes, cells } = drawn;
  const finding =
    named === null
      ? []
      : gridInWords(
          named.map((key) => ({ key })),
          cells,
          by,
        );
  const save = () => {
    const notes = finding.flatMap((words) => linesOf(words, LONGEST));
    const svg = sweepPicture({ axes, cells, by, notes, description: link });
    saveFile(`unmask-${preset}-sweep.svg`, new Blob([svg], { type: 'image/svg+xml' }));
  };
  return (
    <>
      <div className="row padded">
        <StackedChoice
          label="Success, one number a seed"
          testId="sweep-summary"
          value={by}
          options={NUMBERS.map((id) => [id, SUMMARIES[id].label])}
          onChoose={setBy}
        />
        <StackedChoice
          label="Joined"
          testId="sweep-centre"
          value={centre}
          options={Object.entries(CENTRES) as [Centre, string][]}
          onChoose={setCentre}
        />
      </div>
      <div className="split sweep-shown">
        <SweepChart {...drawn} by={by} centre={centre} />
        <div data-testid="sweep-finding">
          {finding.map((words) => (
            <p key={words}>{words}</p>
          ))}
          <Caption
            said={`${said}; each value against the best, seed by seed, by 95% intervals.`}
            about="the comparison"
          >
            The best of several is flattered by chance: other seeds will show it a little lower.
          </Caption>
        </div>
      </div>
      <div className="padded">
        <Button onClick={save}>Save the picture</Button>
      </div>
    </>
  );
}
