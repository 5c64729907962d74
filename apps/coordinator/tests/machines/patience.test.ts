/** Checks how long a person waits for the answer of a machine. On a store in memory. */
import type { Query } from '@drover/protocol';
import { expect, test } from 'vitest';
import { ask } from '../../src/facts/machines/query.ts';
import { emptied, WAITERS } from '../support/placing.ts';

const REVIEW = { kind: 'read-diff', began: 'a'.repeat(40), stat: true } as const satisfies Query;
const SCREEN = { kind: 'read-screen' } as const satisfies Query;

test.each([
  ['a review', REVIEW, 40_000, 46_000],
  ['a screen', SCREEN, 14_000, 16_000],
] as const)(
  'given a machine that is asked for %s, when it is slow, then its command lives as long as the person waits, who is told when the time is over',
  async (_, query, still, over) => {
    const { ctx, nature, two, idle } = await emptied();
    const row = await idle('ada');
    const begun = nature.now;
    let answer: unknown = 'waits';
    const asked = ask(ctx, WAITERS, { row, query }).then((said) => (answer = said));
    const question = () => [...two.database.outbox.values()].find(({ body }) => body.kind === 'query');
    await expect.poll(question).toBeDefined();

    nature.now = begun + still;
    await wake();
    const during = answer;
    nature.now = begun + over;
    await expect.poll(() => wake().then(() => answer)).not.toBe('waits');
    await asked;

    expect(during).toBe('waits');
    expect(answer).toMatchObject({ kind: 'failed', code: 'no-answer' });
    expect(question()?.timeoutMs).toBeGreaterThan(still);
  },
);

/** Lets those who wait read again. */
async function wake(): Promise<void> {
  WAITERS.commands.wake('*');
  await new Promise((resolve) => setImmediate(resolve));
}
