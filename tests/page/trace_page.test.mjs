// The trace page in a browser: node trace_page.test.mjs BUILD. Pages of a synthetic run are opened, zoomed and clicked, and what they show
// is held against the records that the run handed out.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, open, settled } from './browser.mjs';

const build = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), 'trace-page-'));

/// Lines of the synthetic kernel (tests/trace/SyntheticRun.h).
const line = { globalLoad: 7, vmWait: 9, ldsRead: 13, ldsWait: 15, matrix: 16 };
const matrixColor = [0x7c, 0x46, 0xc6];

function make(name, ...options) {
  const file = join(folder, name);
  const expected = JSON.parse(execFileSync(`${build}/bin/trace-page-synthetic`, [file, ...options], { encoding: 'utf8' }));
  return { file, expected };
}

const state = (page) => page.evaluate(() => {
  const { from, to, line, wave } = window.inflight.state;
  return { from, to, line, wave };
});

async function show(page, from, to) {
  await page.evaluate(([a, b]) => window.inflight.state.show(a, b), [from, to]);
  await settled(page);
}

/// Where a wave's row is at a time, in the window's pixels.
const place = (page, wave, time) => page.evaluate(([number, at]) => {
  const { timeline, store, state: view } = window.inflight;
  const { cu, row: slot } = store.waves.find((w) => w.number === number);
  const row = timeline.layout.ofSlot(cu, slot);
  const box = timeline.canvas.getBoundingClientRect();
  return { x: box.left + ((at - view.from) / view.span) * box.width, y: box.top + row.y - timeline.scrolled + row.height - 4 };
}, [wave, time]);

const pixel = (page, { x, y }) => page.evaluate(([px, py]) => {
  const { canvas } = window.inflight.timeline;
  const box = canvas.getBoundingClientRect();
  return [...canvas.getContext('2d').getImageData(px - box.left, py - box.top, 1, 1).data.slice(0, 3)];
}, [x, y]);

/// All instructions, operations and waits of the run as the page decodes them.
const everything = (page) => page.evaluate(async () => {
  const { store } = window.inflight;
  const result = { instructions: 0, operations: 0, waits: [], matrix: [] };
  for (let id = 0; id < store.head.chunks.cu.length; ++id) {
    const { instructions: ins, operations: ops, waits } = await store.ask({ type: 'chunk', chunk: id });
    result.instructions += ins.count;
    result.operations += ops.count;
    for (let i = 0; i < waits.count; ++i)
      result.waits.push({
        arrived: waits.arrived[i], done: waits.done[i], line: waits.line[i],
        operations: [...waits.numbers.slice(waits.start[i], waits.start[i + 1])], wave: waits.wave[i],
      });
    for (let i = 0; i < ins.count; ++i) {
      let stalls = 0;
      for (let s = ins.stallStart[i]; s < ins.stallStart[i + 1]; ++s) stalls += ins.stallCycles[s];
      if (stalls !== ins.issued[i] - ins.arrived[i]) throw new Error(`stalls of instruction ${i} of chunk ${id}`);
      if (store.head.pipes[ins.pipe[i]] === 'MFMA') result.matrix.push({ wave: ins.wave[i], line: ins.line[i], issued: ins.issued[i], busy: ins.busy[i] });
    }
  }
  return result;
});

/// A bin's shares of a slot's row add up to all of its time while a wave is there.
const sharesOfRow = (page, level) => page.evaluate(async (l) => {
  const { store } = window.inflight;
  const wave = store.waves[0];
  const number = Math.floor((wave.begin + wave.end) / 2 / 2 ** l / 256);
  for (let i = 0; i < 200 && !store.tile(wave.cu, l, number); ++i) await new Promise((resolve) => setTimeout(resolve, 10));
  const tile = store.tile(wave.cu, l, number);
  const bin = Math.floor((wave.begin + wave.end) / 2 / 2 ** l) - number * 256;
  let sum = 0;
  for (let c = 0; c < 18; ++c) {
    const at = tile.place[store.rows.key(wave.row, c)];
    if (at >= 0) sum += tile.data[at * 256 + bin];
  }
  return sum / 255;
}, level);

