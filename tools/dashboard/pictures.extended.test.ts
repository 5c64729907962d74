/**
 * Takes a picture of each page, light and dark, on a phone and on a wide screen, of a fleet in many states, and looks for faults of
 * accessibility on each. `npm run pictures` keeps them in the directory that PICTURES names.
 */
import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOf, IS_MISSING, MARK } from './browser.ts';
import { Stage } from './stage.ts';

const PLACE = process.env['PICTURES'] ?? path.join(os.tmpdir(), 'pictures');

const VIEWS = [
  { name: 'light', width: 1_280, theme: 'light' },
  { name: 'dark', width: 1_280, theme: 'dark' },
  { name: 'phone', width: 360, theme: 'light' },
  { name: 'phone-dark', width: 360, theme: 'dark' },
  { name: 'wide', width: 2_560, theme: 'light' },
] as const;

/** Pages, and what shows that they are drawn. */
const PAGES: Readonly<Record<string, { readonly path: string; readonly ready: (page: Page) => Promise<void> }>> = {
  inbox: {
    path: '/',
    ready: async (page) => {
      await page.getByRole('heading', { name: /need you/u }).waitFor();
      await page.getByText('The screen').first().click();
    },
  },
  worker: { path: '/workers/demo-drover/beth', ready: (page) => page.getByText('live,').waitFor() },
  timeline: {
    path: '/workers/demo-drover/cleo?tab=timeline',
    ready: (page) => page.getByText('ago').first().waitFor(),
  },
  changes: {
    path: '/workers/demo-drover/adam?tab=changes',
    ready: (page) => page.getByText('What git says').waitFor(),
  },
  reviews: { path: '/review', ready: (page) => page.getByRole('heading', { name: 'to review' }).waitFor() },
  review: { path: '/review/demo-drover/cleo', ready: (page) => page.getByText('turn the direction').waitFor() },
  machines: { path: '/machines', ready: (page) => page.getByRole('heading', { name: '1 machine' }).waitFor() },
};

/** Runs in the page: pixels that it is wider than the screen. */
const TOO_WIDE = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

describe.skipIf(IS_MISSING)(`${MARK}pictures`, () => {
  let stage: Stage;
  beforeAll(async () => {
    await mkdir(PLACE, { recursive: true });
    stage = await Stage.open();
    for (const name of ['adam', 'beth', 'cleo', 'dora']) await stage.worker(name);
    await stage.task('adam', 'Make the login page quicker\nWRITE d.txt draft\nHANG', 'working');
    await stage.task(
      'beth',
      'ASK Which database shall the tests use? | a container | the one of the developer',
      'needs_input',
    );
    const code = 'if (isAdmin\u202e) { // check\u2066 first';
    await stage.task(
      'cleo',
      `Check the rights\nWRITE src/rights.ts ${code}\nEDIT a.txt two\nRUN chmod +x a.txt\nCOMMIT rights are checked`,
      'needs_review',
    );
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  test.each(VIEWS)(
    'given the view $name, then no page has a fault, and none is wider than the screen',
    async ({ name, width, theme }) => {
      const { page, problems } = await stage.window({ width, theme });
      const faults: string[] = [];
      for (const [title, { path: place, ready }] of Object.entries(PAGES)) {
        await page.goto(`${stage.url}${place}`);
        await ready(page);
        await page.screenshot({ path: path.join(PLACE, `${title}-${name}.png`) });
        const tooWide = await page.evaluate<number>(TOO_WIDE);
        if (tooWide > 0) faults.push(`${title}: ${tooWide} pixels wider than the screen`);
        faults.push(...(await faultsOf(page)).map((fault) => `${title}: ${fault}`));
      }
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
      await page.screenshot({ path: path.join(PLACE, `palette-${name}.png`) });
      faults.push(...(await faultsOf(page)).map((fault) => `palette: ${fault}`));

      expect(faults).toEqual([]);
      expect(problems).toEqual([]);
    },
  );
});
