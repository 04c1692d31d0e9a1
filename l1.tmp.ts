import { startChromium } from './test/support/chromium';
const chromium = await startChromium();
const page = await chromium.newPage();
const errors: string[] = [];
page.on('console', (m: any) => { if (m.type() === 'error') errors.push(m.text()); });
page.on('pageerror', (e: any) => errors.push(String(e)));
await page.setViewportSize({ width: 1440, height: 900 });
await page.goto('http://localhost:4711/#v=1&preset=listener', { waitUntil: 'load' });
await new Promise((r) => setTimeout(r, 5000));
await page.screenshot({ path: '/tmp/l1.png' });
const run = page.locator('[data-testid="run-first"], [data-testid="run"]').first();

await run.click();
for (let i = 0; i < 5; i++) { await new Promise((r) => setTimeout(r, 15000)); await page.screenshot({ path: `/tmp/l2-${i}.png` }); }
console.log(errors.slice(0, 5));
await chromium.close?.();
process.exit(0);
