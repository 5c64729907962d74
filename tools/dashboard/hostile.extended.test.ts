/** A fleet in which every text of an agent, a machine or a person tries to be more than text: no page may carry any of it out. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page, Route } from 'playwright-core';
import { faultsOf, IS_MISSING, MARK } from './browser.ts';
import { Stage } from './stage.ts';

/** Elements, a link that runs, text that turns round or does not show, and what a terminal would carry out. No slash: it stands in addresses. */
const PAYLOAD =
  '<img src=x onerror=alert(1)><a href=javascript:alert(1)>\u202e\u2066\u200b\ufeff\u001b[31m\u001b]8;;javascript:alert(1)\u0007';

const SPOILT_DIRK = ['demo-drover', 'dirk'].map((name) => encodeURIComponent(name + PAYLOAD)).join('/');

/** Fields that hold words; every other one is an id, a kind, a number or a time. */
const WORDS = new Set(
  'name project worker machine note prompt branch title body label text message goal why summary report path subject author output command said lines evidence because meaning outcome purpose git pane labels warnings account key waiting stage by flow profile details version tool task role ackedBy'.split(
    ' ',
  ),
);

/** Puts the payload behind every text of an answer. */
function spoilt(value: unknown, field = ''): unknown {
  if (typeof value === 'string') {
    if (field === 'diff') return value.replaceAll(/^\+(?!\+\+).*$/gmu, (line) => line + PAYLOAD);
    return WORDS.has(field) ? value + PAYLOAD : value;
  }
  if (Array.isArray(value)) return value.map((one) => spoilt(one, field));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, spoilt(own, name)]));
}

/** Takes the payload out of what a page asks, so that the coordinator knows the names. */
function clean(text: string): string {
  return text.replaceAll(JSON.stringify(PAYLOAD).slice(1, -1), '');
}

async function answerSpoilt(route: Route): Promise<void> {
  const request = route.request();
  const url = new URL(request.url());
  const input = url.searchParams.get('input');
  if (input !== null) url.searchParams.set('input', clean(input));
  const body = request.postData();
  const response = await route.fetch({ url: url.href, ...(body !== null && { postData: clean(body) }) });
  const answer = (await response.json()) as { result?: { data: unknown } };
  // A signed-in person’s own name is not the fleet’s.
  if (answer.result !== undefined && !url.pathname.includes('session.') && !url.pathname.includes('terminals.'))
    answer.result.data = spoilt(answer.result.data);
  await route.fulfill({ response, json: answer });
}

/** Spoils every answer that the page gets. */
async function spoil(page: Page): Promise<void> {
  await page.route('**/trpc/**', answerSpoilt);
  await page.routeWebSocket(/\/live/u, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => socket.send(JSON.stringify(spoilt(JSON.parse(String(message))))));
  });
  await page.routeWebSocket(/\/terminal/u, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      const given = JSON.parse(String(message)) as { changed?: [number, string][] };
      given.changed?.forEach((row) => (row[1] += PAYLOAD));
      socket.send(JSON.stringify(given));
    });
  });
}

/** Runs in the page: texts, names for those who listen, and tips that hold a character which does not show, and elements that no page draws. */
const MARKS = `(() => {
  const hidden = /[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]/u;
  const marks = [];
  const look = (what, text) => { if (text && hidden.test(text)) marks.push(what + ': ' + text.slice(0, 120)); };
  look('title', document.title);
  for (const one of document.querySelectorAll('body *')) {
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) look(one.tagName + ' ' + name, one.getAttribute(name));
    for (const child of one.childNodes) if (child.nodeType === Node.TEXT_NODE) look(one.tagName, child.data);
    if (/^(IMG|SCRIPT|IFRAME|OBJECT|EMBED|BASE)$/.test(one.tagName) && one.closest('#app')) marks.push('element ' + one.outerHTML.slice(0, 120));
    if (/^\\s*javascript:/i.test(one.getAttribute('href') ?? '')) marks.push('link ' + one.outerHTML.slice(0, 120));
  }
  const tooWide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (tooWide > 0) marks.push(tooWide + ' pixels wider than the screen');
  return marks;
})()`;

