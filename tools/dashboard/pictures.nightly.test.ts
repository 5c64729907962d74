/**
 * Draws each page of a fleet in many states, and looks for faults of accessibility on each: light at the width of a desk, dark at that of
 * a phone. With PICTURES, as `npm run pictures` sets it, in every view, and a picture of each is kept in the directory of that name.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOf, IS_MISSING, MARK } from './browser.ts';
import { Stage } from './stage.ts';

const PLACE = process.env['PICTURES'];

const VIEWS = [
  { name: 'light', width: 1_280, theme: 'light' },
  { name: 'phone-dark', width: 360, theme: 'dark' },
  { name: 'dark', width: 1_280, theme: 'dark' },
  { name: 'phone', width: 360, theme: 'light' },
  { name: 'tablet', width: 768, theme: 'light' },
  { name: 'wide', width: 2_560, theme: 'light' },
] as const;

/** Both themes, and the two widths that lay the pages out most differently. */
const CHECKED = PLACE === undefined ? VIEWS.slice(0, 2) : VIEWS;

interface Pictured {
  readonly path: string;
  /** Waits for what shows that the page is drawn. */
  readonly ready: (page: Page) => Promise<void>;
}

const PAGES: Readonly<Record<string, Pictured>> = {
  inbox: {
    path: '/',
    ready: async (page) => {
      await page.getByRole('heading', { name: /need you/u }).waitFor();
      await page.getByText('The screen').first().click();
    },
  },
  question: {
    path: '/',
    ready: async (page) => {
      const id = await page.evaluate<string>(QUESTION_ID);
      await page.goto(new URL(`/q/${id}`, page.url()).href);
      await page.getByRole('heading', { name: 'A question of beth' }).waitFor();
    },
  },
  conversation: {
    path: '/workers/demo-drover/cleo',
    ready: (page) => page.getByRole('region', { name: 'Words, oldest first' }).getByText('Check the rights').waitFor(),
  },
  pane: { path: '/workers/demo-drover/beth?tab=pane', ready: (page) => page.getByText('live,').waitFor() },
  timeline: {
    path: '/workers/demo-drover/cleo?tab=timeline',
    ready: (page) => page.getByText('ago').first().waitFor(),
  },
  changes: {
    path: '/workers/demo-drover/adam?tab=changes',
    ready: (page) => page.getByText('What git says').waitFor(),
  },
  reviews: { path: '/review', ready: (page) => page.getByRole('heading', { name: 'to review' }).waitFor() },
  review: {
    path: '/review/demo-drover/cleo',
    ready: async (page) => {
      await page.getByText('turn the direction').waitFor();
      await page.locator('[class*="t-keyword"]').first().waitFor();
      const field = page.getByRole('textbox', { name: /^Comment on line 1 of/u });
      const kept = page.getByText('Say which rights');
      if ((await kept.count()) > 0) return;
      await page
        .getByRole('button', { name: /^Comment on line 1/u })
        .last()
        .click();
      await field.fill('Say which rights are checked, and test it.');
      await page.getByRole('button', { name: 'Keep' }).click();
      await kept.waitFor();
    },
  },
  runs: { path: '/runs', ready: (page) => page.getByRole('heading', { name: '1 open run' }).waitFor() },
  run: {
    path: '/runs',
    ready: async (page) => {
      await page.getByRole('link', { name: /Move to ESM/u }).click();
      await page.getByRole('region', { name: 'What the run asks' }).waitFor();
    },
  },
  plan: {
    path: '/runs',
    ready: async (page) => {
      await page.getByRole('link', { name: /Move to ESM/u }).click();
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('form', { name: 'The plan' }).waitFor();
    },
  },
  machines: {
    path: '/machines',
    ready: async (page) => {
      await page.getByRole('heading', { name: '1 machine' }).waitFor();
      await page.getByText('At its limit').waitFor();
    },
  },
  panes: { path: '/panes', ready: (page) => page.getByText('the one of the developer').first().waitFor() },
  fit: {
    path: '/workers/demo-drover/beth?tab=pane',
    ready: async (page) => {
      await page.getByText('live,').waitFor();
      await page.getByRole('button', { name: 'Fit' }).click();
    },
  },
  gone: { path: '/q/abcdef', ready: (page) => page.getByText('There is no such question').waitFor() },
  absent: { path: '/workers/demo-drover/nobody', ready: (page) => page.getByText('There is no worker').waitFor() },
  palette: { path: '/', ready: (page) => opened(page, 'Control+k') },
  keys: { path: '/', ready: (page) => opened(page, '?') },
  task: { path: '/', ready: (page) => pressed(page, 'Start a task') },
  worker: { path: '/', ready: (page) => pressed(page, 'Add a worker') },
  'new-run': {
    path: '/runs',
    ready: async (page) => {
      await pressed(page, 'Start a run');
      await page.getByLabel('The goal').waitFor();
    },
  },
  invitation: { path: '/machines', ready: (page) => pressed(page, 'Invite a machine') },
  'send-back': {
    path: '/review/demo-drover/cleo',
    ready: async (page) => {
      await page.getByText('Say which rights').waitFor();
      await pressed(page, 'Send back with 1 comment');
    },
  },
  'sign-in': { path: '/sign-in', ready: (page) => page.getByRole('heading', { name: 'Sign in' }).waitFor() },
};

/** Opens a dialog by a key. */
async function opened(page: Page, key: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press(key);
  await page.getByRole('dialog').waitFor();
}

/** Opens a dialog by a button. */
async function pressed(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).click();
  await page.getByRole('dialog').waitFor();
}

/** Runs in the page: the id of beth's question. */
const QUESTION_ID =
  "fetch('/trpc/escalations.list?input=' + encodeURIComponent(JSON.stringify({ all: false, limit: 9 }))).then((answer) => answer.json()).then(({ result }) => result.data.find(({ worker }) => worker === 'beth').shortId)";

/** Runs in the page: pixels that it is wider than the screen. */
const TOO_WIDE = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

describe.skipIf(IS_MISSING)(`${MARK}pictures`, () => {
  let stage: Stage;
  beforeAll(async () => {
    if (PLACE !== undefined) await mkdir(PLACE, { recursive: true });
    stage = await Stage.open();
    for (const name of ['adam', 'beth', 'cleo', 'dora', 'emil']) await stage.worker(name);
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
    // Two workers are idle: one of them plans it.
    const started = await stage.user.done('run', 'split', 'Move to ESM', '--workers', '2', '--json');
    // Ends with a code of its own where the run asks a person.
    await stage.user.drover(['run', 'wait', (JSON.parse(started) as { id: string }).id]);
    await stage.task('emil', 'Translate the help\nRATE in 5h', 'working');
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  test.each(CHECKED)(
    'given the view $name, then no page has a fault, and none is wider than the screen',
    async ({ name, width, theme }) => {
      const { page, problems } = await stage.window({ width, theme });
      const faults: string[] = [];
      for (const [title, { path: place, ready }] of Object.entries(PAGES)) {
        await page.goto(`${stage.url}${place}`);
        await ready(page);
        if (PLACE !== undefined) await page.screenshot({ path: path.join(PLACE, `${title}-${name}.png`) });
        const tooWide = await page.evaluate<number>(TOO_WIDE);
        if (tooWide > 0) faults.push(`${title}: ${tooWide} pixels wider than the screen`);
        faults.push(...(await faultsOf(page)).map((fault) => `${title}: ${fault}`));
      }

      expect(faults).toEqual([]);
      expect(problems).toEqual([]);
    },
  );
});
