// How accessible Lighthouse finds the trace page, in both themes: node lighthouse.test.mjs BUILD. It looks at pages as they are, so that what
// a click opens is looked at, too.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { browserFile, browserOptions, settled } from './browser.mjs';

const least = 0.95;
const vmWait = 9; // of the synthetic kernel (tests/trace/SyntheticRun.h)
const build = process.argv[2];
const { resolve } = createRequire(`${build}/web/lighthouse/package.json`);
const { default: puppeteer } = await import(pathToFileURL(resolve('puppeteer-core')));
const { snapshot } = await import(pathToFileURL(resolve('lighthouse')));

const flags = { onlyCategories: ['accessibility'], disableFullPageScreenshot: true, formFactor: 'desktop', screenEmulation: { disabled: true }, throttlingMethod: 'provided' };

const states = {
  'the run': async () => {},
  'a wait and what it waited for': async (page) => {
    await page.click(`.line[data-line="${vmWait}"]`);
    await page.waitForSelector('.details table');
  },
  'the keys': (page) => page.keyboard.press('?'),
};

/// What Lighthouse takes points off for.
const complaints = ({ audits, categories }) => categories.accessibility.auditRefs
  .filter(({ id, weight }) => weight && audits[id].score !== null && audits[id].score < 1)
  .map(({ id }) => `${id}: ${audits[id].details?.items?.map((item) => item.node?.snippet).slice(0, 3).join(', ')}`);

async function scoreOf(browser, file, theme, change) {
  const page = await browser.newPage();
  await page.setViewport({ width: 1600, height: 950 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
  await page.goto(`file://${file}`);
  await settled(page);
  await change(page);
  const { lhr } = await snapshot(page, { flags });
  await page.close();
  assert.deepEqual([lhr.runtimeError, lhr.runWarnings], [undefined, []]);
  const { score, auditRefs } = lhr.categories.accessibility;
  const applied = auditRefs.filter(({ id, weight }) => weight && lhr.audits[id].score !== null).length;
  assert.ok(applied >= 10, `only ${applied} audits applied`);
  return { score, complaints: complaints(lhr) };
}

const folder = mkdtempSync(join(tmpdir(), 'page-lighthouse-'));
const file = join(folder, 'page.html');
execFileSync(`${build}/bin/trace-page-synthetic`, [file]);
const browser = await puppeteer.launch({ executablePath: browserFile(), headless: true, args: browserOptions });
let failed = 0;
for (const [name, change] of Object.entries(states))
  for (const theme of ['light', 'dark']) {
    const found = await scoreOf(browser, file, theme, change);
    const isGood = found.score >= least;
    failed += !isGood;
    console.log(`${isGood ? 'ok' : 'FAILED'}: ${name}, ${theme}: accessibility ${Math.round(100 * found.score)}${found.complaints.map((one) => `\n  ${one}`).join('')}`);
  }
await browser.close();
rmSync(folder, { recursive: true });
process.exit(failed ? 1 : 0);
