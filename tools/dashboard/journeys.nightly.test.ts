/** Further journeys of people through the dashboard: what goes wrong, who may do less, and texts that want to be more than text. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOf, IS_MISSING, MARK } from './browser.ts';
import { Stage } from './stage.ts';

const PROJECT = 'demo-drover';

describe.skipIf(IS_MISSING)(`${MARK}the dashboard, further`, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  test('given an agent that asks, when a person answers by a key, then each step is shown, and the agent went on', async () => {
    await stage.worker('beth');
    await stage.task('beth', 'ASK Which name? | short | long; WRITE c.txt three; COMMIT add c', 'needs_input');
    const { page, problems } = await stage.window();
    const card = page.getByRole('article').filter({ hasText: 'beth' });
    await card.waitFor();
    await card.getByRole('button', { name: /short/u }).first().waitFor();

    await page.keyboard.press('n');
    await page.keyboard.press('1');

    await card.getByText('✓ accepted').waitFor();
    await card.getByText('✓ went on').waitFor();
    await stage.user.until('beth', 'needs_review');
    expect(problems).toEqual([]);
  });

  test('given a question on the page, when another person answers it first, then the card goes, and nothing is typed twice', async () => {
    await stage.worker('abel');
    await stage.task('abel', 'ASK Which name? | short | long; WRITE abel.txt x; COMMIT abel', 'needs_input');
    const { page, problems } = await stage.window();
    const card = page.getByRole('article').filter({ hasText: 'abel asks' });
    await card.waitFor();
    const [question] = await stage.user.ask<readonly { id: string }[]>(
      `escalations.list?input=${encodeURIComponent(JSON.stringify({ all: false, limit: 5, worker: 'abel' }))}`,
    );

    await stage.user.done('answer', question?.id ?? '', '--option', 'short');

    await card.waitFor({ state: 'detached' });
    await stage.user.until('abel', 'needs_review');
    expect(problems).toEqual([]);
  });

  test('given a review on the page, when five comments are sent back at once, then their exact text is shown first, and the receipt is followed until the agent has it', async () => {
    await stage.worker('bert');
    await stage.task(
      'bert',
      String.raw`RUN printf 'a\nb\nc\nd\ne\n' > bert.txt
COMMIT bert`,
      'needs_review',
    );
    const { page, problems } = await stage.window();
    await stage.goto(page, `/review/${PROJECT}/bert`, /Review of bert/u);

    const words = ['one', 'two', 'three', 'four', 'EDIT bert.txt second words; COMMIT again'];
    for (const [at, text] of words.entries()) {
      await page.getByRole('button', { name: new RegExp(`^Comment on line ${at + 1}`, 'u') }).click();
      await page.getByRole('textbox', { name: `Comment on line ${at + 1} of bert.txt` }).fill(text);
      await page.getByRole('button', { name: 'Keep' }).click();
    }
    await page.reload();
    await page.getByText('second words').waitFor();
    await page.getByRole('button', { name: 'Send back with 5 comments' }).click();
    for (const at of words.keys())
      await page
        .getByRole('dialog')
        .getByText(`bert.txt:${at + 1}`)
        .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Send back' }).click();
    await page.getByText('✓ Sent back → delivered').waitFor();

    await page.goto(`${stage.url}/workers/${PROJECT}/bert?tab=pane`);
    await page
      .getByRole('region', { name: /^The pane of/u })
      .getByText('second words')
      .first()
      .waitFor();
    expect(problems).toEqual([]);
  });

  test('given work that was sent back, when it comes again, then the comment stands beside what changed, the viewed mark of the other file stays, and its own falls', async () => {
    await stage.worker('hugo');
    await stage.task('hugo', 'WRITE x.ts const port = 80;; WRITE y.ts const y = 1;; COMMIT hugo', 'needs_review');
    const { page, problems } = await stage.window();
    await stage.goto(page, `/review/${PROJECT}/hugo`, /Review of hugo/u);
    const file = (name: string) => page.getByRole('region', { name, exact: true });
    await file('x.ts').locator('[class*="t-keyword"]').first().waitFor();
    await page.keyboard.press(']');
    await page.keyboard.press('n');
    await page.keyboard.press('c');
    await page.keyboard.type('EDIT x.ts const port = 8080;; COMMIT another port');
    await page.getByRole('button', { name: 'Keep' }).click();
    for (const name of ['x.ts', 'y.ts']) await file(name).getByRole('checkbox', { name: 'Viewed' }).check();
    expect(await faultsOf(page)).toEqual([]);
    await page.locator('h1').click();
    await page.keyboard.press('Shift+R');
    await page.getByRole('dialog').getByRole('button', { name: 'Send back' }).click();
    await page.getByText('✓ Sent back').waitFor();

    await stage.user.until('hugo', 'needs_review');
    await stage.goto(page, `/review/${PROJECT}/hugo`, /Review of hugo/u);
    const asked = page.getByRole('region', { name: 'What you asked for' });
    await asked.getByText('8080').last().waitFor();
    await asked.getByText('There it says now').waitFor();
    expect(await file('x.ts').getByRole('checkbox', { name: 'Viewed' }).isChecked()).toBe(false);
    expect(await file('y.ts').getByRole('checkbox', { name: 'Viewed' }).isChecked()).toBe(true);
    await page.getByText('changed since you looked').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('given a review on the page, when the work changes meanwhile, then it cannot be accepted before it is loaded again', async () => {
    await stage.worker('carl');
    await stage.task('carl', 'WRITE carl.txt one; COMMIT carl', 'needs_review');
    const { page, problems } = await stage.window();
    await stage.goto(page, `/review/${PROJECT}/carl`, /Review of carl/u);
    const accept = page.getByRole('button', { name: /^Accept / });
    expect(await accept.getAttribute('aria-disabled')).toBe('false');

    await stage.user.done('review', 'carl');
    await stage.user.done('reject', 'carl', 'EDIT carl.txt two; COMMIT carl again');

    await page.getByText('The work has changed since you loaded it').waitFor();
    expect(await accept.getAttribute('aria-disabled')).toBe('true');
    await accept.click({ force: true });
    await page.getByRole('button', { name: 'Load what is there now' }).click();
    await page.getByText('carl again').first().waitFor();
    await page.locator('[aria-disabled="false"]', { hasText: /^Accept / }).waitFor();
    expect(await stage.user.git('log', '--format=%s', 'main')).not.toContain('carl');
    expect(problems).toEqual([]);
  });

  test('given a viewer, when the viewer looks, then everything is there to read, no order can be given, and the coordinator refuses one that is forged', async () => {
    const { page, problems } = await stage.windowOf('watcher', 'viewer');
    const start = page.getByRole('button', { name: 'Start a task' });
    await start.waitFor();

    expect(await start.getAttribute('aria-disabled')).toBe('true');
    expect(await start.getAttribute('title')).toContain('your token has the role viewer');
    const forged = await page.evaluate<number>(
      "fetch('/trpc/fleet.down', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ requestId: '01900000-0000-7000-9000-000000000001' }) }).then(({ status }) => status)",
    );
    expect(forged).toBe(403);
    await stage.user.done('auth', 'token', 'revoke', 'watcher');
    await page.getByText('"watcher" was revoked').waitFor();
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await page.getByRole('heading', { name: 'Sign in to Drover' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('given hostile texts in a prompt, a pane, a commit, a name and a diff, when each page shows them, then they are text and nothing else', async () => {
    const script = '<img src=x onerror=alert(1)><script>alert(2)</script>';
    await stage.worker('dirk');
    await stage.task(
      'dirk',
      `${script}\nSAY ${script}\nWRITE <b>bold</b>.html ${script}\nCOMMIT ${script}`,
      'needs_review',
    );
    const { page, problems } = await stage.window();
    page.on('dialog', (dialog) => {
      problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });

    for (const [path, text] of [
      ['/', script],
      [`/workers/${PROJECT}/dirk`, script],
      [`/workers/${PROJECT}/dirk?tab=pane`, script],
      [`/workers/${PROJECT}/dirk?tab=timeline`, script],
      [`/review/${PROJECT}/dirk`, '<b>bold</b>.html'],
    ] as const) {
      await page.goto(`${stage.url}${path}`);
      await page.getByText(text).first().waitFor();
      expect(await page.locator('#app img, #app script, #app code b').count()).toBe(0);
    }
    expect(problems).toEqual([]);
  });

  test('given a phone and the link of a chat card, when it is opened and an answer is tapped, then the agent goes on: two taps; afterwards the link says who answered', async () => {
    await stage.worker('gina');
    await stage.task('gina', 'ASK Which name? | short | long; WRITE g.txt x; COMMIT gina', 'needs_input');
    const { page, problems } = await stage.window({ width: 360 });
    const [question] = await stage.user.ask<readonly { shortId: string }[]>(
      `escalations.list?input=${encodeURIComponent(JSON.stringify({ all: false, limit: 5, worker: 'gina' }))}`,
    );
    const address = `${stage.url}/q/${question?.shortId ?? ''}`;

    await page.goto(address);
    const option = page.getByRole('button', { name: /short/u });
    const box = await option.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect(await faultsOf(page)).toEqual([]);
    await option.click();

    await page.getByText('✓ went on').waitFor();
    await stage.user.until('gina', 'needs_review');
    await page.goto(address);
    await page.getByText('answered “short”').waitFor();
    await page.goto(`${stage.url}/q/abcdef`);
    await page.getByText('There is no such question').waitFor();
    expect(problems).toEqual([]);
  });

  test('given an agent that has worked, when a person reads and searches its conversation, then prompt, answer and folded calls are there, without a secret', async () => {
    await stage.worker('fred');
    await stage.task(
      'fred',
      'WRITE fred.txt ghp_0123456789abcdefghij0123; SAY all is well; COMMIT fred',
      'needs_review',
    );
    const { page, problems } = await stage.window();
    await page.goto(`${stage.url}/workers/${PROJECT}/fred`);
    const talk = page.getByRole('region', { name: 'Words, oldest first' });
    await talk.getByText('all is well').last().waitFor();
    await talk.getByText('[redacted]').first().waitFor();

    const call = talk.getByRole('group').first();
    expect(await call.getAttribute('open')).toBeNull();
    await call.locator('summary').press('Enter');
    await call.locator('pre').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('/');
    await page.keyboard.type('ALL IS');
    await talk.getByText('Everything was searched.').waitFor();

    expect(await talk.getByRole('listitem').count()).toBeGreaterThan(0);
    expect(await page.content()).not.toContain('ghp_0123');
    expect(problems).toEqual([]);
  });

  test('given a page that is open, when the coordinator serves another build, then the page offers to load it, and what was written stays', async () => {
    await stage.worker('ivan');
    const { page, problems } = await stage.window();
    // Stands in for the file of a build that came meanwhile.
    await page.route('**/sign-in', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/index-[\w-]+\.js/u, 'index-other.js');
      await route.fulfill({ response, body });
    });
    await page.goto(`${stage.url}/workers/${PROJECT}/ivan`);
    const draft = page.getByLabel('Message to the agent');
    await draft.fill('words for a new build');
    const offer = page.getByRole('button', { name: 'Reload' });
    await offer.waitFor();
    expect(await faultsOf(page)).toEqual([]);

    await page.unroute('**/sign-in');
    await offer.click();

    await offer.waitFor({ state: 'detached' });
    expect(await draft.inputValue()).toBe('words for a new build');
    expect(problems).toEqual([]);
  });

  test('given a coordinator that is silent, when 15 seconds have passed, then the page says that it is stale and takes no order; the draft stays, and it recovers', async () => {
    await stage.worker('emil');
    await stage.task('emil', 'ASKTEXT Which port shall it be?', 'needs_input');
    const { page, problems } = await stage.window();
    await page.goto(`${stage.url}/workers/${PROJECT}/emil`);
    const draft = page.getByLabel('Message to the agent');
    await draft.fill('words that nobody may lose');
    const { pid } = await stage.user.endpoint();

    process.kill(pid, 'SIGSTOP');
    try {
      await page.getByText('The coordinator is not heard').waitFor();
      expect(await page.getByRole('button', { name: 'Send' }).getAttribute('aria-disabled')).toBe('true');
    } finally {
      process.kill(pid, 'SIGCONT');
    }

    await page.getByText('The coordinator is not heard').waitFor({ state: 'detached' });
    await page.reload();
    await draft.waitFor();
    expect(await draft.inputValue()).toBe('words that nobody may lose');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('✓ accepted → delivered').waitFor();
    expect(await draft.inputValue()).toBe('');
    expect(problems).toEqual([]);
  });
});
