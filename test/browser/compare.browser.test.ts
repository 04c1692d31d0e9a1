/**
 * Comparison of runs in a real browser on the CPU backend: arms are compared over seeds by the run's own numbers; runs
 * are kept over a reload, pinned behind the charts, starred and deleted.
 */
import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import type { Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { added, watchAdded } from '../support/added';
import { chromiumHere } from '../support/chromiumHere';
import { keepRun } from '../support/keptRun';
import { curveOf, ofWidth, openLab } from '../support/labPage';
import { chooseBackend, chooseOver, goTo, overflow, violations } from '../support/page';

const browser = chromiumHere();

const open = (fragment: string, width = 1440) => openLab(browser(), fragment, ofWidth(width));

async function run(page: Page, button = 'run-first'): Promise<void> {
  await chooseBackend(page, 'cpu');
  await page.getByTestId(button).click();
  await page.locator('[data-testid=status][data-phase=finished]').waitFor();
}

/** Checks that a report can be read anywhere, without a network. */
async function expectReport(context: BrowserContext, report: string): Promise<void> {
  const page = await context.newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.setContent(report);
  expect(await page.locator('svg').count()).toBe(2);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  expect(asked).toEqual([]);
  await page.close();
}

/** Checks that a chart is copied as a picture if the browser allows it; else the page says what to do. */
async function expectCopies(context: BrowserContext, page: Page): Promise<void> {
  const copy = page.getByTestId('chart-copy');
  await copy.click();
  await page.getByText('The browser did not allow copying. Save the picture instead.').waitFor();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await copy.click();
  await page.getByText('The picture is in your clipboard.').waitFor();
  const types = await page.evaluate(async () => (await navigator.clipboard.read()).flatMap((item) => item.types));
  expect(types).toEqual(['image/png']);
}

/**
 * Height of each arm's line at each point, in percent from the grid's lowest line to its highest, in a picture or in the
 * page's chart of success. Runs in the page.
 */
function linesOf(svg: string | null): number[][] {
  const root =
    svg === null
      ? (document.querySelector('[data-testid=chart-successRate]') as Element)
      : new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  const heights = [...root.querySelectorAll('line')]
    .filter((line) => line.getAttribute('y1') === line.getAttribute('y2'))
    .map((line) => Number(line.getAttribute('y1')));
  const [low, high] = [Math.max(...heights), Math.min(...heights)];
  return [...root.querySelectorAll(svg === null ? '.plot-mean path' : 'path[stroke-width="2px"]')].map((line) =>
    [...(line.getAttribute('d') ?? '').matchAll(/,(-?[\d.]+)/g)].map(([, y]) =>
      // Sixteenths of a percent: no share of a run's episodes lies between two.
      Math.round((1600 * (Number(y) - low)) / (high - low)),
    ),
  );
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('a finished run', () => {
  test('is compared over seeds, kept over a reload, and pinned behind the next', async () => {
    const { page } = await open('#preset=gridworld-tiny&updates=6&seeds=3');
    await run(page);
    const cell = (row: string, column: string) =>
      page.getByTestId(`compare-0-${row}`).locator(`td[data-column="${column}"]`).textContent();
    const [ours, theirs] = [
      await curveOf(page, 'successRate', 'world-model'),
      await curveOf(page, 'successRate', 'action-mask'),
    ];
    await goTo(page, 'sure');
    const area = mean(ours.flat());
    const difference = 100 * (area - mean(theirs.flat()));
    await expect.poll(() => cell('world-model', '1')).toMatch(new RegExp(`^${Math.round(100 * area)}% \\(`));
    const written = ((await cell('world-model', '3')) ?? '').replace('−', '-');
    expect(Number.parseFloat(written)).toBeCloseTo(difference, 1);
    const perSeed = (rows: number[][]) => (rows[0] ?? []).map((_, seed) => mean(rows.map((row) => row[seed] ?? 0)));
    const wins = perSeed(ours).flatMap((a) => perSeed(theirs).map((b) => (a > b ? 1 : a === b ? 0.5 : 0)));
    expect(await cell('world-model', '4')).toBe(`${mean(wins).toFixed(2)} 3 seeds: no interval`);
    await page.getByTestId('compare-baseline').selectOption({ label: 'World model' });
    await expect.poll(() => cell('world-model', '3')).toBe('–');
    await page.getByTestId('compare-summary').selectOption('to80');
    await expect.poll(() => cell('world-model', '1')).toBe('0 of 3 seeds got there');

    await goTo(page, 'runs');
    await page.getByTestId('kept-run').waitFor();
    await page.goto('about:blank');
    await page.goto(inject('siteUrl'));
    await page.locator('[data-testid=status][data-phase=restored]').waitFor();
    expect(await page.getByTestId('no-episodes').textContent()).toMatch(/not kept/);
    expect(await curveOf(page, 'successRate', 'world-model')).toEqual(ours);
    await page.getByTestId('table-successRate').click();
    await goTo(page, 'runs');
    await page.getByTestId('run-details').click();
    await page.getByTestId('pin-run').click();
    await page.getByRole('button', { name: 'Unpin' }).waitFor();
    await goTo(page, 'lab');
    await page.locator('.plot-same path').first().waitFor();
    await goTo(page, 'sure');
    await page.getByTestId('compare-1-world-model').waitFor();
    await goTo(page, 'runs');
    await page.getByTestId('run-details').click();
    await page.getByTestId('delete-run').click();
    await page.getByTestId('kept-run').waitFor({ state: 'detached' });
    await goTo(page, 'lab');
    await expect.poll(() => page.locator('.plot-behind, .plot-same').count()).toBe(0);
    await page.reload();
    await page.getByTestId('run-first').waitFor();
  });

  test('is compared and kept at phone width, in the dark, without sideways scrolling', async () => {
    const asked = 'challenge=world-model:successRate:above:0.92:3';
    const { page } = await open(`#preset=gridworld-tiny&updates=3&seeds=2&${asked}`, 390);
    const challenge = page.getByTestId('challenge');
    await challenge.getByText('World model, success above 92% within 3 updates.').waitFor();
    await run(page, 'run');
    await challenge.getByText('Not met.').waitFor();
    expect(await violations(page, '.challenge')).toEqual([]);
    expect(page.url()).toContain(asked);
    await goTo(page, 'sure');
    await page.getByTestId('compare-table').scrollIntoViewIfNeeded();
    await goTo(page, 'runs');
    await page.getByTestId('kept-run').waitFor();
    // The table of runs is as narrow as the phone: no success is cut.
    const cut = (one: Element) => one.scrollWidth - one.clientWidth;
    expect(await page.getByRole('region', { name: 'Kept runs' }).evaluate(cut)).toBeLessThanOrEqual(0);
    await page.getByTestId('compare-run-1').check();
    await page.locator('.run-curves-plot').scrollIntoViewIfNeeded();
    await page.locator('.run-curves-plot .plot-mean path').first().waitFor();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });
});

describe('a link with the result', () => {
  test('shows the sender’s curves, is reproduced exactly on the same backend, and leaves as a report', async () => {
    const { context, page } = await open('#preset=gridworld-tiny&updates=3&seeds=2');
    await run(page);
    await page.getByTestId('axis-observationCrossEntropy').click();
    await page.getByTestId('axis-choice').selectOption('log');
    await page.keyboard.press('Escape');
    const ticks = await page.getByTestId('chart-observationCrossEntropy').locator('.plot-tick').allTextContents();
    await page.getByTestId('share').click();
    const note = page.getByLabel('Note, for those who open it');
    const result = page.getByTestId('result-url');
    await note.fill('Look at the first arm.');
    await page.getByTestId('copy-result-link').click();
    await result.waitFor();
    const before = await result.inputValue();
    // The copy has the note as it stands in the field, though it is kept only now.
    await note.fill('Look at the second arm.');
    await page.getByTestId('copy-result-link').click();
    await expect.poll(() => result.inputValue()).not.toBe(before);
    await page.getByTestId('hide').click();
    await page.getByTestId('hide-policies').check();
    const link = await page.getByTestId('result-url').inputValue();
    expect(link).toMatch(/&hide=policies&result=/);
    await page.getByTestId('scale').click();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await page.getByTestId('scale-text').inputValue()).toContain('echo_aux_token_loss_coeff=0.1');
    expect(await page.getByTestId('scale-command').inputValue()).toMatch(
      / scale '#.*' --arm '.*' --to verl --out to-verl$/,
    );
    await page.getByTestId('files').click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('save-report').click()]);
    expect(download.suggestedFilename()).toBe('unmask-gridworld-tiny.html');
    const report = readFileSync(await download.path(), 'utf8');
    // Its axes are those of the page.
    expect(ticks.length).toBeGreaterThan(1);
    const drawn = await page.evaluate(
      (html) =>
        [...new DOMParser().parseFromString(html, 'text/html').querySelectorAll('text')].map((one) => one.textContent),
      report,
    );
    expect(drawn).toEqual(expect.arrayContaining(ticks));
    const [card] = await Promise.all([page.waitForEvent('download'), page.getByTestId('save-svg').click()]);
    expect(card.suggestedFilename()).toBe('unmask-gridworld-tiny-card.svg');
    const picture = readFileSync(await card.path(), 'utf8');
    expect(picture).toContain('“Look at the second arm.”');
    expect(await page.evaluate(linesOf, picture)).toHaveLength(3);
    const [sharp] = await Promise.all([page.waitForEvent('download'), page.getByTestId('save-png').click()]);
    expect(readFileSync(await sharp.path()).readUInt32BE(16)).toBe(2400);
    await page.getByTestId('copy-card').click();
    await page.getByText('The browser did not allow copying. Save the picture instead.').waitFor();
    const [told] = await Promise.all([page.waitForEvent('download'), page.getByTestId('save-jsonl').click()]);
    const trajectories = readFileSync(await told.path(), 'utf8')
      .trimEnd()
      .split('\n');
    // Four of one task in each of three arms.
    expect(trajectories.map((line) => JSON.parse(line).meta).map(({ arm, seed }) => `${arm} ${seed}`)).toEqual(
      new Array(4).fill(['action-mask 0', 'world-model 0', 'no-mask 0']).flat(),
    );
    await page.keyboard.press('Escape');
    await chooseOver(page, 'tokens');
    await page.getByTestId('save-chart-successRate').click();
    await expectCopies(context, page);
    const save = async (kind: string) => {
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId(`chart-${kind}`).click()]);
      expect(file.suggestedFilename()).toBe(`unmask-gridworld-tiny-successRate.${kind}`);
      return readFileSync(await file.path());
    };
    expect((await save('png')).subarray(1, 4).toString()).toBe('PNG');
    const svg = (await save('svg')).toString();
    expect(svg).toContain('prediction 0.1 on observation');
    expect(svg).toContain('>tokens</');
    // Its lines are those on the screen, in the colours of paper though the page is dark.
    expect(await page.evaluate(linesOf, svg)).toEqual(await page.evaluate(linesOf, null));
    expect(svg).toContain('stroke="rgb(63, 111, 181)"');
    expect(svg).toContain('>random policy');
    expect(svg).toMatch(/highest of 2 seeds/);
    const [head, ...rows] = (await save('csv')).toString().trimEnd().split('\n');
    expect(head).toBe('arm,seed,update,tokens,seconds,successRate');
    expect(rows).toHaveLength(3 * 2 * 3);
    await expectReport(context, report);
    await context.close();
    const receiver = await open(link.slice(link.indexOf('#')));
    await receiver.page.locator('.plot-behind path').first().waitFor();
    await receiver.page.getByTestId('hidden-note').waitFor();
    // A run that was sent is read before anything runs.
    await receiver.page.getByText('Look at the second arm.').waitFor();
    const sentWords = await receiver.page.getByTestId('sent-verdict').textContent();
    expect(sentWords).toMatch(/^Over the whole run .*mean success/);
    expect(await receiver.page.locator('[data-testid^=sent-][data-testid$=mask]').count()).toBe(2);
    await run(receiver.page, 'reproduce');
    await receiver.page.getByTestId('reproduced').waitFor();
    expect(await receiver.page.getByTestId('reproduced').getAttribute('data-outcome')).toBe('exact');
    // The sender's curve lies under the receiver's: both can still be seen.
    await receiver.page
      .getByTestId('chart-successRate')
      .getByText(/^.*Perforated \(every line\)/)
      .waitFor({ state: 'attached' });
    const hidden = receiver.page.locator('.plot-same path');
    await expect.poll(() => hidden.count()).toBe(6);
  });
});

