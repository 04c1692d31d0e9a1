/** Policies as files: one that plays, files that are none or another world's, and a text that a model reads. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { exportOnnx } from '../../../src/onnx/exportOnnx';
import { importOnnx } from '../../../src/onnx/importOnnx';
import { goTo } from '../../support/page';
import type { Journey } from './journey';
import { press, seen, to, unfold, type Way } from './steps';

const HERE = '[data-testid=place-policies]';

const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer });

async function openAnothers(page: Page): Promise<void> {
  const buffer = await readFile('public/policies/calculator-warm-start.onnx');
  await page.getByTestId('open-policy').setInputFiles(file('given.onnx', buffer));
  await page.getByTestId('open-its-experiment').waitFor();
}

async function keepOne(page: Page): Promise<void> {
  await goTo(page, 'policies');
  const shipped = importOnnx(await readFile('public/policies/gridworld-trained.onnx'));
  // Those that come with the lab need not be kept: as a file it is another one.
  const buffer = Buffer.from(exportOnnx(shipped, { cached: true }));
  await page.getByTestId('open-policy').setInputFiles(file('mine.onnx', buffer));
  await page.getByTestId('use-fixed').click();
  await goTo(page, 'policies');
  await page.getByTestId('kept-policies').waitFor();
}

const openNone: Way = [
  unfold('watched-file'),
  (page) => page.getByTestId('open-policy').setInputFiles(file('notes.onnx', Buffer.from('{"no": "policy"}'))),
  seen('policy-problem'),
];

const readText: Way = [
  press('text-example'),
  seen('text-chosen', 'gridworld-trained.onnx'),
  press('read-text'),
  seen('text-reading'),
];

export const policies: readonly Journey[] = [
  {
    name: 'policies',
    link: '#preset=gridworld-small',
    states: [
      { name: 'policy-watched', reach: [press('watch-trained'), seen('played')], about: HERE },
      { name: 'policy-refused', reach: openNone, about: HERE },
      { name: 'policy-of-another-world', reach: openAnothers, about: HERE },
      { name: 'policies-kept', reach: keepOne, about: HERE },
      { name: 'text-to-read', reach: [to('policies'), press('read-with-another'), seen('text-to-read')], about: HERE },
      {
        name: 'text-refused',
        reach: [
          (page) => page.getByTestId('text-files').setInputFiles(['test/fixtures/pytorch/decoder.onnx']),
          press('read-text'),
          seen('text-problem'),
        ],
        about: HERE,
      },
      { name: 'text-read', reach: readText, about: HERE },
      { name: 'text-as-table', reach: press('text-as-table'), about: HERE },
    ],
  },
];
