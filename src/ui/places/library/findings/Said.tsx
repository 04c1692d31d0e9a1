/** Texts of findings, in which another finding is called by its question. */
import { type AnsweredClaim, namedIn } from '../../../../experiment/findings/told';
import { placeLink } from '../../../model/place';
import { CARDS } from './data';

/** Text without links, for a card, which is a link itself. */
export const saidPlainly = (text: string): string =>
  namedIn(text, CARDS)
    .map((one) => (typeof one === 'string' ? one : quoted(one)))
    .join('');

const quoted = ({ claim }: AnsweredClaim): string => `“${claim.question}”`;

/** Text with links to the other findings. */
export const Said = ({ text }: { text: string }) =>
  namedIn(text, CARDS).map((one) =>
    typeof one === 'string' ? (
      one
    ) : (
      <a key={one.name} href={placeLink('findings', one.name)}>
        {quoted(one)}
      </a>
    ),
  );
