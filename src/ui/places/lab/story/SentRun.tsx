/**
 * A run that was sent with its result, before anything runs here: who measured what, on which machine, with what note, and the
 * button that trains the same. Its curves stand dotted in the charts.
 */

import { computedBy, type SharedResult } from '../../../../experiment/conclude/result';
import { summarise } from '../../../../experiment/conclude/statistics';
import { codeInWords, otherNumericsWords } from '../../../../experiment/provenance';
import { lastStretch, otherPart, type Sent } from '../../../../measured/sentResult';
import { formatCount, formatMeasured, formatPercent, plural } from '../../../kit/format';
import { Row, Scrolling, Table } from '../../../kit/Table';
import { armColours } from '../../../model/armColour';
import { MarkedArm } from '../../../model/arms/ArmName';
import { spreadOfShare } from '../../../model/arms/spread';
import { sentVerdict } from '../../../model/arms/verdict';
import { showStatus } from '../../../model/run/Status';
import { useReproducing } from '../../../model/useAsking';
import { useLab, useLabParts } from '../../../model/useLab';
import './story.css';
import './sentRun.css';

export function SentRun({ sent: { from, result, experiment } }: { sent: Sent }) {
  const lab = useLab();
  const { problems, linkedMachines: machines } = useLabParts('problems', 'linkedMachines');
  const other = otherPart(result);
  const isSame = useReproducing();
  const reproduce = () => {
    if (!isSame) lab.editor.replace(experiment, null, machines);
    lab.editor.run();
    setTimeout(showStatus);
  };
  return (
    <section className="story stack top" aria-labelledby="sent-title" data-testid="sent-run">
      <h2 id="sent-title">{experiment.title}</h2>
      <div className="story-question stack top start">
        <p>
          <b>A run that was sent to you, {from === 'link' ? 'with its link' : 'as a file'}.</b> Nothing has run here:
          these are the sender’s numbers, and their curves stand dotted in the charts.
        </p>
        {result.note !== undefined && <blockquote className="sent-note fit breaks">{result.note}</blockquote>}
        <p data-testid="sent-verdict">{sentVerdict(result, experiment)}</p>
        <SentTable result={result} experiment={experiment} />
        <p className="small soft">
          {lengthInWords(result.updates, experiment.updates)} Measured on {result.device}, {codeWords(result)}. The
          sender of a result can write any numbers into it.
        </p>
        {other !== null && (
          <p data-testid="other-numerics">
            <b>Yours will not be the same to the bit.</b> {otherNumericsWords(other)} Whether they lie where repetitions
            of theirs would is told all the same.
          </p>
        )}
        <p data-testid="sent-acts">
          <b>Reproduce</b> trains the same here. Then the lab says whether your numbers are the same to the bit, or lie
          where repetitions of theirs would.{' '}
          {!isSame && (
            <>
              <b>Run</b> trains with the settings that you have changed; its numbers are not compared.
            </>
          )}
        </p>
        <div className="high story-act row pair">
          <button
            type="button"
            // On a phone the primary one is at the window’s edge, which says neither updates nor numerics.
            className={`button ${other === null && isSame ? 'button-primary' : ''} first-run-button`}
            data-testid="reproduce"
            disabled={isSame && problems.length > 0}
            onClick={reproduce}
          >
            {other === null ? 'Reproduce' : 'Reproduce with other numerics'}: {plural(experiment.updates, 'update')}
          </button>
        </div>
      </div>
    </section>
  );
}

/** Code that it was measured by, to follow “Measured on …,”. */
function codeWords(result: Pick<SharedResult, 'by'>): string {
  const last = computedBy(result).at(-1);
  return last?.code === undefined ? 'by a version that noted no numerics' : `by ${codeInWords(last.code)}`;
}

const lengthInWords = (updates: number, of: number): string =>
  updates === of
    ? `${plural(updates, 'update')}.`
    : `It was stopped after ${formatCount(updates)} of ${plural(of, 'update')}.`;

/** One row an arm, with the curves’ last points, each a mean of several updates. */
function SentTable({ result, experiment }: Pick<Sent, 'result' | 'experiment'>) {
  const colours = armColours(experiment.arms);
  const seeds = result.arms[0]?.area.length ?? 0;
  const stretch = plural(lastStretch(result), 'update');
  const last = (line: readonly (number | null)[]): number | null => line.findLast((value) => value !== null) ?? null;
  return (
    <Scrolling className="full" label="The run that was sent, arm by arm">
      <Table
        columns={['arm', 'mean success', `success, last ${stretch}`, `prediction error, last ${stretch}`]}
        caption={`The run that was sent, ${plural(seeds, 'seed')}`}
      >
        {result.arms.map(({ id, name, area, successRate, observationCrossEntropy }) => {
          const whole = summarise(area);
          const [success, surprise] = [last(successRate), last(observationCrossEntropy)];
          return (
            <Row
              key={id}
              testId={`sent-${id}`}
              headClass="unbroken"
              head={<MarkedArm colour={colours.get(id)} name={name} />}
            >
              <td className="unbroken">
                {whole.mean === null ? '–' : formatPercent(whole.mean)}
                <span className="soft small">{spreadOfShare(whole)}</span>
              </td>
              <td>{success === null ? '–' : formatPercent(success)}</td>
              <td>{surprise === null ? '–' : `${formatMeasured(surprise)} nats`}</td>
            </Row>
          );
        })}
      </Table>
    </Scrolling>
  );
}
