/** The way to a server that is given up before it is there. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { systemClock } from '@drover/base';
import { expect, test } from 'vitest';
import { openWay } from './way.ts';

test('given a caller who gives up, when a connection is still being made, then the way ends and the words say so', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const resolved = { host: '127.0.0.1', port, user: 'ada' } as unknown as Parameters<typeof openWay>[1];

  const way = openWay({ env: {}, clock: systemClock, signal: AbortSignal.abort() }, resolved);

  await expect(way).rejects.toThrow(/was not reached: its caller gave up$/u);
  server.close();
});
