/** The explanation that was tested: its predictions, each with the numbers that decided it, and the curves behind them. */
import type { Explained, Prediction } from '../../../experiment/fairGround';
import { SCALE_NAMES } from '../../../experiment/fairMapWords';
import { meanOf } from '../../../experiment/statistics';
import { Row, Scrolling, Table } from '../../kit/Table';

const ARMS: Readonly<Record<string, string>> = {
  mask: 'Action mask',
  'world-model': 'World model',
  'mask-after-observations': 'Mask after predicting a random walker’s observations',
  'mask-after-actions': 'Mask after imitating a random walker’s actions',
};

export function Explanation({ arms, predictions }: { arms: readonly Explained[]; predictions: readonly Prediction[] }) {
  const held = predictions.filter((prediction) => prediction.held).length;
  return (
    <>
      <h4>Why the start might matter: an explanation, tested</h4>
      <p className="small">
        At a small scale the policy’s last layer was thought to hold the states of the world in too few directions for a
        rare reward to tell them apart, until prediction spreads them. Three consequences were written down beforehand;{' '}
        {held} of {predictions.length} came true
        {held === predictions.length ? '.' : ', so as it stands the explanation is refuted.'}
      </p>
      <ul className="small">
        {predictions.map(({ text, held: came, numbers }) => (
          <li key={text}>
            {came ? 'Held' : 'Failed'}: {text}{' '}
            <span className="soft">
              (
              {Object.entries(numbers)
                .map(([name, value]) => `${name} ${value}`)
                .join(', ')}
              )
            </span>
          </li>
        ))}
      </ul>
      <Scrolling label="Arms and scales">
        <Table
          className="fair-entrants small"
          columns={[
            'Arm',
            'Scale',
            'Area, eight seeds',
            'Effective rank, first to last measurement',
            'Next cell foreseen',
          ]}
        >
          {arms.map(({ arm, scale, area, rank, foreseen }) => (
            <Row key={`${arm}-${scale}`} head={ARMS[arm] ?? arm}>
              <td>{SCALE_NAMES[scale] ?? scale}</td>
              <td>{(meanOf(area) ?? Number.NaN).toFixed(2)}</td>
              <td>{rank.map((value) => value.toFixed(1)).join(' ')}</td>
              <td>{foreseen.map((value) => `${Math.round(100 * value)}%`).join(' ')}</td>
            </Row>
          ))}
        </Table>
      </Scrolling>
    </>
  );
}
