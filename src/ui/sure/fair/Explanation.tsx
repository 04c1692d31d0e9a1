/** The explanation that was tested: its predictions, each with the numbers that decided it, and the curves behind them. */
import type { Explained, Prediction } from '../../../experiment/fairGround';
import { SCALE_NAMES } from '../../../experiment/fairMapWords';
import { meanOf } from '../../../experiment/statistics';
import { Row, Scrolling, Table } from '../../kit/Table';
import { Course } from './Course';

const ARMS: Readonly<Record<string, string>> = {
  mask: 'Action mask',
  'world-model': 'World model',
  'mask-after-observations': 'Mask after predicting a random walker’s observations',
  'mask-after-actions': 'Mask after imitating a random walker’s actions',
};

const COLUMNS = ['Initial scale', 'Area', 'Effective rank of the last layer', 'Next cell foreseen'] as const;

export function Explanation({ arms, predictions }: { arms: readonly Explained[]; predictions: readonly Prediction[] }) {
  const highest = Math.max(...arms.flatMap(({ rank }) => rank));
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
          className="fair-entrants table-folds small"
          captionClass="soft"
          caption="Mean of eight seeds. Lines run over training, from the first measurement to the last."
          columns={['Arm', ...COLUMNS]}
        >
          {arms.map(({ arm, scale, area, rank, foreseen }) => (
            <Row key={`${arm}-${scale}`} head={ARMS[arm] ?? arm}>
              <td data-label={COLUMNS[0]}>{SCALE_NAMES[scale] ?? scale}</td>
              <td data-label={COLUMNS[1]}>{(meanOf(area) ?? Number.NaN).toFixed(2)}</td>
              <td data-label={COLUMNS[2]}>
                <Course values={rank} most={highest} write={(value) => value.toFixed(1)} />
              </td>
              <td data-label={COLUMNS[3]}>
                <Course values={foreseen} most={1} write={(value) => `${Math.round(100 * value)}%`} />
              </td>
            </Row>
          ))}
        </Table>
      </Scrolling>
    </>
  );
}
