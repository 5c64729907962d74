/** Connects to programs on this machine, and finds a free port for one. */
import { createConnection, createServer } from 'node:net';

import type { Loopback } from '../port/machine.ts';

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
  connect: (to) =>
    new Promise((resolve, reject) => {
      const socket = typeof to === 'number' ? createConnection(to, '127.0.0.1') : createConnection(to);
      socket.once('error', reject).once('connect', () => {
        socket.off('error', reject).on('error', () => {});
        resolve(socket.setNoDelay(true));
      });
    }),
};