describe.skipIf(IS_MISSING)(`${MARK}the dashboard of a hostile fleet`, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open();
    for (const name of ['dirk', 'erna', 'fred', 'gabi']) await stage.worker(name);
    await stage.task('dirk', 'WRITE d.txt draft; SAY all is well; COMMIT dirk', 'needs_review');
    await stage.task('erna', 'ASK Which name? | short | long', 'needs_input');
    // A line of ten million letters, in a file, in what a tool returned and in the pane.
    await stage.task(
      'fred',
      "RUN head -c 10000000 /dev/zero | tr '\\0' x | tee long.txt\nSAY over\nCOMMIT long",
      'needs_review',
    );
    const started = await stage.user.done('run', 'split', 'Move to ESM', '--workers', '2', '--json');
    await stage.user.drover(['run', 'wait', (JSON.parse(started) as { id: string }).id]);
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  test.each([360, 1_280])(
    'given payloads in every text, when each page shows them %i pixels wide, then they are text with marks and nothing else',
    async (width) => {
      const { page, problems } = await stage.window({ width });
      page.on('dialog', (dialog) => {
        problems.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      await spoil(page);
      const [run] = await stage.user.ask<readonly { id: string }[]>(
        `runs.list?input=${encodeURIComponent(JSON.stringify({ all: true, limit: 5 }))}`,
      );
      const [question] = await stage.user.ask<readonly { shortId: string }[]>(
        `escalations.list?input=${encodeURIComponent(JSON.stringify({ all: false, limit: 5, worker: 'erna' }))}`,
      );
      const marks: string[] = [];
      for (const [path, shown] of [
        ['/', 'Which name?'],
        [`/q/${question?.shortId ?? ''}`, 'Which name?'],
        [`/workers/${SPOILT_DIRK}`, 'all is well'],
        [`/workers/${SPOILT_DIRK}?tab=pane`, 'all is well'],
        [`/workers/${SPOILT_DIRK}?tab=changes`, 'What git says'],
        [`/workers/${SPOILT_DIRK}?tab=timeline`, 'command'],
        ['/review', 'dirk'],
        [`/review/${SPOILT_DIRK}`, 'draft'],
        ['/panes', 'all is well'],
        ['/runs', 'Move to ESM'],
        [`/runs/${run?.id ?? ''}`, 'Move to ESM'],
        ['/machines', 'heard'],
      ] as const) {
        await page.goto(`${stage.url}${path}`);
        await page.locator('main').getByText(shown).filter({ visible: true }).first().waitFor();
        await page.locator('main').getByText('<img src=x').filter({ visible: true }).first().waitFor();
        await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
        marks.push(...(await page.evaluate<string[]>(MARKS)).map((mark) => `${path}: ${mark}`));
        marks.push(...(await faultsOf(page)).map((fault) => `${path}: ${fault}`));
      }
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByText('erna').waitFor();
      marks.push(...(await page.evaluate<string[]>(MARKS)).map((mark) => `palette: ${mark}`));
      await page.getByRole('dialog').getByText('Start a task').click();
      await page.getByLabel('Worker').waitFor();
      marks.push(...(await page.evaluate<string[]>(MARKS)).map((mark) => `task: ${mark}`));

      expect(marks).toEqual([]);
      expect(problems).toEqual([]);
    },
  );

  test('given a line of ten million letters in a file, a result and a pane, when each page shows it, then the page answers keys, and shows a cut', async () => {
    const { page, problems } = await stage.window();
    for (const path of [
      '/workers/demo-drover/fred',
      '/workers/demo-drover/fred?tab=pane',
      '/review/demo-drover/fred',
    ]) {
      await page.goto(`${stage.url}${path}`);
      await page
        .getByText(/x{10}|long\.txt/u)
        .filter({ visible: true })
        .first()
        .waitFor();
      expect((await page.content()).length).toBeLessThan(3_000_000);
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys and settings' }).waitFor();
    }
    expect(problems).toEqual([]);
  });
});
