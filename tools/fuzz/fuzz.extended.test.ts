// Sends a few hundred odd inputs and checks that the coordinator stays as it was. `npm run fuzz` sends as many as asked for.
import { openTestDatabase } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { fuzz } from './run.ts';

test('given 600 odd inputs of one seed, when they come to the port, then no process ends and honest people and machines are served', async () => {
  // Inputs reach every kind of answer: served, refused, and as a WebSocket. A loaded machine needs more patience for that.
  const missing = new Set([101, 200, 400, 401, 403]);
  for (const firstMs of [250, 2_000, 20_000]) {
    if (missing.size === 0) break;
    // Each try names its machines anew.
    await using database = await openTestDatabase();
    const sum = await fuzz({ databaseUrl: database.connectionString, seed: 75, inputs: 600, firstMs });
    expect(sum).toMatchObject({ tried: 600, honest: 2, exits: [], problems: [], errors: [] });
    for (const status of Object.keys(sum.statuses)) missing.delete(Number(status));
  }
  expect([...missing]).toEqual([]);
});
