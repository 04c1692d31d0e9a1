/** A short form of `npm run fuzz`: each reader of what comes from anyone, with few inputs and the same ones every time. */
import { expect, test } from 'vitest';
import { LabError } from '../../src/foundation/errors';
import { fuzz } from '../support/fuzz/fuzz';
import { SUBJECTS } from '../support/fuzz/subjects';

test.each(SUBJECTS)('hostile $name are read or refused in words', async (subject) => {
  const { times, refused } = await fuzz(subject, 100, 1);
  // Where nothing was refused, nothing hostile was tried; frames show a page for any address.
  if (subject.name !== 'addresses of frames') expect(refused).toBeGreaterThan(times / 20);
});

test.each([
  ['any other error', () => JSON.parse('{'), /JSON/],
  ['a message that repeats its input', () => refuse('x'.repeat(2000)), /2003 characters/],
  ['a message that controls a terminal', () => refuse('\u001b[2J'), /not printable/],
])('%s is a finding', async (_, read, words) => {
  const [subject] = SUBJECTS;
  if (subject === undefined) throw new Error('There is nothing to read.');
  await expect(fuzz({ ...subject, read }, 1, 1)).rejects.toThrow(words);
});

function refuse(what: string): never {
  throw new LabError('invalid-link', what, 'No');
}
