/** Answer to the question that the lab was built for, from its findings: what a mask is for, and when prediction helps. */
import { placeLink } from '../../../model/place';

/** Text, then the link's words and the finding that says so. */
interface Piece {
  readonly text: string;
  readonly link: string;
  readonly finding: string;
}

/** Sentences of the answer; a test compares what they claim with the verdicts of the findings. */
export const IN_SHORT: readonly (readonly Piece[])[] = [
  [
    { text: 'Reward: yes, mask what the agent did not write. ', link: 'A forgotten mask', finding: 'mask-bugs-seen' },
    {
      text: ' makes the agent’s picture of the world much worse, and ',
      link: 'success alone need not show that',
      finding: 'mask-bugs-unseen',
    },
  ],
  [
    {
      text: 'Prediction of the world’s answers, added to the reward: on practised tasks it ',
      link: 'helped in three of four worlds',
      finding: 'best-against-best',
    },
    { text: ', each arm at its best settings. On new tasks ', link: 'no gain', finding: 'best-against-best-new-tasks' },
    {
      text: ' was told from chance at those settings; with a tool it is ',
      link: 'worse while the tool works, better when the tool is gone',
      finding: 'practised-and-new',
    },
  ],
  [
    {
      text: 'It helps with small first weights; ',
      link: 'with ordinary ones no gain is told from chance',
      finding: 'initial-weights',
    },
  ],
  [
    {
      text: 'A language model forgets ordinary language under every mask, and ',
      link: 'a KL penalty keeps much of it',
      finding: 'storyteller-forgets',
    },
    { text: '; with prediction it ', link: 'earns as much as with the mask', finding: 'storyteller-pays' },
  ],
];

export function InShort() {
  return (
    <section className="measure stack" aria-labelledby="in-short">
      <h3 id="in-short">Should agents be trained with an action mask?</h3>
      {IN_SHORT.map((pieces) => (
        <p key={pieces[0]?.finding}>
          {pieces.map(({ text, link, finding }) => (
            <span key={finding}>
              {text}
              <a href={placeLink('findings', finding)}>{link}</a>
            </span>
          ))}
          .
        </p>
      ))}
    </section>
  );
}
