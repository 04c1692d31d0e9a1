/** How tokens are written on chips. */
import { expect, test } from 'vitest';
import { writeToken } from '../../src/ui/model/tokens/tokenWords';

test.each([
  ['up', '↑'],
  ['<bos>', 'start'],
  ['<eos>', 'eos'],
  ['▁the', '·the'],
  ['Ġthe', '·the'],
  ['▁', '▁'],
  ['the', 'the'],
])('%s is written %s', (word, written) => expect(writeToken(word)).toBe(written));
