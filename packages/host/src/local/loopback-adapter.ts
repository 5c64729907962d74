/** How is a program on this machine asked over HTTP, and which port may it be given? */
import { createServer } from 'node:net';

import type { Loopback } from '../port/machine.ts';

/** Milliseconds for an answer: programs on loopback take a few. */
const ANSWER_MS = 1_000;

/** That of this machine. */
export const localLoopback: Loopback = {
  freePort: () =>
    new Promise((resolve, reject) => {
      const server = createServer();
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
      });
    }),
  async getText(port, path, { user, password }) {
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    try {
      const signal = AbortSignal.timeout(ANSWER_MS);
      const url = `http://127.0.0.1:${port}${path}`;
      const response = await fetch(url, { headers: { authorization }, redirect: 'error', signal });
      return response.status === 200 ? await response.text() : undefined;
    } catch {
      return undefined;
    }
  },
};
