/** Journeys of people while something breaks: a dialog that goes away, a machine that falls silent, a coordinator that is killed. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../fleet/place.ts';
import { paneOf } from '../../apps/cli/tests/support/pane.ts';
import { SecondMachine } from '../fleet/second-machine.ts';
import { faultsOf, IS_MISSING, MARK } from './browser.ts';
import { Stage } from './stage.ts';

const PROJECT = 'demo-drover';

describe.skipIf(IS_MISSING)(`${MARK}the dashboard, while something breaks`, () => {
  let stage: Stage;
  beforeAll(async () => {
    const coordinator = `port = ${await freePort()}\nsuspect_after_secs = 6\ndisconnected_after_secs = 8\n`;
    stage = await Stage.open({ toml: `[defaults]\nprofile = "sim"\n[coordinator]\n${coordinator}` });
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  test('given an answer on its way, when the dialog goes and another comes, then the answer is refused where it was given, and what is asked now is answered', async () => {
    await stage.worker('abel');
    const ask = 'ASK Which name? | short | long; ASK Which place? | here | there';
    await stage.task('abel', `${ask}; WRITE a.txt x; COMMIT abel`, 'needs_input');
    const { page, problems } = await stage.window();
    const card = page.getByRole('article').filter({ hasText: 'abel asks' });
    await page.route('**/trpc/escalations.resolve', async (route) => {
      const { socket } = await paneOf(stage.user, 'abel');
      await promisify(execFile)('tmux', ['-S', socket, 'send-keys', '-t', '=drover-abel:', 'Enter']);
      await card.filter({ hasText: 'Which place?' }).waitFor();
      await route.continue();
    });

    await card.getByRole('button', { name: /long/u }).click();

    await card.filter({ hasText: 'Which name?' }).getByText('“long” was not taken').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.unroute('**/trpc/escalations.resolve');
    await card.getByRole('button', { name: /there/u }).click();
    await page.getByText('✓ went on').waitFor();
    expect(problems).toEqual([]);
  });

  test('given a machine that falls silent, when it counts as lost, then one card says so, its workers are hatched, and all of it goes when the machine is back', async () => {
    await using server = await SecondMachine.join(stage.user, stage.up);
    for (const name of ['mary', 'nora']) await stage.user.done('add', name, '--machine', 'server');
    for (const name of ['mary', 'nora']) await stage.user.until(name, 'idle');
    const { page, problems } = await stage.window();
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'mary' }) });
    await row.waitFor();
    expect(await row.getByText('not known to be current').count()).toBe(0);

    await server.kill();

    const card = page.getByRole('article').filter({ hasText: 'server: the machine is silent' });
    await card.getByText('mary, nora').waitFor();
    await row.getByText('not known to be current').waitFor({ state: 'attached' });
    expect(await card.count()).toBe(1);
    expect(await faultsOf(page)).toEqual([]);
    await stage.goto(page, '/machines', /2 machines/u);
    await page.getByRole('article').filter({ hasText: 'server' }).getByText('silent', { exact: true }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await server.start();
    await page.getByRole('article').filter({ hasText: 'server' }).getByText('connected', { exact: true }).waitFor();
    await page.getByRole('link', { name: /Inbox/u }).click();
    await row.getByText('not known to be current').waitFor({ state: 'detached' });
    expect(await card.count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('given words that are written, when the coordinator is killed and comes back, then the words are there, and are sent once the line is back', async () => {
    await stage.worker('olga');
    await stage.task('olga', 'ASKTEXT Which port shall it be?', 'needs_input');
    // The token of `drover up` ends with its process.
    const { page: other } = await stage.window();
    const { page, problems } = await stage.windowOf('olaf', 'operator');
    await page.goto(`${stage.url}/workers/${PROJECT}/olga`);
    const draft = page.getByLabel('Message to the agent');
    await draft.fill('SAY port 8080');

    await stage.killAndStart();

    await page.getByRole('banner').getByText('live', { exact: true }).waitFor();
    expect(await draft.inputValue()).toBe('SAY port 8080');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('✓ accepted → delivered').waitFor();
    expect(await draft.inputValue()).toBe('');
    expect(await faultsOf(page)).toEqual([]);
    await other.getByText('This browser is not signed in any more').waitFor();
    expect(problems).toEqual([]);
  });

  test('given a phone that slept, whose lines are dead and never closed, when its page is shown again, then fleet and pane are live', async () => {
    await stage.worker('pia');
    const { page, problems } = await stage.window();
    const dead = new Set<WebSocketRoute>();
    const lines = new Set<WebSocketRoute>();
    await page.routeWebSocket(/\/(live|terminal)/u, (line) => {
      lines.add(line);
      const server = line.connectToServer();
      server.onMessage((message) => (dead.has(line) ? undefined : line.send(message)));
      server.onClose(() => (dead.has(line) ? undefined : line.close()));
      line.onMessage((message) => (dead.has(line) ? undefined : server.send(message)));
    });
    await stage.goto(page, `/workers/${PROJECT}/pia?tab=pane`, /pia/u);
    const pane = page.getByLabel(`The pane of ${PROJECT}/pia`).locator('pre');
    await pane.waitFor();

    for (const line of lines) dead.add(line);
    await stage.task('pia', 'SAY these words come after the sleep', 'needs_input');

    await expect
      .poll(() => page.evaluate('dispatchEvent(new Event("online"))').then(() => pane.textContent()), {
        timeout: 120_000,
      })
      .toContain('these words come after the sleep');
    await page.getByText(/^live, \d+ columns/u).waitFor();
    await page.getByRole('banner').getByText('live', { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });
});
