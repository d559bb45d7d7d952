// The picture of docs/trace.md: node screenshot.mjs BUILD PAGE.html OUT.png LINE [CYCLES]. Shows about so many cycles around a wait of a line that
// waited for several operations, and selects it as a click does.
import { resolve } from 'node:path';
import { launch, open, settled } from './browser.mjs';

const [build, file, out, line, cycles] = process.argv.slice(2);
const browser = await launch(resolve(build));
const { page } = await open(browser, resolve(file), { viewport: { width: 1500, height: 880 }, colorScheme: process.env.SCHEME ?? 'light' });
await page.evaluate(async ([number, span]) => {
  const app = window.inflight;
  const { state, store } = app;
  const half = state.end * 0.3;
  for (const id of store.chunkIds(0, half, Infinity)) {
    const { waits } = await store.ask({ type: 'chunk', chunk: id });
    for (let i = 0; i < waits.count; ++i)
      if (waits.line[i] === number && waits.arrived[i] > half && waits.start[i + 1] - waits.start[i] > 1 && waits.done[i] - waits.arrived[i] > 40) {
        state.show(waits.done[i] - span * 0.55, waits.done[i] + span * 0.45);
        await app.goTo(waits.wave[i], 0, waits.row[i], waits.done[i]);
        return;
      }
  }
  throw new Error('no such wait');
}, [Number(line), Number(cycles ?? 2000)]);
await settled(page);
await page.screenshot({ path: out });
await browser.close();
