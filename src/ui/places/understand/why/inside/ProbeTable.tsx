/** Accuracy of linear probes in each layer of each arm now, beside that of fresh weights and of the commonest class. */
import type { Arm } from '../../../../../experiment/experiment';
import type { Probed } from '../../../../../train/looks/shown';
import { Caption } from '../../../../kit/Caption';
import { formatCount, formatPercent, plural } from '../../../../kit/format';
import { Row, Scrolling, Table } from '../../../../kit/Table';
import type { ArmColour } from '../../../../model/armColour';
import { ArmMark } from '../../../../model/arms/ArmName';
import { type Answer, answersTo, layerName, type Question } from './probed';

interface Props {
  readonly probed: Probed;
  readonly question: Question;
  readonly arms: readonly Arm[];
  readonly colours: ReadonlyMap<string, ArmColour>;
}

export function ProbeTable({ probed, question, arms, colours }: Props) {
  const answers = answersTo(question, probed);
  const [first] = answers;
  if (first === undefined) return <p className="small soft">Nothing of it differs at these tokens.</p>;
  const seeds = first.seeds > 1 ? `; means over ${first.seeds} seeds, in brackets 95% intervals` : '';
  return (
    <div>
      <Caption said={`Share read rightly after ${plural(probed.update, 'update')}.`} about="the numbers">
        Below it: with fresh weights in place of the trained ones{seeds}. Without looking: the share that is right if
        one always says the commonest answer. Tokens asked at: those of held-back episodes at which the probe is asked.
      </Caption>
      <Scrolling label="Probes, arm by arm">
        <Table
          className="small unbroken"
          testId="probe-table"
          columns={['Arm', ...first.layers.map((_, layer) => layerName(layer)), 'without looking', 'tokens asked at']}
        >
          {answers.map((answer) => (
            <Row
              key={answer.arm}
              data-arm={answer.arm}
              head={
                <>
                  <ArmMark colour={colours.get(answer.arm)} /> {arms.find(({ id }) => id === answer.arm)?.name}
                </>
              }
            >
              {answer.layers.map((found, layer) => (
                <Cell key={layerName(layer)} found={found} />
              ))}
              <td>{formatPercent(answer.majority)}</td>
              <td>{formatCount(answer.examples)}</td>
            </Row>
          ))}
        </Table>
      </Scrolling>
    </div>
  );
}

function Cell({ found: { accuracy, interval, untrained } }: { found: Answer['layers'][number] }) {
  return (
    <td data-accuracy={accuracy} data-untrained={untrained}>
      <span className="probe-share bold">{formatPercent(accuracy)}</span>
      {interval !== null &&
        ` (${formatPercent(Math.max(0, interval[0]))} to ${formatPercent(Math.min(1, interval[1]))})`}
      <span className="soft block">fresh {formatPercent(untrained)}</span>
    </td>
  );
}
