// Puts the page together: data, views, and what the pointer and keys do between them.

import { Store } from './data/store';
import { App } from './view/app';
import { node } from './view/format';
import { startTheme } from './view/theme';

startTheme();
const root = document.getElementById('app')!;
Store.open().then(
  (store) => { new App(store, root); },
  (why: Error) => { root.append(node('p', 'failure', `This trace can't be shown: ${why.message}`)); });
