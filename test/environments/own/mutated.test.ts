/** Worlds with mistakes in them get a report, whatever they are, and leave the sandbox as it was (npm run fuzz:worlds: more). */
import { beforeAll, expect, test } from 'vitest';
import { openWorlds } from '../../../src/environments/own/here';
import { stream } from '../../support/episodes';
import { judgedWorld, mutatedWorld } from '../../support/mutatedWorlds';
import { isNightly } from '../../support/nightly';
import { openWorld, walkText } from '../../support/ownWorlds';

beforeAll(openWorlds);

test('every mutated world gets a report in words', async () => {
  const random = stream(18);
  const tries = isNightly ? 150 : 50;
  let bad = 0;
  for (let i = 0; i < tries; i++) {
    const text = mutatedWorld(random);
    await openWorlds();
    const { checks } = judgedWorld(text, 4);
    const failed = checks.filter(({ ok }) => ok === false);
    for (const { text: said } of failed) expect(said, text).toMatch(/^[^\n]{3,}$/);
    if (failed.length > 0) bad++;
  }
  expect(bad).toBeGreaterThan(tries / 5);
  expect((await openWorld(walkText())).words).toContain('c4');
});
