/** Words that can be asked for their meaning within a sentence. */
import { createElement, Fragment } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { withTerms } from '../../src/ui/kit/Term';

const drawn = (text: string): string => renderToStaticMarkup(createElement(Fragment, null, withTerms(text)));
const asked = (text: string): string[] =>
  [...drawn(text).matchAll(/<button[^>]*>([^<]*)<\/button>/g)].map(([, word = '']) => word);

test('each is offered once, as it is written, in the plural too; the sentence stays as it was', () => {
  const text = 'Critics guess; GAE looks beyond the critic’s next value, over all rollouts, and GAE again.';
  expect(asked(text)).toEqual(['Critics', 'GAE', 'rollouts']);
  expect(drawn(text).replace(/<[^>]*>/g, '')).toBe(text);
  expect(asked('A critical gaeling, rolloutless.')).toEqual([]);
});
