// Looks at a page from inside: its first paint, its answers to keys, its heap.
import type { CDPSession, Page } from 'playwright-core';

/** Waits for the first row of the table. @returns milliseconds since the request for the page. */
export async function paintedAt(page: Page): Promise<number> {
  return when(page, "document.querySelector('tbody th a') !== null", 'performance.now()');
}

/** Milliseconds until a condition that does not come to hold is an error: a page waits for ever. */
const PATIENCE_MS = 120_000;

/** Looks at each frame until a condition holds, which the page's policy allows to no text of its own. @returns the value of `result` then. */
export function when(page: Page, condition: string, result: string): Promise<number> {
  const look = `const look = () => ${condition} ? resolve(${result}) : requestAnimationFrame(look); look();`;
  const giveUp = `setTimeout(() => reject(new Error(${JSON.stringify(`not within two minutes: ${condition}`)})), ${PATIENCE_MS});`;
  return page.evaluate<number>(`new Promise((resolve, reject) => { ${giveUp} ${look} })`);
}

/** Memory of the page's scripts, after what is unused was collected. */
export async function heapMiB(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN) / 1024 ** 2;
}

/** Keys as a person uses them: down and up the list, a filter that is typed and taken back, the palette. */
const KEYS = [
  ...Array.from({ length: 25 }, () => 'j'),
  ...Array.from({ length: 10 }, () => 'k'),
  '/',
  ...'working',
  ...Array.from({ length: 7 }, () => 'Backspace'),
  'Tab',
  'Control+k',
  ...'w12',
  'Escape',
  ...Array.from({ length: 10 }, () => 'j'),
];
/** Keys that are pressed. */
export const PRESSES = KEYS.length;
const BETWEEN_MS = 120;
/** Shorter answers are not told by browsers. */
const LEAST_MS = 16;

/** Presses keys. @returns milliseconds of each from the press to the paint after it, as browsers measure it for INP. */
export async function interactionsOf(page: Page): Promise<readonly number[]> {
  await page.evaluate(OBSERVE);
  for (const key of KEYS) {
    await page.keyboard.press(key);
    await page.waitForTimeout(BETWEEN_MS);
  }
  await page.waitForTimeout(1_000);
  const found = await page.evaluate<readonly number[]>('Object.values(window.interactions)');
  return [...found, ...Array.from({ length: Math.max(0, KEYS.length - found.length) }, () => LEAST_MS)];
}

/** Runs in the page: keeps the longest event of each interaction. */
const OBSERVE = `window.interactions = {};
new PerformanceObserver((list) => {
  for (const { interactionId, duration } of list.getEntries())
    if (interactionId > 0)
      window.interactions[interactionId] = Math.max(window.interactions[interactionId] ?? 0, duration);
}).observe({ type: 'event', durationThreshold: ${LEAST_MS} });`;

/** Makes a review as the API answers it, of one file with so many lines. */
export function longDiff(lines: number): object {
  const changed = Array.from({ length: lines / 2 }, (_, at) => [
    `-export const value${at} = readValue(source, ${at});`,
    `+export const value${at} = await readValue(source, { at: ${at} });`,
  ]);
  const diff = [
    'diff --git a/long.ts b/long.ts',
    '--- a/long.ts',
    '+++ b/long.ts',
    `@@ -1,${lines / 2} +1,${lines / 2} @@`,
    ...changed.flat(),
    '',
  ].join('\n');
  const worker = { id: '1', name: 'w1', project: 'bench' };
  return {
    worker,
    head: 'a'.repeat(40),
    base: 'b'.repeat(40),
    commits: [],
    diff,
    notes: [],
    dropped: null,
    work: null,
    standing: { workedAt: 1, base: 'b'.repeat(40), basedAt: 1, behind: 0, upstream: null },
  };
}
