/** The contests side by side: a question a row, a world a column, and in each cell by how much the world model is ahead. */
import type { Contest, Difference } from '../../../experiment/fairGround';
import { decimal, meanFor, shortly, signOf } from '../../../experiment/fairNumbers';
import { setAside, worldName } from '../../../experiment/fairWords';
import { meanOf } from '../../../experiment/statistics';
import { Row, Scrolling, Table } from '../../kit/Table';

interface Question {
  readonly question: string;
  readonly about: string;
  /** null where the question cannot be asked of that world. */
  readonly ask: (contest: Contest) => Answer | null;
}

interface Answer {
  readonly difference: Difference;
  /** Means of the two that are compared, the world model's first. */
  readonly means: readonly [number, number] | null;
  /** A caveat, in a few words; what has one is not told apart. */
  readonly aside?: string;
}

const QUESTIONS: readonly Question[] = [
  {
    question: 'Success over training',
    about: 'Area under the success curve, each arm at the settings its own search picked.',
    ask: ({ difference, ...contest }) => ({ difference, means: meansOf(contest, 'area') }),
  },
  {
    question: 'Success at the end',
    about: 'The same runs, their last 20 updates.',
    ask: ({ end, ...contest }) => ({ difference: end, means: meansOf(contest, 'final') }),
  },
  {
    question: 'On tasks never trained on',
    about: 'The same runs at their end.',
    ask: (contest) =>
      contest.heldOut && {
        difference: contest.heldOut,
        means: meansOf(contest, 'heldOut'),
        aside: setAside(contest),
      },
  },
  {
    question: 'There, with the tool taken away',
    about: 'The same tasks.',
    ask: ({ toolOff, ...contest }) => toolOff && { difference: toolOff, means: meansOf(contest, 'toolOff') },
  },
  {
    question: 'Both at the mask’s settings',
    about: 'Area; prediction is the only difference. Added afterwards.',
    ask: ({ atMask, atMaskSeeds, ...contest }) => {
      const model = meanFor(contest, 'world-model-as-mask', 'area');
      const mask = meanOf(contest.entrants['action-mask']?.area.slice(0, atMaskSeeds) ?? []);
      return { difference: atMask, means: model === null || mask === null ? null : [model, mask] };
    },
  },
  {
    question: 'Over the mask at the world model’s settings',
    about: 'Area; the mask had no search of its own there.',
    ask: ({ overMaskAlike, ...contest }) => ({
      difference: overMaskAlike,
      means: meansOf(contest, 'area', 'mask-as-world-model'),
    }),
  },
  {
    question: 'Over the placebo',
    about: 'Area at the world model’s settings; the placebo has the same loss on shuffled answers.',
    ask: ({ overPlacebo, ...contest }) => ({ difference: overPlacebo, means: meansOf(contest, 'area', 'placebo') }),
  },
];

/** Means of the world model's pick and of what it is compared with. */
function meansOf(
  contest: Pick<Contest, 'entrants'>,
  of: 'area' | 'final' | 'heldOut' | 'toolOff',
  other = 'action-mask',
): readonly [number, number] | null {
  const [model, mask] = [meanFor(contest, 'world-model', of), meanFor(contest, other, of)];
  return model === null || mask === null ? null : [model, mask];
}

export function Outcomes({ contests }: { contests: readonly Contest[] }) {
  return (
    <Scrolling label="The contests, question by question">
      <Table
        className="fair-outcomes table-folds small"
        testId="fair-outcomes"
        captionClass="soft"
        caption="By how much the world model is ahead, with its 95% interval over seeds; below it, the two means. Bold where the interval is on one side of 0."
        columns={['', ...contests.map(({ world }) => worldName(world))]}
      >
        {QUESTIONS.map(({ question, about, ask }) => (
          <Row
            key={question}
            head={
              <>
                {question}
                <span className="fair-about soft">{about}</span>
              </>
            }
          >
            {contests.map((contest) => (
              <td key={contest.world} data-label={worldName(contest.world)}>
                <Told answer={ask(contest)} />
              </td>
            ))}
          </Row>
        ))}
      </Table>
    </Scrolling>
  );
}

function Told({ answer }: { answer: Answer | null }) {
  if (answer === null) return '–';
  const { difference, means, aside = '' } = answer;
  const { mean, interval } = shortly(difference);
  const isApart = aside === '' && signOf(difference) !== 0;
  return (
    <span className="fair-told">
      {isApart ? <b>{mean}</b> : <span>{mean}</span>}
      <span className="soft">{interval}</span>
      {means !== null && <span className="soft">{`${decimal(means[0])} against ${decimal(means[1])}`}</span>}
      {aside !== '' && <span>{aside}</span>}
    </span>
  );
}
