// Lighthouse's four categories for pages of the site: node lighthouse.mjs BUILD SITE. Served as a host would, compressed, on this machine.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join, normalize, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createGzip } from 'node:zlib';
import { browserFile, browserOptions } from '../../tests/page/browser.mjs';

const least = 0.95;
const pages = ['', 'install/', 'waits/', 'explain/', 'rules/missing-wait/', 'traces/', 'compare/'];
const [build, site] = process.argv.slice(2).map((name) => resolve(name));
const tools = createRequire(`${build}/web/lighthouse/package.json`);
const { default: puppeteer } = await import(pathToFileURL(tools.resolve('puppeteer-core')));
const { default: lighthouse } = await import(pathToFileURL(tools.resolve('lighthouse')));

const types = { '.html': 'text/html; charset=utf-8', '.css': 'text/css', '.js': 'text/javascript', '.json': 'application/json', '.svg': 'image/svg+xml', '.png': 'image/png', '.xml': 'application/xml' };
const server = createServer((request, response) => {
  let file = join(site, normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname)));
  if (existsSync(file) && statSync(file).isDirectory()) file = join(file, 'index.html');
  if (!existsSync(file)) return response.writeHead(404).end();
  const type = types[extname(file)] ?? 'application/octet-stream';
  const isText = !type.startsWith('image/png');
  response.writeHead(200, { 'content-type': type, 'cache-control': 'max-age=31536000', ...(isText ? { 'content-encoding': 'gzip' } : {}) });
  const contents = createReadStream(file);
  (isText ? contents.pipe(createGzip()) : contents).pipe(response);
});
await new Promise((ready) => server.listen(0, '127.0.0.1', ready));

const browser = await puppeteer.launch({ executablePath: browserFile(), headless: true, args: browserOptions });

async function audit(place) {
  const page = await browser.newPage();
  const { lhr } = await lighthouse(`http://127.0.0.1:${server.address().port}/${place}`, { formFactor: 'desktop', screenEmulation: { disabled: true }, throttlingMethod: 'provided', logLevel: 'error' }, undefined, page);
  await page.close();
  const categories = Object.values(lhr.categories);
  const isGood = !lhr.runtimeError && categories.length === 4 && categories.every(({ score }) => score >= least);
  const complaints = categories.flatMap(({ title, auditRefs }) => auditRefs
    .filter(({ id, weight }) => weight && lhr.audits[id].score !== null && lhr.audits[id].score < 1)
    .map(({ id }) => `\n  ${title}: ${id}: ${lhr.audits[id].details?.items?.map((item) => item.node?.snippet ?? item.url ?? item.description).slice(0, 3).join(', ')}`));
  return { isGood, text: categories.map(({ title, score }) => `${title} ${Math.round(100 * score)}`).join(', ') + (isGood ? '' : complaints.join('')) };
}

let failed = 0;
for (const place of pages) {
  let found;
  // What else the host does delays the page: it may try again.
  for (let tries = 3; tries && !found?.isGood; --tries) found = await audit(place);
  console.log(`${found.isGood ? 'ok' : 'FAILED'}: /${place}: ${found.text}`);
  failed += !found.isGood;
}
await browser.close();
server.close();
process.exit(failed ? 1 : 0);
