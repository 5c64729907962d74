import { expect, test } from 'vitest';
import { tickRoute } from './tick.ts';

const SECRET = 'a-secret-of-the-scheduler-0123456789';

/** Calls the route. @returns its answer, and the budgets with which due work was done. */
async function asked(
  path: string,
  { shown = SECRET, tickSecret }: { shown?: string; tickSecret: string | undefined } = { tickSecret: SECRET },
) {
  const budgets: number[] = [];
  const app = tickRoute({
    ctx: { log: () => {} },
    tick: (budgetMs) => {
      budgets.push(budgetMs);
      return Promise.resolve(3);
    },
    tickSecret,
  });
  const response = await app.request(path, { method: 'POST', headers: { authorization: `Bearer ${shown}` } });
  return { status: response.status, body: await response.json(), budgets };
}

test('given the secret, when a scheduler asks, then due work is done and counted', async () => {
  expect(await asked('/tick')).toEqual({ status: 200, body: { done: 3 }, budgets: [5_000] });
  expect(await asked('/tick?budget=250')).toMatchObject({ status: 200, budgets: [250] });
});

test.each([
  ['another secret', { tickSecret: SECRET, shown: 'another-secret-of-no-one-0123456789' }],
  ['no secret in the environment', { tickSecret: undefined, shown: 'undefined-undefined-undefined' }],
])('given %s, when somebody asks, then nothing is done', async (_, given) => {
  expect(await asked('/tick', given)).toMatchObject({ status: 401, budgets: [] });
});

test.each(['-1', '1e3', '25001', 'x', ''])(
  'given the budget %j, when it is asked for, then it is refused',
  async (budget) => {
    const { status, body, budgets } = await asked(`/tick?budget=${budget}`);

    expect({ status, budgets }).toEqual({ status: 400, budgets: [] });
    expect(body).toMatchObject({ message: 'budget: expected milliseconds from 0 to 25000, such as 5000' });
  },
);
