// How long a trace page takes to open, and how smoothly it moves: node bench/trace_page.mjs BUILD [MILLIONS OF EVENTS ...]. Pages of a
// synthetic run are opened in headless Chromium without a GPU. Opened: from the start of the navigation to a picture of the whole run;
// loaded: the document has all its data. Panning drags the view by the pointer for three seconds, at scales from half of the run to
// a few hundred cycles.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { launch, settled } from '../tests/page/browser.mjs';

const build = resolve(process.argv[2]);
const sizes = process.argv.length > 3 ? process.argv.slice(3).map(Number) : [1, 10];
const folder = mkdtempSync(join(tmpdir(), 'trace-page-'));
const browser = await launch(build);

async function pan(page, span) {
  await page.evaluate((cycles) => {
    const { state } = window.inflight;
    state.show(state.end * 0.3, state.end * 0.3 + cycles);
  }, span);
  await settled(page);
  const box = await page.locator('.timeline canvas:not(.labels)').boundingBox();
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.7, y);
  await page.mouse.down();
  // The moves come from within the page, one a frame: those of a driver outside come as fast as it is scheduled.
  const result = await page.evaluate(({ left, width, clientY }) => new Promise((resolve) => {
    const { canvas } = window.inflight.timeline;
    const frames = window.inflight.frames;
    const times = [];
    let x = width * 0.7;
    const step = (now) => {
      times.push(now);
      if (now - times[0] >= 3000) {
        const gaps = times.slice(1).map((time, i) => time - times[i]).sort((a, b) => a - b);
        resolve({ fps: ((window.inflight.frames - frames) / (now - times[0])) * 1000, slow: gaps[Math.floor(gaps.length * 0.95)] });
        return;
      }
      x = x < width * 0.35 ? width * 0.7 : x - 12; // Going back at once is the hardest; half of the run stays within it.
      canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: left + x, clientY, bubbles: true }));
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }), { left: box.x, width: box.width, clientY: y });
  await page.mouse.up();
  return result;
}

console.log('events  file MB  records written, MB a CPU second  opened s  loaded s');
for (const millions of sizes) {
  const file = join(folder, `${millions}.html`);
  // A workgroup of this shape has 22,860 records.
  const options = ['--workgroups', String(Math.round((millions * 1e6) / 22860)), '--at-a-time', '4', '--tiles', '8', '--steps', '32'];
  const made = JSON.parse(execFileSync(`${build}/bin/trace-page-synthetic`, [file, ...options], { encoding: 'utf8', maxBuffer: 1 << 26 }));
  const page = await browser.newPage({ viewport: { width: 1600, height: 950 } });
  const begun = performance.now();
  const loading = page.goto(`file://${file}`).then(() => (performance.now() - begun) / 1000);
  await page.waitForFunction(() => window.inflight?.idle && window.inflight.timeline.complete, null, { polling: 20, timeout: 60000 });
  const opened = (performance.now() - begun) / 1000;
  const loaded = await loading;
  console.log(`${made.records}  ${(statSync(file).size / 1e6).toFixed(1)}  ${made.recordMBPerSecond.toFixed(0)}  ${opened.toFixed(2)}  ${loaded.toFixed(2)}`);
  console.log('  cycles in view  frames/s  slowest twentieth of frames ms');
  const end = await page.evaluate(() => window.inflight.state.end);
  for (const span of [end / 2, end / 20, end / 200, 100000, 10000, 4000, 400]) {
    const { fps, slow } = await pan(page, span);
    console.log(`  ${Math.round(span).toLocaleString('en-US').padStart(14)}  ${fps.toFixed(0).padStart(8)}  ${slow.toFixed(0)}`);
  }
  await page.close();
  rmSync(file);
}
await browser.close();
rmSync(folder, { recursive: true });
