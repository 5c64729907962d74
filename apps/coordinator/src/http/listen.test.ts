/** A server finds a port when another program has the wanted one. */
import { createServer, type AddressInfo, type Server } from 'node:net';
import { expect, test } from 'vitest';
import { listenOn } from './listen.ts';

const host = '127.0.0.1';

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

test('given a port that another program has, when others may be tried, then the first free one is taken', async () => {
  await using taken = createServer();
  await listenOn(taken, { host, ports: [0] });
  await using server = createServer();

  await listenOn(server, { host, ports: [portOf(taken), portOf(taken), 0] });

  expect(portOf(server)).not.toBe(portOf(taken));
});

test('given a port that another program has, when it alone may be taken, then it is named in the error', async () => {
  await using taken = createServer();
  await listenOn(taken, { host, ports: [0] });

  const when = listenOn(createServer(), { host, ports: [portOf(taken)] });

  await expect(when).rejects.toMatchObject({
    code: 'port-in-use',
    message: expect.stringContaining(`${portOf(taken)}`),
  });
});
