// Do a few hundred odd inputs leave the coordinator as it was? `npm run fuzz` tries as many as asked for.
import { openTestDatabase } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { fuzz } from './run.ts';

test('given 600 odd inputs of one seed, when they come to the port, then no process ends and honest people and machines are served', async () => {
  await using database = await openTestDatabase();

  const sum = await fuzz({ databaseUrl: database.connectionString, seed: 75, inputs: 600 });

  expect(sum).toMatchObject({ tried: 600, honest: 2, exits: [], problems: [], errors: [] });
  // They reach what they are to try: served, refused, and as a WebSocket.
  expect([101, 200, 400, 401, 403].filter((status) => sum.statuses[status] === undefined)).toEqual([]);
});
