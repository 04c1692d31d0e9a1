/** Claims and what came of them, from findings/: a part of the page that is loaded with its place. */
import * as v from 'valibot';
import answers from '../../../../../findings/answers.json';
import { ClaimSchema } from '../../../../experiment/findings/claim';
import type { Finding } from '../../../../experiment/findings/finding';
import type { AnsweredClaim } from '../../../../experiment/findings/told';

const ANSWERS: Readonly<Record<string, string>> = answers;

const claims = import.meta.glob(['../../../../../findings/*/claim.json', '!../../../../findings/fair/*'], {
  import: 'default',
  eager: true,
});
// Written by `npm run findings` as this type; a test computes them again.
const results = import.meta.glob<Finding>('../../../../../findings/*/result.json', {
  import: 'default',
  eager: true,
});

/** Judged ones first, each part by name. */
export const CARDS: readonly AnsweredClaim[] = Object.entries(claims)
  .flatMap(([path, claim]) => {
    const finding = results[path.replace('claim.json', 'result.json')];
    const name = path.split('/').at(-2) ?? '';
    return finding === undefined
      ? []
      : [{ name, claim: v.parse(ClaimSchema, claim), finding, answer: ANSWERS[name] ?? '' }];
  })
  .sort((a, b) => Number(b.finding.comparisons !== null) - Number(a.finding.comparisons !== null));
