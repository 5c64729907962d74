// Plays the changes of a working day to a page as fast as it takes them, and reads its heap after each hour of them.
import type { CDPSession, Page } from 'playwright-core';
import { heapMiB } from './page.ts';

/** Messages of an hour: the coordinator sends at most four a second. */
const MESSAGES_AN_HOUR = 4 * 3_600;

/** Runs before the page: keeps the line over which the rows come. */
export const KEEP_LINE = `{
  const Native = WebSocket;
  window.WebSocket = class extends Native {
    constructor(url) {
      super(url);
      if (String(url).includes('/live')) {
        window.lines = [...(window.lines ?? []), this];
        this.addEventListener('message', ({ data }) => {
          const message = JSON.parse(data);
          if (message.kind === 'snapshot') window.snapshot = message;
        });
      }
    }
  };
}`;

/** Plays hours of changes. `rows`: workers that change in each message. @returns MiB after each hour. */
export async function heapOfHours(
  { page, cdp }: { readonly page: Page; readonly cdp: CDPSession },
  { hours, rows }: { readonly hours: number; readonly rows: number },
): Promise<readonly number[]> {
  const heaps: number[] = [];
  for (let hour = 0; hour < Math.max(1, hours); hour += 1) {
    const messages = Math.round(MESSAGES_AN_HOUR * Math.min(1, hours));
    await page.evaluate(`(${PLAY})(${messages}, ${rows}, ${hour * MESSAGES_AN_HOUR})`);
    heaps.push(await heapMiB(cdp));
  }
  return heaps;
}

/** Runs in the page: tells messages as the coordinator would, and lets the page draw after every sixteenth. */
const PLAY = `async (messages, rows, first) => {
  const line = window.lines.at(-1);
  const { workers, at } = window.snapshot;
  for (let count = 0; count < messages; count += 1) {
    const number = first + count;
    const changed = Array.from({ length: rows }, (_, place) => {
      const worker = workers[(number * rows + place * 7) % workers.length];
      return { ...worker, note: 'step ' + number + ' of ' + worker.name, since: at + number };
    });
    const message = { kind: 'changed', at: at + number, workers: changed, questions: [], gone: [] };
    line.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
    if (count % 16 === 0) await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  }
}`;
