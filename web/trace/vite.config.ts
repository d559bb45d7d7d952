import { defineConfig, type Plugin } from 'vite';

/// One file: the program runs where it stands in the document, before the data behind it has come, which modules don't.
function singleFile(): Plugin {
  return {
    name: 'single-file',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') throw new Error('index.html is not among the outputs');
      let html = String(page.source);
      for (const [name, item] of Object.entries(bundle)) {
        if (item === page) continue;
        if (item.type === 'chunk') {
          html = html.replace(new RegExp(`<script[^>]*src="[^"]*${item.fileName}"[^>]*></script>\\s*`), '');
          const code = item.code.replaceAll('</script', '<\\/script');
          html = html.replace('<!--program-->', () => `<script>${code}</script>`);
        } else if (item.fileName.endsWith('.css')) {
          html = html.replace(new RegExp(`<link[^>]*href="[^"]*${item.fileName}"[^>]*>\\s*`), () => `<style>${String(item.source)}</style>`);
        } else {
          throw new Error(`${item.fileName} would stand beside the page`);
        }
        delete bundle[name];
      }
      for (const place of ['<!--head-->', '<!--tail-->'])
        if (!html.includes(place)) throw new Error(`${place} is missing`);
      page.source = html;
    },
  };
}

export default defineConfig({
  plugins: [singleFile()],
  base: './',
  worker: { format: 'iife' },
  build: {
    target: 'chrome100',
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 1 << 20,
    rollupOptions: { output: { format: 'iife', entryFileNames: 'page.js', assetFileNames: 'page[extname]' } },
  },
});