describe('a long run', () => {
  test('is drawn with at most 500 points a line and four times a second, over updates or seconds', async () => {
    const { page } = await open('');
    await page.getByTestId('run-first').waitFor();
    const gridworld = findPreset('gridworld')?.experiment as Experiment;
    await keepRun(page, { ...gridworld, seeds: 8, updates: 1200 }, 1200);
    await page.goto('about:blank');
    await watchAdded(page, '.plot-overlay');
    await page.goto(inject('siteUrl'));
    await goTo(page, 'runs');
    await page.getByTestId('compare-run-1').check();
    await goTo(page, 'sure');
    await page.getByTestId('contenders').locator('summary').click();
    await page.getByTestId('compare-1-no-mask').waitFor();
    await page.getByTestId('contender-1-no-mask').uncheck();
    await page.getByTestId('compare-1-no-mask').waitFor({ state: 'detached' });
    await page.getByTestId('compare-1-world-model').waitFor();
    await goTo(page, 'runs');
    await page.getByTestId('show-run').click();
    await goTo(page, 'lab');
    const chart = page.getByTestId('chart-successRate');
    await chart.scrollIntoViewIfNeeded();
    const lines = chart.locator('.plot-mean path');
    await lines.first().waitFor();
    const drawn = await lines.first().evaluate(async (line) => {
      let count = 0;
      const commits = new MutationObserver(() => {
        count += 1;
      });
      commits.observe(line, { attributes: true, attributeFilter: ['d'] });
      await new Promise((resolve) => setTimeout(resolve, 2000));
      return count;
    });
    // The bands of 3600 updates and arms are still being computed during this time.
    expect(drawn).toBeLessThanOrEqual(1 + 2 * 4);
    await page.getByTestId('axis-successRate').click();
    await page.getByTestId('smoothing-choice').selectOption('1');
    await page.keyboard.press('Escape');
    await chart
      .getByText('Each point is the mean of 5 updates: more than chosen, to fit so long a run.')
      .waitFor({ state: 'attached' });
    const points = () =>
      lines.evaluateAll((all) => all.map((line) => line.getAttribute('d')?.split(/[ML]/).length ?? 0));
    await expect.poll(points).toEqual([241, 241, 241]);

    // Two charts in the lab, each in a task of its own, and those of another place.
    await goTo(page, 'training');
    await expect.poll(async () => (await added(page)).all).toBeGreaterThanOrEqual(4);
    expect((await added(page)).most).toBe(1);
    await goTo(page, 'lab');

    await chooseOver(page, 'seconds');
    await chart.getByText('Seconds differ from machine to machine.').waitFor({ state: 'attached' });
    await page.getByTestId('table-successRate').click();
    // Each update took a quarter of a second.
    const cell = chart.locator('td[data-arm=world-model][data-update="1000"]');
    expect(await cell.getAttribute('data-at')).toBe('250');
    expect(await cell.textContent()).toContain('at 250.0 seconds');
    await page.reload();
    expect(await chart.locator('.progress-words').textContent()).toBe('seconds');
  });
});
