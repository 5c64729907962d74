/** Functions have no door: the API itself bounds what one request holds. */
import { expect, test } from 'vitest';
import { CALLS_OF_REQUEST_MAX } from '../../src/door/limits.ts';
import { fleetOfTwo } from '../support/fleet-of-two.ts';

test('given a batch of more calls than one request may hold, when no door counts them, then no call is answered', async () => {
  const { app } = await fleetOfTwo();
  const calls = Array.from({ length: CALLS_OF_REQUEST_MAX + 1 }, () => 'info').join(',');

  const answer = await app.request(`/trpc/${calls}?batch=1`, {}, { incoming: { socket: {} } });

  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining('maximum size') } });
});
