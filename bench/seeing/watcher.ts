// Records what Drover's way of looking sees, and when. Runs as a process of its own, so that its processor time can be read.
import { openServer } from './driver.ts';
import { Teller } from './telling.ts';
import { now } from '../src/wait.ts';

const STATE = /STATE (\d+)/;

const [socket = '', everyMs = '250'] = process.argv.slice(2);
const server = await openServer(socket);
const last = new Map<string, number>();
const teller = new Teller();
const watch = server.watch({
  awaitedEveryMs: Number(everyMs),
  awaited: () => true,
  onPane({ incarnation }, capture) {
    teller.observed(); // every capture of a pane that moves brings news
    const state = Number(STATE.exec(capture?.ansi ?? '')?.[1] ?? Number.NaN);
    if (Number.isNaN(state) || last.get(incarnation.paneId) === state) return;
    last.set(incarnation.paneId, state);
    teller.saw({ kind: 'state', pane: incarnation.paneId, state, at: now() });
  },
  onExit({ incarnation, cause }) {
    teller.saw({ kind: 'exit', pane: incarnation.paneId, at: now(), cause: cause.kind });
  },
});
process.on('message', () => void stop());

async function stop(): Promise<void> {
  await watch[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  teller.close();
}
