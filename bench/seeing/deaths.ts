// Measures how soon the end of a process is known, while all other panes move.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { AnimatedPanes } from './animated-panes.ts';
import { type Figure, spread } from '../src/figures.ts';
import { median, percentile } from '../src/table.ts';
import type { Told } from './telling.ts';
import { now, sleep, until } from '../src/wait.ts';

/** Milliseconds between two deaths: enough for each to be an event of its own. */
const BETWEEN_MS = 60;
const SETTLE_MS = 1_500;

/** Ends the programs of the first `deaths` panes one by one. The panes stay, dead. */
export async function measureDeaths(panes: AnimatedPanes, { deaths }: { deaths: number }): Promise<readonly Figure[]> {
  const toldAt = new Map<string, number>();
  const watcher = fork(join(import.meta.dirname, 'watcher.ts'), [panes.socket]);
  watcher.on('message', ({ sightings }: Told) => {
    for (const { kind, pane, at } of sightings) if (kind === 'exit') toldAt.set(pane, at);
  });
  await sleep(SETTLE_MS);
  const latencies: number[] = [];
  for (const [index, { paneId, panePid }] of panes.panes.slice(0, deaths).entries()) {
    const at = now();
    process.kill(panePid, index % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
    latencies.push((await until(`the exit of ${paneId}`, 10_000, () => toldAt.get(paneId))) - at);
    // The pause is not in step with the rounds of looking.
    await sleep(BETWEEN_MS + ((index * 37) % 100));
  }
  watcher.send('stop');
  await once(watcher, 'exit');
  const losesSignals = panes.version === '3.3a';
  const p99Ms = losesSignals ? 350 : 60;
  return [
    {
      what: `death of a process → event, ${panes.panes.length} animated panes (tmux ${panes.version})`,
      measured: spread(latencies),
      aim: {
        is: `p50 15 ms, p99 ${p99Ms} ms`,
        isKept: median(latencies) <= 15 && percentile(latencies, 0.99) <= p99Ms,
      },
    },
  ];
}
