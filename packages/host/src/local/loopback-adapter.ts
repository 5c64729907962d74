/** Asks a program on this machine over HTTP, and finds a free port for one. */
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';

import type { Loopback } from '../port/machine.ts';

/** Milliseconds for an answer: programs on loopback take a few. */
const ANSWER_MS = 1_000;

/** Loopback address of this machine. */
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
  getText(port, path, { user, password }) {
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    const signal = AbortSignal.timeout(ANSWER_MS);
    // Loads by neither `import` nor `fetch`: docs/adr/0027-one-package-and-small-processes.md.
    const { request } = process.getBuiltinModule('node:http');
    const answer = new Promise<string | undefined>((resolve, reject) => {
      const asked = { host: '127.0.0.1', port, path, headers: { authorization }, agent: false, signal } as const;
      const sent = request(asked, (response) => {
        if (response.statusCode === 200) text(response).then(resolve, reject);
        else {
          response.destroy();
          resolve(undefined);
        }
      });
      sent.on('error', reject);
      sent.end();
    });
    return answer.catch((): undefined => undefined);
  },
};
