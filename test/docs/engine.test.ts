/** docs/engine.md is made of the types of the package. */
import { expect, test } from 'vitest';
import { enginePage } from './enginePage';

test('the document is as the types are', async () => {
  await expect(await enginePage()).toMatchFileSnapshot('../../docs/engine.md');
});
