/** The invitation of a machine names the address by which machines reach the coordinator. */
import { createMemoryStore, MemoryDatabase } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { testContext } from '../../src/testing/context.ts';
import { invite } from '../../src/use-cases/machines/machines.ts';

test.each([['https://drover.example.com'], [undefined]])(
  'given the public address %s, when a machine is invited, then the invitation names that or none',
  async (publicUrl) => {
    const store = createMemoryStore({
      database: new MemoryDatabase(),
      sleep: () => Promise.resolve(),
      random: () => 0,
    });
    const ctx = testContext({ store, ...(publicUrl !== undefined && { publicUrl }) });

    expect(await invite(ctx, 1_000)).toMatchObject({ url: publicUrl ?? null });
  },
);
