/** A stranger's look at a fleet of 500 that never stands still: what waits is read at once, and nothing else moves. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { IS_MISSING, MARK } from '../../tools/dashboard/browser.ts';
import { keepChanging, openPage, startShownFleet } from './fleet.ts';
import type { ShownFleet } from './fleet.ts';
import { paintedAt } from './page.ts';
import { ask } from './questions.ts';

const WORKERS = 500;
const QUESTIONS = 7;

/** Runs in the page: for so many milliseconds sums what moved without a person, counts what is animated, and notes texts on top that changed. */
const MOVES = `(ms) => new Promise((resolve) => {
  let shifts = 0;
  let animations = 0;
  new PerformanceObserver((list) => { for (const one of list.getEntries()) shifts += one.value; }).observe({ type: 'layout-shift' });
  const top = () => [...document.querySelectorAll('nav a, h1, article h2')].map((one) => one.textContent).join('|');
  const first = top();
  const changes = new Set();
  const from = performance.now();
  const look = () => {
    animations = Math.max(animations, document.getAnimations().length);
    if (top() !== first) changes.add(top());
    if (performance.now() - from < ms) requestAnimationFrame(look);
    else resolve({ shifts, animations, changes: [...changes] });
  };
  look();
})`;

describe.skipIf(IS_MISSING)(`${MARK}the dashboard of ${WORKERS} workers`, () => {
  let fleet: ShownFleet;
  beforeAll(async () => {
    fleet = await startShownFleet(WORKERS);
    await ask(fleet.client, QUESTIONS);
  });
  afterAll(() => fleet[Symbol.asyncDispose]());

  test.each([1_280, 360])(
    'given 7 questions and 50 changes a second, when a stranger opens the page %i pixels wide, then what waits is in view, and nothing moves by itself',
    async (width) => {
      await using changing = keepChanging(fleet.client, { workers: WORKERS, perSecond: 50 });
      const { page } = await openPage(fleet, fleet.url, { width });
      await paintedAt(page);

      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(`${QUESTIONS} need you`);
      expect(await page.title()).toBe(`(${QUESTIONS}) Drover`);
      const cards = page.getByRole('article');
      expect(await cards.count()).toBe(QUESTIONS);
      // The longest wait is the first, with its answers on the first screen.
      const option = await cards.first().getByRole('button', { name: /short/u }).boundingBox();
      expect((option?.y ?? Number.POSITIVE_INFINITY) + (option?.height ?? 0)).toBeLessThan(860 - 56);
      expect(await cards.first().innerText()).toContain('w1 asks: Which name shall file 1 have?');
      const moves = await page.evaluate<object>(`(${MOVES})(4000)`);
      expect(moves).toEqual({ shifts: 0, animations: 0, changes: [] });
      expect(changing).toBeDefined();
      await page.context().close();
    },
  );

  test('given 50 changes a second, when a person goes by keys alone, then the focus stays where it is put, and a worker is found, opened and left', async () => {
    await using changing = keepChanging(fleet.client, { workers: WORKERS, perSecond: 50 });
    const { page } = await openPage(fleet, fleet.url);
    await paintedAt(page);

    await page.keyboard.press('n');
    await page.keyboard.press('n');
    expect(await focused(page)).toContain('w2 asks');
    await page.evaluate(`(${MOVES})(2000)`);
    expect(await focused(page)).toContain('w2 asks');
    await page.keyboard.press('/');
    await page.keyboard.type('w417');
    await page.getByRole('rowheader', { name: 'w417' }).waitFor();
    await page.keyboard.press('Tab');
    while (!(await focused(page)).startsWith('w417')) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'w417' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await page.getByRole('heading', { name: `${QUESTIONS} need you` }).waitFor();
    expect(changing).toBeDefined();
  });
});

function focused(page: Page): Promise<string> {
  return page.evaluate<string>("document.activeElement?.textContent ?? ''");
}
