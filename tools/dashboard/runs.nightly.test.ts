/** A journey of a person through a run: started, its plan edited and started, held up by an account's limit, accepted, all in the browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOf, IS_MISSING, MARK } from './browser.ts';
import { Stage } from './stage.ts';

describe.skipIf(IS_MISSING)(`${MARK}the dashboard, runs`, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open();
    for (const name of ['adam', 'bea', 'cal']) await stage.worker(name);
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  test('given a goal, when a person edits the plan, the account meets its limit and the commit is accepted, then each wait has its reason, each part is merged, and nobody left the browser', async () => {
    const { page, problems } = await stage.window();
    const asks = page.getByRole('region', { name: 'What the run asks' });
    await stage.goto(page, '/runs', /No run is open/u);
    await page.getByRole('button', { name: 'Start a run' }).click();
    await page.getByLabel('Flow').selectOption('split');
    await page.getByLabel('The goal').fill("Move to ESM, and don't break it");
    await page.getByLabel('Workers at the same time').fill('2');
    await page.getByText(String.raw`drover run split 'Move to ESM, and don'\''t break it' --workers 2`).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('heading', { name: /^Move to ESM/u }).waitFor();

    await asks.getByRole('button', { name: 'Start', exact: true }).waitFor();
    await page.getByRole('link', { name: /Inbox/u }).click();
    const card = page.getByRole('article').filter({ hasText: 'Goal: Move to ESM' });
    await card.getByRole('link', { name: 'Open and edit' }).click();
    await asks.getByRole('button', { name: 'Edit' }).click();
    await asks.getByLabel('Paths that it touches').fill('src/one.txt');
    await asks.getByLabel('What is to be done').fill('WRITE src/one.txt one\nCOMMIT Build one');
    await asks.getByRole('button', { name: 'Add a part' }).click();
    const added = asks.getByRole('group', { name: 'Part 2' });
    await added.getByLabel('Title').fill('Part two');
    await added.getByLabel('What is to be done').fill('STEADY\nRATE in 20s\nWRITE src/two.txt two\nCOMMIT Build two');
    await added.getByLabel('Paths that it touches').fill('src/two.txt');
    await page.reload();
    await asks.getByRole('button', { name: 'Edit' }).click();
    expect(await added.getByLabel('Title').inputValue()).toBe('Part two');
    expect(await faultsOf(page)).toEqual([]);
    await asks.getByRole('button', { name: 'Save the plan' }).click();
    await asks.getByText('Part two').waitFor();
    await asks.getByRole('button', { name: 'Start', exact: true }).click();

    const work = page.getByRole('region', { name: 'Work' });
    await work.getByText(/limit/u).first().waitFor();
    await page.getByRole('link', { name: 'Machines' }).click();
    await page.getByText(/^At its limit. Next try in/u).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page
      .getByText(/^Open: /u)
      .first()
      .waitFor();
    await page.goBack();

    await page.getByRole('list', { name: 'Stages' }).getByText('build/2: ').waitFor({ state: 'attached' });
    await asks.getByRole('button', { name: /^Accept [0-9a-f]{7}$/u }).click();
    await page.getByText('✓ Merged as').waitFor();
    await page.getByText('What happened, and why').click();
    await page.getByText('answered "accept"').waitFor();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect(await stage.user.git('show', 'main:src/one.txt')).toBe('one');
    expect(await stage.user.git('show', 'main:src/two.txt')).toBe('two');
    expect(problems).toEqual([]);
  });
});
