// The peer method of seeing: one `capture-pane` process for each pane every 500 ms.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { TMUX } from '../driver.ts';
import { Teller } from './telling.ts';
import { now, sleep } from '../wait.ts';

const EVERY_MS = 500;
const STATE = /STATE (\d+)/;

const [socket = '', ...panes] = process.argv.slice(2);
const run = promisify(execFile);

const stopping = new AbortController();
const teller = new Teller();
process.on('message', () => stopping.abort());
await Promise.all(panes.map((pane) => observePane(pane)));
teller.close();

/** Looks at one pane until it is told to stop; a look that takes longer than the pause puts off the next. */
async function observePane(pane: string): Promise<void> {
  let last = -1;
  while (!stopping.signal.aborted) {
    const startedAt = now();
    const { stdout } = await run(TMUX, ['-u', '-S', socket, 'capture-pane', '-p', '-e', '-t', pane]);
    teller.observed();
    const state = Number(STATE.exec(stdout)?.[1] ?? Number.NaN);
    if (!Number.isNaN(state) && state !== last) {
      last = state;
      teller.saw({ kind: 'state', pane, state, at: now() });
    }
    await sleep(Math.max(0, EVERY_MS - (now() - startedAt)));
  }
}
