/** A coordinator finds its port taken by another program. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { openTestDatabase } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { replica } from '../support/coordinator.ts';

test('given a port that another program has, when a coordinator may take another one, then it serves there and says so', async () => {
  await using stack = new AsyncDisposableStack();
  const other = createServer().listen(0, '127.0.0.1');
  stack.defer(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { connectionString } = stack.use(await openTestDatabase());
  const said: string[] = [];

  const coordinator = stack.use(
    await replica(connectionString, { port, otherPorts: [0], log: (_level, message) => void said.push(message) }),
  );

  expect(coordinator.port).not.toBe(port);
  expect((await fetch(`${coordinator.url}/healthz`)).status).toBe(200);
  expect(said).toContain(`Another program listens on port ${port}: the coordinator takes port ${coordinator.port}`);
});
