// Debian's Chromium by Playwright, for pages opened from disk.
import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';

/// `build`: the folder of the CMake build, where npm has put Playwright.
export async function launch(build) {
  const { chromium } = createRequire(`${build}/web/trace/package.json`)('playwright-core');
  return chromium.launch({ executablePath: browserFile(), args: ['--headless=new', ...browserOptions] });
}

export const browserOptions = ['--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--force-color-profile=srgb'];

export function browserFile() {
  const file = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
  if (!file) throw new Error('no Chromium: scripts/install-deps.sh installs it');
  return file;
}

/// Opens a trace page and waits until all that it wants to show is drawn. The page may ask nobody for anything.
export async function open(browser, file, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1600, height: 950 }, colorScheme: 'light', ...options });
  const problems = [];
  page.on('pageerror', (error) => problems.push(String(error.stack ?? error)));
  page.on('console', (message) => { if (message.type() === 'error') problems.push(message.text()); });
  page.on('request', (request) => {
    if (!/^(file|blob|data):/.test(request.url())) problems.push(`asked for ${request.url()}`);
  });
  await page.goto(`file://${file}`);
  await settled(page);
  return { page, problems };
}

export async function settled(page) {
  await page.waitForFunction(() => window.inflight?.idle); // for 30 seconds at most
}
