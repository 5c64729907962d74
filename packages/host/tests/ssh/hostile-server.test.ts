/** Checks that a server that falls silent, or sends what is no SSH, costs no more than one attempt with a clear error. */
import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { connectSsh2, offerKeys } from '../../src/ssh/carriers/ssh2-carrier.ts';
import { BadLink, sshdProgram, sshHostOn, startSshd } from '../../src/testing/index.ts';
import { needs } from './needs.ts';

/** Milliseconds for handshake and login: a server that says nothing is not waited for longer. */
const READY_MS = 250;
const BANNER = 'SSH-2.0-OpenSSH_9.9\r\n';

/** An attempt to log in. @returns why there is no connection. */
async function attempt(
  port: number,
  { user = 'ada', keys = [] }: { readonly user?: string; readonly keys?: readonly Buffer[] } = {},
): Promise<{ readonly code?: string; readonly message: string }> {
  const made = connectSsh2({
    socket: connect({ host: '127.0.0.1', port, noDelay: true }),
    user,
    trusts: () => true,
    login: offerKeys(user, { keys }),
    readyMs: READY_MS,
  });
  return made.then(
    async ({ carrier }) => {
      await carrier[Symbol.asyncDispose]();
      return { code: 'connected', message: '' };
    },
    (error: unknown) => error as { code?: string; message: string },
  );
}

test.each<[string, (socket: Socket) => void]>([
  ['says nothing', () => {}],
  ['closes at once', (socket) => socket.destroy()],
  ['greets and says no more', (socket) => socket.write(BANNER)],
  [
    'greets and sends noise',
    (socket) => socket.write(Buffer.concat([Buffer.from(BANNER), Buffer.alloc(100_000, 0xfe)])),
  ],
  ['sends one line without an end', (socket) => socket.write(Buffer.alloc(1_000_000, 0x61))],
  ['sends lines without an end', (socket) => socket.write('not ssh\n'.repeat(100_000))],
  ['is a web server', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')],
])(
  'given a server that %s, when it is reached, then the attempt ends as unreachable, and says what was wrong',
  async (_what, greet) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      greet(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();

    const failed = await attempt(typeof address === 'object' ? (address?.port ?? 0) : 0);

    expect(failed).toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/^The server was not reached: ./u),
    });
    server.close();
  },
);

/** A startup file that prints so much. */
function printing(kilobytes: number): string {
  return `head -c ${kilobytes * 1_024} /dev/zero | tr "\\\\0" x\n`;
}

needs('sshd', sshdProgram(), () => {
  describe('a real server', () => {
    test('given a link that falls silent at any point of handshake and login, when a host is reached, then each attempt ends as unreachable', async () => {
      await using sshd = await startSshd();
      const login = { user: sshd.user, keys: [await readFile(sshd.keyFile)] };
      const codes: (string | undefined)[] = [];
      // The banner, the exchange of keys, the login, and at the end all of it.
      for (const bytes of [0, 10, 41, 600, 1_200, 1_600, 1_700, 1_800, 1_900, 2_000]) {
        await using link = await BadLink.to(sshd.port);
        link.silenceAfter(bytes);
        codes.push((await attempt(link.port, login)).code);
      }

      expect(codes.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'unreachable'));
      expect(codes.filter((code) => code !== 'unreachable' && code !== 'connected')).toEqual([]);
    });

    test('given startup files that print megabytes, when a host is opened, then it serves below 4 MB, and above the error shows what came', async () => {
      await using sshd = await startSshd();
      await writeFile(join(sshd.home, '.bashrc'), printing(1_000));
      await using host = sshHostOn(sshd);
      await host.open();
      expect(await host.run('echo', ['serves'], { timeoutMs: 60_000 })).toMatchObject({ stdout: 'serves\n' });

      await writeFile(join(sshd.home, '.bashrc'), printing(64_000));
      await using flooded = sshHostOn(sshd, { machine: 'flooded' });

      await expect(flooded.open()).rejects.toMatchObject({
        code: 'no-shell',
        message: expect.stringMatching(/more than 4 MB.*xxxx/u),
      });
    });
  });
});
