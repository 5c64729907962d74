/** Journeys of people through the dashboard, in a real browser against a real fleet of a simulated agent. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOf, IS_MISSING, MARK, openWindow } from './browser.ts';
import { Stage } from './stage.ts';

describe.skipIf(IS_MISSING)(`${MARK}the dashboard`, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  test('given an empty fleet, when a person opens it, adds a worker and starts a task, then the work comes to review, and merges when it is accepted', async () => {
    const { page, problems } = await stage.window();
    expect(page.url()).not.toContain('ticket');
    await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
    await page.getByText('This fleet has no workers yet').waitFor();

    await page.getByRole('button', { name: 'Add a worker' }).click();
    await page.getByLabel('Name').fill('adam');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('rowheader', { name: 'adam' }).waitFor();
    await stage.user.until('adam', 'idle');
    await page.getByRole('button', { name: 'Start a task' }).click();
    await page.getByLabel('What is to be done').fill('WRITE b.txt two words; COMMIT add b');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('article').getByRole('link', { name: 'Review' }).click();
    await page.getByText('+two words').or(page.getByText('two words')).first().waitFor();
    await page.getByRole('button', { name: /^Accept [0-9a-f]{7}$/u }).click();
    await page.getByText('✓ Merged.').waitFor();

    expect(await stage.user.git('show', 'main:b.txt')).toBe('two words');
    expect(await faultsOf(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('given an address that signed a browser in, when it is opened again, then nobody is signed in, and the page says what to do', async () => {
    const address = await stage.ticketAddress();
    const first = await openWindow(stage.browser);
    await first.page.goto(address);
    await first.page.getByRole('navigation', { name: 'Pages' }).waitFor();

    const second = await openWindow(stage.browser);
    await second.page.goto(address);

    await second.page.getByText('This link was used already').waitFor();
    expect([first, second].map(({ page }) => page.url()).filter((url) => url.includes('ticket'))).toEqual([]);
    expect(await second.page.context().cookies()).toEqual([]);
    const [cookie] = await first.page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
    expect([...first.problems, ...second.problems]).toEqual([]);
  });
});