const tests = {
  async 'the data are the records'(browser) {
    const { file, expected } = make('records.html', '--cus', '2', '--workgroups', '12', '--tiles', '4', '--steps', '24');
    const { page, problems } = await open(browser, file);
    const all = await everything(page);
    assert.equal(all.instructions, expected.instructions);
    const sorted = (list) => list.map((wait) => JSON.stringify(wait, Object.keys(wait).sort())).sort();
    const have = new Set(sorted(all.waits));
    for (const wait of sorted(expected.waits)) assert.ok(have.has(wait), wait);
    const head = await page.evaluate(() => ({ cycles: window.inflight.store.head.cycles, waves: window.inflight.store.waves.length, cus: window.inflight.store.head.cus }));
    assert.deepEqual(head, { cycles: expected.cycles, waves: expected.waves, cus: 2 });
    for (const level of [3, 7, 8, 9])
      assert.ok(Math.abs((await sharesOfRow(page, level)) - 1) < 0.03, `level ${level}`);
    assert.deepEqual(problems, []);
  },

  async 'the run at a glance'(browser) {
    const { file, expected } = make('glance.html');
    const { page, problems } = await open(browser, file);
    const text = await page.locator('header .facts').innerText();
    assert.match(text, new RegExp(`${expected.cycles.toLocaleString('en-US')} cycles`));
    assert.match(text, /16 waves/);
    assert.match(text, /device 12\.50 µs \(10\.50 µs to 15\.00 µs\)/);
    assert.match(await page.locator('header h1').innerText(), /gemm\(_Float16\*/);
    assert.match(await page.title(), /gemm/);
    assert.match(await page.locator('footer').innerText(), /waitcnt \d+ %/);
    const rows = await page.locator('.listing .line:not(.headings)').count();
    assert.ok(rows > 15, `${rows} lines of code`);
    assert.deepEqual(problems, []);
  },

  async 'the wheel zooms at the pointer, dragging moves'(browser) {
    const { file } = make('zoom.html');
    const { page, problems } = await open(browser, file);
    const box = await page.locator('.timeline canvas:not(.labels)').boundingBox();
    const x = box.x + box.width * 0.25;
    const under = ({ from, to }) => from + 0.25 * (to - from);
    const before = await state(page);
    await page.mouse.move(x, box.y + 200);
    for (let i = 0; i < 10; ++i) await page.mouse.wheel(0, -100);
    await settled(page);
    const after = await state(page);
    assert.ok(after.to - after.from < (before.to - before.from) / 4);
    assert.ok(Math.abs(under(after) - under(before)) < (after.to - after.from) * 0.01);
    await page.mouse.down();
    await page.mouse.move(x + 300, box.y + 200, { steps: 6 });
    await page.mouse.up();
    await settled(page);
    const moved = await state(page);
    const cycles = (300 / box.width) * (after.to - after.from);
    assert.ok(Math.abs(after.from - moved.from - cycles) < cycles * 0.05, `${after.from - moved.from} for ${cycles}`);
    await page.keyboard.press('0');
    await settled(page);
    const whole = await state(page);
    assert.ok(whole.from <= 0 && whole.to >= before.to);
    assert.deepEqual(problems, []);
  },

  async 'instructions have the colours of their categories where they were issued'(browser) {
    const { file } = make('colours.html');
    const { page, problems } = await open(browser, file);
    const { matrix } = await everything(page);
    for (const { wave, issued } of matrix.slice(40, 44)) {
      await show(page, issued - 100, issued + 100);
      assert.deepEqual(await pixel(page, await place(page, wave, issued + 2)), matrixColor);
    }
    assert.deepEqual(problems, []);
  },

  async 'a click on a wait shows what it waited for'(browser) {
    const { file, expected } = make('wait.html');
    const { page, problems } = await open(browser, file);
    const wait = expected.waits.find((w) => w.line === line.vmWait && w.operations.length === 2 && w.arrived > 3000 && w.done - w.arrived > 100);
    await show(page, wait.arrived - 400, wait.done + 200);
    const at = await place(page, wait.wave, wait.done - 20);
    await page.mouse.move(at.x, at.y);
    await page.waitForTimeout(50);
    assert.match(await page.locator('.tooltip').innerText(), /s_waitcnt vmcnt\(0\)[^]*waitcnt/);
    await page.mouse.click(at.x, at.y);
    await settled(page);
    const details = page.locator('.details');
    assert.match(await details.innerText(), /s_waitcnt vmcnt\(0\)/);
    assert.match(await details.innerText(), /Waited for 2 operations/);
    assert.equal(await details.locator('tr .link').filter({ hasText: 'global_load_dwordx4' }).count() >= 2, true);
    const chosen = await page.evaluate(() => window.inflight.state.operations.map((operation) => operation.number));
    assert.deepEqual(chosen, wait.operations);
    assert.equal((await state(page)).line, line.vmWait);
    assert.equal(await page.locator('.line.selected').getAttribute('data-line'), String(line.vmWait));
    assert.equal(await page.locator(`.line.waited[data-line="${line.globalLoad}"]`).count(), 1);

    // From the operation back to the wait.
    await details.locator('td .link').first().click();
    await settled(page);
    assert.equal((await state(page)).line, line.globalLoad);
    assert.match(await details.innerText(), /waited by\s+s_waitcnt vmcnt\(0\) at/);
    await details.locator('dd .link', { hasText: 's_waitcnt' }).first().click();
    await settled(page);
    assert.equal((await state(page)).line, line.vmWait);
    assert.equal(await page.evaluate(() => window.inflight.state.instruction.issued), wait.done);
    assert.deepEqual(problems, []);
  },

  async 'search goes from line to line and shows where they ran'(browser) {
    const { file } = make('search.html');
    const { page, problems } = await open(browser, file);
    await page.keyboard.press('/');
    await page.keyboard.type('mfma');
    assert.equal(await page.locator('.matches').innerText(), '2 lines');
    assert.equal(await page.locator('.line.found').count(), 2);
    await page.keyboard.press('Enter');
    await settled(page);
    assert.equal(await page.locator('.matches').innerText(), '1 of 2');
    const first = await page.evaluate(() => window.inflight.state.instruction);
    assert.equal(first.line, line.matrix);
    const view = await state(page);
    assert.ok(view.from < first.issued && first.issued < view.to);
    await page.keyboard.press('Enter');
    await settled(page);
    assert.equal((await state(page)).line, line.matrix + 1);
    await page.keyboard.press('Shift+Enter');
    await settled(page);
    assert.equal((await state(page)).line, line.matrix);
    await page.keyboard.press('Escape');
    // The next execution of the line, of the same wave.
    await page.keyboard.press('.');
    await settled(page);
    const next = await page.evaluate(() => window.inflight.state.instruction);
    assert.equal(next.line, line.matrix);
    assert.equal(next.wave, first.wave);
    assert.ok(next.issued > first.issued);
    assert.deepEqual(problems, []);
  },

  async 'the listing and the timeline select alike; sorting puts the dearest line first'(browser) {
    const { file } = make('listing.html');
    const { page, problems } = await open(browser, file);
    await page.locator(`.line[data-line="${line.ldsRead}"]`).click();
    assert.equal((await state(page)).line, line.ldsRead);
    assert.match(await page.locator('.details').innerText(), /ds_read_b128[^]*conflicts\s+8\.0 cycles each/);
    await page.locator('.headings button.cost').click();
    const top = await page.evaluate(() => [...document.querySelectorAll('.sheet .line')].find((row) => row.style.top === '0px').dataset.line);
    assert.equal(top, String(line.vmWait));
    assert.deepEqual(problems, []);
  },

  async 'a thread trace stands beside the model, and what differs stands out'(browser) {
    const at = (name) => join(folder, name);
    const run = (...command) => execFileSync(`${build}/bin/${command[0]}`, command.slice(1));
    run('make-events', at('against.events'), '2', '1', '4');
    run('inflight', 'trace', at('against.events'), '--viewer', at('viewed'));
    // One wait takes 1000 cycles more in the first wave's last execution of it.
    const viewed = at('viewed/ui_output_agent_0_dispatch_1');
    const name = Object.values(Object.values(Object.values(JSON.parse(readFileSync(join(viewed, 'filenames.json'))).wave_filenames)[0])[0])[0][0][0];
    const file = JSON.parse(readFileSync(join(viewed, name)));
    const { wave } = file;
    const place = wave.instructions.findLastIndex((entry) => entry[4] === line.vmWait + 2);
    wave.instructions[place][2] += 1000;
    wave.instructions[place][3] += 1000;
    for (const later of wave.instructions.slice(place + 1)) later[0] += 1000;
    wave.end += 1000;
    writeFileSync(join(viewed, name), JSON.stringify(file));
    run('inflight', 'trace', at('against.events'), '--against', at('viewed'), '--html', at('against.html'));
    const { page, problems } = await open(browser, at('against.html'));
    const columns = (of) => page.locator(`.line[data-line="${of}"] .stalled`).allInnerTexts();
    const [model, silicon] = (await columns(line.vmWait)).map(Number);
    assert.ok(silicon > model + 1, `${silicon} ${model}`);
    const [same, again] = await columns(line.matrix);
    assert.equal(same, again);
    await page.locator('.headings button', { hasText: 'silicon' }).click();
    const top = await page.evaluate(() => [...document.querySelectorAll('.sheet .line')].find((row) => row.style.top === '0px').dataset.line);
    assert.equal(top, String(line.vmWait));
    await page.locator(`.line[data-line="${line.vmWait}"]`).click();
    assert.match(await page.locator('.details').innerText(), /silicon\s+stall [0-9.]+ \(model [0-9.]+\), step /);
    assert.deepEqual(problems, []);
  },

  async 'the verdict says where the time went, what the worst waits wait for, and what bounds occupancy'(browser) {
    const { file, expected } = make('verdict.html', '--workgroups', '16');
    const { page, problems } = await open(browser, file);
    const verdict = page.locator('.verdict');
    assert.match(await verdict.innerText(), /^\S*\s*Waves wait for global memory for \d+ % of their time: up to \d+ % less time with .*Waves spend \d+ % of their time waiting for memory operations, \d+ % of it for global memory\./s);
    const waited = new Map();
    for (const wait of expected.waits) waited.set(wait.line, (waited.get(wait.line) ?? 0) + wait.done - wait.arrived);
    const worst = [...waited].sort((a, b) => b[1] - a[1])[0][0];
    const first = verdict.locator('tr').nth(1);
    assert.match(await first.innerText(), /s_waitcnt vmcnt\(0\)\s+.*global_load_dwordx4/);
    await first.locator('.link').first().click();
    assert.equal((await state(page)).line, worst);
    assert.match(await verdict.innerText(), /One more workgroup would need at most 7,168 bytes of LDS per workgroup \(now 8,192\)\./);
    await verdict.locator('.toggle').click();
    assert.equal(await verdict.locator('table').isVisible(), false);
    assert.deepEqual(problems, []);
  },

  async 'the source beside the code: lines with their cost, a click selects their instructions'(browser) {
    const at = (name) => join(folder, name);
    execFileSync(`${build}/bin/make-events`, [at('sourced.events'), '2', '1', '4']);
    writeFileSync(at('gemm.hip'), Array.from({ length: 50 }, (_, i) => `  text of line ${i + 1};`).join('\n') + '\n');
    execFileSync(`${build}/bin/inflight`, ['trace', 'sourced.events', '--html', 'sourced.html', '--sources=.'], { cwd: folder });
    const { page, problems } = await open(browser, at('sourced.html'));
    await page.locator('.tabs button', { hasText: 'Source' }).click();
    const row = page.locator(`.sources .line[data-line="${20 + line.vmWait}"]`);
    await row.waitFor();
    assert.match(await row.innerText(), /text of line 29;/);
    assert.equal(await page.locator('.listing').isVisible(), false);
    await page.locator(`.sources .line[data-line="${20 + line.matrix}"]`).click();
    await settled(page);
    assert.deepEqual(await page.evaluate(() => [...window.inflight.state.found]), [line.matrix]);
    assert.equal((await state(page)).line, line.matrix);
    // An instruction that is selected in the code is shown in the source.
    await page.locator('.tabs button', { hasText: 'Code' }).click();
    await page.locator(`.listing .line[data-line="${line.ldsRead}"]`).click();
    await page.locator('.tabs button', { hasText: 'Source' }).click();
    await page.locator('.sources .line.selected').waitFor();
    assert.equal(await page.locator('.sources .line.selected').getAttribute('data-line'), String(20 + line.ldsRead));
    // Without the source there is no tab.
    execFileSync(`${build}/bin/inflight`, ['trace', 'sourced.events', '--html', 'bare.html'], { cwd: folder });
    const { page: bare } = await open(browser, at('bare.html'));
    assert.equal(await bare.locator('.tabs').isVisible(), false);
    assert.deepEqual(problems, []);
  },

  async 'code has addresses, and branches the address that they go to'(browser) {
    const { file } = make('addresses.html');
    const { page, problems } = await open(browser, file);
    const { addresses, texts, targets } = await page.evaluate(() => {
      const { code, head } = window.inflight.store;
      return { addresses: code.addresses, texts: code.texts, targets: head.code.target };
    });
    const branch = targets.findIndex((target, at) => target >= 0 && target <= at);
    assert.equal(texts[branch].split(' ').slice(1).join(' '), `${addresses[targets[branch]]} ↑`);
    await page.locator('.headings button.cost').click();
    await page.locator(`.listing .line[data-line="${branch}"]`).waitFor();
    assert.match(await page.locator(`.listing .line[data-line="${branch}"]`).innerText(), new RegExp(`^${addresses[branch].slice(2)}`));
    // Each text can be seen to its end by scrolling.
    const cut = await page.evaluate(() => [...document.querySelectorAll('.sheet .line')].some((row) => row.querySelector('.text').scrollWidth > row.querySelector('.text').clientWidth));
    assert.equal(cut, false);
    assert.deepEqual(problems, []);
  },

  async 'what the search matches is marked in the code and over the run'(browser) {
    const { file } = make('marks.html');
    const { page, problems } = await open(browser, file);
    await page.keyboard.press('/');
    await page.keyboard.type('mfma');
    await settled(page);
    assert.deepEqual(await page.locator('.listing mark').allInnerTexts(), ['mfma', 'mfma']);
    const counts = await page.evaluate(() => [...window.inflight.axis.marks]);
    const { matrix } = await everything(page);
    assert.equal(counts.reduce((a, b) => a + b, 0), matrix.length);
    const end = await page.evaluate(() => window.inflight.state.end);
    assert.ok(counts[Math.floor(matrix[0].issued / (end / counts.length))] > 0);
    assert.deepEqual(problems, []);
  },

  async 'memory traffic by level is what operations moved'(browser) {
    const { file } = make('traffic.html', '--tiles', '4');
    const { page, problems } = await open(browser, file);
    const [near, far] = await page.evaluate(async () => {
      const { store } = window.inflight;
      const wanted = [0, 0, 0, 0];
      for (let id = 0; id < store.head.chunks.cu.length; ++id) {
        const { operations: ops } = await store.ask({ type: 'chunk', chunk: id });
        for (let i = 0; i < ops.count; ++i) {
          const hits = [...ops.hits.subarray(i * 7, i * 7 + 7)];
          const lines = hits.reduce((a, b) => a + b, 0);
          [3, 4, 5, 6].forEach((level, place) => { if (hits[level]) wanted[place] += (ops.bytes[i] * hits[level]) / lines; });
        }
      }
      const shown = [0, 0, 0, 0];
      const level = store.head.overview;
      for (let number = 0; number * 256 * 2 ** level < store.head.cycles; ++number) {
        const tile = store.tile(0, level, number);
        for (let place = 0; place < 4; ++place) {
          const at = tile.place[store.rows.trafficKeys + place];
          for (let bin = 0; at >= 0 && bin < 256; ++bin) shown[place] += (tile.data[at * 256 + bin] / 2) * 2 ** level;
        }
      }
      return [wanted, shown];
    });
    near.forEach((bytes, place) => assert.ok(Math.abs(far[place] - bytes) <= 0.15 * bytes, `${near} ${far}`));
    assert.ok(near.some(Boolean));
    assert.deepEqual(problems, []);
  },

  async 'barrier, fetch and full queues are told apart at one pixel, by colour-blind eyes, too'(browser) {
    // Machado, Oliveira, Fernandes 2009, severity 1.
    const eyes = {
      normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
      protan: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
      deutan: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
      tritan: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
    };
    const lab = (color, eye) => {
      const linear = color.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
      const [r, g, b] = eye.map((row) => Math.min(1, Math.max(0, row.reduce((sum, weight, i) => sum + weight * linear[i], 0))));
      const f = (t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
      const [x, y, z] = [f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505), f(0.2126 * r + 0.7152 * g + 0.0722 * b), f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089)];
      return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
    };
    const { file } = make('eyes.html');
    for (const colorScheme of ['light', 'dark']) {
      const { page } = await open(browser, file, { colorScheme });
      // The mean of a cause's stripes is what a narrow column is seen as.
      const seen = await page.evaluate(() => {
        const { squares, side } = window.inflight.timeline.palette;
        const { categories, stalls } = window.inflight.store.head;
        return Object.fromEntries(stalls.map((name, cause) => {
          const square = squares.subarray((categories.length + cause) * side * side, (categories.length + cause + 1) * side * side);
          return [name, [0, 8, 16].map((shift) => square.reduce((sum, color) => sum + ((color >> shift) & 255), 0) / square.length)];
        }));
      });
      for (const [name, eye] of Object.entries(eyes))
        for (const [a, b] of [['barrier', 'fetch'], ['barrier', 'queue full'], ['fetch', 'queue full']]) {
          const [one, other] = [lab(seen[a], eye), lab(seen[b], eye)];
          const distance = Math.hypot(...one.map((value, i) => value - other[i]));
          assert.ok(distance > 12, `${a} and ${b}, ${name}, ${colorScheme}: ${distance}`);
        }
    }
  },

  async 'pointing at the legend dims the others'(browser) {
    const { file } = make('legend.html');
    const { page, problems } = await open(browser, file);
    const { matrix } = await everything(page);
    await show(page, matrix[40].issued - 100, matrix[40].issued + 100);
    const at = await place(page, matrix[40].wave, matrix[40].issued + 2);
    await page.locator('footer .item', { hasText: 'waitcnt' }).hover();
    await settled(page);
    assert.notDeepEqual(await pixel(page, at), matrixColor);
    await page.locator('footer .item', { hasText: 'MFMA' }).hover();
    await settled(page);
    assert.deepEqual(await pixel(page, at), matrixColor);
    assert.deepEqual(problems, []);
  },

  async 'narrow windows: nothing clipped at 1000 pixels, panes below each other under 800'(browser) {
    const { file } = make('narrow.html');
    const { page } = await open(browser, file, { viewport: { width: 1000, height: 700 } });
    const clipped = () => page.evaluate(() => {
      const outside = [...document.querySelectorAll('header *, .verdict *, .details *, footer *')].filter((element) => {
        const box = element.getBoundingClientRect();
        return box.width && (box.right > innerWidth + 1 || box.left < -1) && !element.closest('td');
      });
      return outside.map((element) => element.outerHTML.slice(0, 80));
    });
    assert.deepEqual(await clipped(), []);
    await page.setViewportSize({ width: 700, height: 900 });
    await settled(page);
    assert.deepEqual(await clipped(), []);
    const boxes = await page.evaluate(() => ['.verdict', '.left', 'footer', '.details', '.listing'].map((name) => {
      const box = document.querySelector(name).getBoundingClientRect();
      return { name, top: box.top, bottom: box.bottom, width: box.width };
    }));
    for (const [i, box] of boxes.entries()) assert.ok(box.width > 680 && (!i || box.top >= boxes[i - 1].bottom), JSON.stringify(boxes));
  },

  async 'on a telephone: swipes scroll the page, a tap on the verdict opens it, what is tapped on the timeline comes into view'(browser) {
    const { file } = make('phone.html');
    const { page, problems } = await open(browser, file, { viewport: { width: 390, height: 844 }, hasTouch: true });
    assert.deepEqual(await page.evaluate(() => [...new Set([...document.querySelectorAll('canvas')].map((canvas) => getComputedStyle(canvas).touchAction))]), ['pan-y']);
    assert.ok(await page.evaluate(() => document.scrollingElement.scrollHeight > innerHeight));
    await page.locator('.verdict strong').tap();
    assert.ok(await page.locator('.verdict table').isVisible());
    const at = await page.evaluate(() => { const { begin, number } = window.inflight.store.waves[0]; return { wave: number, time: begin + 1 }; });
    await show(page, at.time - 20, at.time + 20);
    await page.locator('.left').scrollIntoViewIfNeeded();
    const { x, y } = await place(page, at.wave, at.time);
    await page.touchscreen.tap(x, y);
    await settled(page);
    const box = await page.locator('.details h2').first().boundingBox();
    assert.ok(box.y >= 0 && box.y + box.height <= 844, JSON.stringify(box));
    assert.deepEqual(problems, []);
  },

  async 'shares are of the waves\' time, as in the report, and what was simulated is said'(browser) {
    const at = (name) => join(folder, name);
    const run = (...command) => execFileSync(`${build}/bin/${command[0]}`, command.slice(1), { encoding: 'utf8' });
    run('make-events', at('shares.events'), '2', '1', '4');
    run('inflight', 'trace', at('shares.events'), '--html', at('shares.html'));
    const report = JSON.parse(run('inflight', 'trace', at('shares.events'), '--report=json'));
    const { page, problems } = await open(browser, at('shares.html'));
    const { wave_cycles: all } = report;
    assert.equal(await page.evaluate(() => window.inflight.store.waveCycles), all);
    const shares = await page.locator('footer b').allInnerTexts();
    const sum = shares.reduce((total, text) => total + Number(text.replace(' %', '')), 0);
    assert.ok(Math.abs(sum - 100) < 2, shares.join(', '));
    const [waitcnt] = await page.locator('footer .item', { hasText: 'waitcnt' }).locator('b').allInnerTexts();
    assert.ok(Math.abs(Number(waitcnt.replace(' %', '')) - (100 * report.causes.waitcnt) / all) < 0.51, waitcnt);
    assert.match(await page.locator('header .part').innerText(), /^\d+ workgroups?, \d+ CUs?/);
    assert.match(await page.locator('.verdict').innerText(), /What would help: inflight advise/);
    assert.deepEqual(problems, []);
  },

  async 'the page is accessible'(browser) {
    const axe = readFileSync(createRequire(`${build}/web/trace/package.json`).resolve('axe-core/axe.min.js'), 'utf8');
    const { file } = make('accessible.html');
    for (const colorScheme of ['light', 'dark']) {
      const { page } = await open(browser, file, { colorScheme });
      await page.locator(`.line[data-line="${line.vmWait}"]`).click();
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run());
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), []);
    }
  },

  async 'another run stands below, matched instruction by instruction'(browser) {
    const at = (name) => join(folder, name);
    const run = (...command) => execFileSync(`${build}/bin/${command[0]}`, command.slice(1));
    run('make-events', at('now.events'), '2', '1', '4');
    run('make-events', at('then.events'), '2', '1', '8');
    run('inflight', 'trace', at('now.events'), '--html', at('both.html'), '--beside', at('then.events'));
    const { page, problems } = await open(browser, at('both.html'));
    const [now, then] = await page.evaluate(() => [window.inflight.store.head.cycles, window.inflight.before.other.head.cycles]);
    assert.ok(then > now);
    const words = await page.locator('.verdict').innerText();
    assert.ok(words.includes(`${now.toLocaleString('en-US')} cycles, ${Math.round((1 - now / then) * 100)} % fewer than the ${then.toLocaleString('en-US')} of the run beside it.`), words);
    // The loop ran twice as often there.
    const cells = await page.locator(`.listing .line[data-line="${line.matrix}"] .cost`).allInnerTexts();
    const [mine, before] = cells.map((text) => Number(text.replaceAll(',', '')));
    assert.ok(Math.abs(before / mine - 2) < 0.1, cells.join(' '));
    // Both show the same time, and a selection is shown in both.
    await show(page, 1000, 2000);
    assert.deepEqual(await page.evaluate(() => { const { from, to } = window.inflight.before.timeline.state; return [from, to]; }), [1000, 2000]);
    await page.locator(`.listing .line[data-line="${line.ldsRead}"]`).click();
    assert.equal(await page.evaluate(() => window.inflight.before.timeline.state.line), line.ldsRead);
    assert.deepEqual(problems, []);
  },

  async 'dragging with Shift measures'(browser) {
    const { file, expected } = make('range.html');
    const { page, problems } = await open(browser, file);
    const busy = (await everything(page)).matrix.reduce((sum, { busy: cycles }) => sum + cycles, 0);
    const lifetimes = await page.evaluate(() => window.inflight.store.waves.reduce((sum, wave) => sum + wave.end - wave.begin, 0));
    const box = await page.locator('.timeline canvas:not(.labels)').boundingBox();
    await show(page, 0, expected.cycles);
    await page.keyboard.down('Shift');
    await page.mouse.move(box.x + 1, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 1, box.y + 100, { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await settled(page);
    const text = await page.locator('.details').innerText();
    const number = (pattern) => Number(text.match(pattern)[1].replaceAll(',', ''));
    const cycles = number(/([\d,]+) cycles/);
    assert.ok(Math.abs(cycles / expected.cycles - 1) < 0.01, text);
    assert.ok(Math.abs(number(/MFMA\s+([\d.]+) % busy/) / ((busy / 4 / expected.cycles) * 100) - 1) < 0.05, `${text} ${busy}`);
    assert.ok(Math.abs(number(/waves\s+([\d.]+) on average/) - lifetimes / expected.cycles) < 0.2, `${text} ${lifetimes / expected.cycles}`);
    assert.deepEqual(problems, []);
  },

  async 'a run in which nothing happened is shown as such'(browser) {
    const { file } = make('empty.html', '--empty');
    const { page, problems } = await open(browser, file);
    assert.match(await page.locator('header').innerText(), /0 cycles/);
    assert.deepEqual(problems, []);
  },

  async 'light and dark'(browser) {
    const { file } = make('theme.html');
    const { page, problems } = await open(browser, file);
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const corner = async () => {
      const box = await page.locator('.timeline canvas:not(.labels)').boundingBox();
      return pixel(page, { x: box.x + box.width / 2, y: box.y + box.height - 2 });
    };
    assert.equal(await ground(), 'rgb(255, 255, 255)');
    assert.deepEqual(await corner(), [255, 255, 255]);
    await page.locator('button.theme').click();
    await settled(page);
    assert.equal(await ground(), 'rgb(18, 21, 27)');
    assert.deepEqual(await corner(), [18, 21, 27]);
    const { page: dark } = await open(browser, file, { colorScheme: 'dark' });
    assert.equal(await dark.evaluate(() => document.documentElement.dataset.theme), 'dark');
    assert.deepEqual(problems, []);
  },

  async 'keys move, help tells which'(browser) {
    const { file } = make('keys.html');
    const { page, problems } = await open(browser, file);
    await show(page, 10000, 20000);
    await page.keyboard.down('d');
    await page.waitForFunction(() => window.inflight.state.from > 10500);
    await page.keyboard.up('d');
    await page.keyboard.down('w');
    await page.waitForFunction(() => window.inflight.state.span < 8500);
    await page.keyboard.up('w');
    await page.keyboard.press('?');
    assert.equal(await page.locator('dialog.help').isVisible(), true);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('dialog.help').isVisible(), false);
    assert.deepEqual(problems, []);
  },

  async 'a page on a display of high density has a pixel for each of its own'(browser) {
    const { file } = make('density.html');
    const { page, problems } = await open(browser, file, { deviceScaleFactor: 2 });
    const [pixels, points] = await page.evaluate(() => [window.inflight.timeline.canvas.width, window.inflight.timeline.canvas.getBoundingClientRect().width]);
    assert.equal(pixels, Math.round(points * 2));
    assert.deepEqual(problems, []);
  },

  async 'a run that was cut off says so'(browser) {
    const { file } = make('cut.html', '--cut-off');
    const { page } = await open(browser, file);
    assert.match(await page.locator('header').innerText(), /ended early/);
  },

  async 'a file that was cut short says so'(browser) {
    const { file } = make('short.html', '--workgroups', '16', '--steps', '40');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.slice(0, text.indexOf('id="c1"')));
    const { page } = await open(browser, file);
    await page.evaluate(() => window.inflight.state.show(window.inflight.state.end * 0.8, window.inflight.state.end * 0.8 + 500));
    await page.waitForFunction(() => /cut short/.test(document.querySelector('header').innerText), null, { timeout: 10000 });
  },
};

const browser = await launch(build);
let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test(browser);
    console.log(`ok: ${name}`);
  } catch (error) {
    ++failed;
    console.log(`FAILED: ${name}\n${error.stack}`);
  }
  for (const context of browser.contexts()) await context.close();
}
await browser.close();
rmSync(folder, { recursive: true });
process.exit(failed ? 1 : 0);
