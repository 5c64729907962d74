import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { apiAt, failureOf } from './api.ts';

test('given a network that swallows an answer, when it is late, then the request fails, and does not claim that nothing was done', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  try {
    const failed: unknown = await apiAt(`http://127.0.0.1:${port}`, 20)
      .workers.cancel.mutate({ requestId: 'a', name: 'adam' })
      .catch((error: unknown) => error);

    expect(failureOf(failed)).toEqual({ code: null, message: expect.stringContaining('may or may not have arrived') });
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
});
