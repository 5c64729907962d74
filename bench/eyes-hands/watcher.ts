// What does Drover's way of looking see, and when? A process of its own, so that its processor time can be read.
import { openServer } from './driver.ts';
import { now } from './wait.ts';

/** Something that a watcher saw. Sent to the parent process. */
export type Sighting =
  | { readonly kind: 'state'; readonly pane: string; readonly state: number; readonly at: number }
  /** How many looks at a pane there were until now. */
  | { readonly kind: 'looks'; readonly count: number }
  | { readonly kind: 'exit'; readonly pane: string; readonly at: number; readonly cause: string };

const STATE = /STATE (\d+)/;

const [socket = '', everyMs = '250'] = process.argv.slice(2);
const server = await openServer(socket);
const last = new Map<string, number>();
let looks = 0;
const watch = server.watch({
  awaitedEveryMs: Number(everyMs),
  awaited() {
    tell({ kind: 'looks', count: looks }); // asked once a round
    return true;
  },
  onPane({ incarnation }, capture) {
    looks += 1; // every capture of a pane that moves brings news
    const state = Number(STATE.exec(capture?.ansi ?? '')?.[1] ?? Number.NaN);
    if (Number.isNaN(state) || last.get(incarnation.paneId) === state) return;
    last.set(incarnation.paneId, state);
    tell({ kind: 'state', pane: incarnation.paneId, state, at: now() });
  },
  onExit({ incarnation, cause }) {
    tell({ kind: 'exit', pane: incarnation.paneId, at: now(), cause: cause.kind });
  },
});
process.on('message', () => void stop());

async function stop(): Promise<void> {
  await watch[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  process.disconnect();
}

function tell(sighting: Sighting): void {
  process.send?.(sighting);
}
