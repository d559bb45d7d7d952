// Puts the page together: data, views, and what the pointer and keys do between them.

import { hasRun } from './data/head';
import { Store } from './data/store';
import { App } from './view/app';
import { node } from './view/format';
import { startTheme } from './view/theme';

startTheme();
const root = document.getElementById('app')!;
Promise.all([Store.open(), hasRun('beside-') ? Store.open('beside-') : null]).then(
  ([store, other]) => { new App(store, other, root); },
  (why: Error) => { root.append(node('p', 'failure', `This trace can't be shown: ${why.message}`)); });
