/** The mailer talks to a server that speaks SMTP on loopback. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createMailer } from './mailer.ts';

const CLOCK = { after: () => () => {} };

test('given a mail, when the server takes it, then it came to that address alone, whatever the subject says', async () => {
  await using server = await smtp();

  await createMailer({ url: server.url, from: 'drover@example.com' }, CLOCK).send({
    to: 'ada@example.com',
    subject: 'hello\r\nBcc: eve@example.com',
    text: 'words\n.\nmore',
  });

  expect(server.said.filter((line) => /^(MAIL|RCPT)/u.test(line))).toEqual([
    'MAIL FROM:<drover@example.com>',
    'RCPT TO:<ada@example.com>',
  ]);
  expect(server.said.filter((line) => line.startsWith('Bcc'))).toEqual([]);
});

test('given a server that refuses, when a mail is sent, then the error is what it said', async () => {
  await using server = await smtp('554 5.7.1 not from you');

  const sending = createMailer({ url: server.url, from: 'drover@example.com' }, CLOCK).send({
    to: 'a@b.example',
    subject: 's',
    text: 't',
  });

  await expect(sending).rejects.toThrow(/554 5.7.1 not from you/);
});

test('given a password and a server without encryption, when a mail is sent, then the password is not', async () => {
  await using server = await smtp();
  const url = server.url.replace('smtp://', 'smtp://drover:geheim@');

  const sending = createMailer({ url, from: 'drover@example.com' }, CLOCK).send({
    to: 'a@b.example',
    subject: 's',
    text: 't',
  });

  await expect(sending).rejects.toThrow(/TLS/i);
  expect(server.said.join('\n')).not.toMatch(/AUTH|geheim|Z2VoZWlt/);
});

test('given a server that says a line now and then and never ends, when a mail is sent, then it fails in the end, and its connection is closed', async () => {
  const [closed, dripped] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const timers: (() => void)[] = [];
  const clock = { after: (_ms: number, run: () => void) => (timers.push(run), () => {}) };
  const server = createServer((socket) => {
    socket.on('error', () => {});
    const drip = setInterval(() => socket.write('220-wait\r\n', () => dripped.resolve()), 5);
    socket.once('close', () => {
      clearInterval(drip);
      closed.resolve();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const mailer = createMailer({ url: `smtp://127.0.0.1:${port}`, from: 'drover@example.com' }, clock);

  const sending = mailer.send({ to: 'a@b.example', subject: 's', text: 't' });
  await dripped.promise;
  for (const ring of timers) ring();
  await expect(sending).rejects.toThrow('within 90 s');

  await closed.promise;
  server.close();
});

test('given a server whose greeting has no end, when a mail is sent, then no more than an answer of it is read', async () => {
  const line = `220-${'x'.repeat(1_000)}\r\n`;
  let written = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    const pour = (): void => {
      while (!socket.destroyed && socket.write(line)) written += line.length;
      socket.once('drain', pour);
    };
    pour();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const mailer = createMailer({ url: `smtp://127.0.0.1:${port}`, from: 'drover@example.com' }, CLOCK);

  await expect(mailer.send({ to: 'a@b.example', subject: 's', text: 't' })).rejects.toThrow(/too large|exceed/iu);

  expect(written).toBeLessThan(32 * 1024 * 1024);
  server.close();
});

/** Starts a server that accepts everything, or answers RCPT otherwise. */
const ANSWERS: Readonly<Record<string, string>> = { QUIT: '221 bye', STARTTLS: '502 no encryption here' };

async function smtp(toRecipient = '250 ok') {
  const said: string[] = [];
  const server = createServer((socket) => {
    let [isData, rest] = [false, ''];
    socket.on('error', () => {});
    socket.write('220 here\r\n');
    socket.on('data', (chunk) => {
      rest += chunk.toString();
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        said.push(line);
        if (isData && line !== '.') continue;
        if (isData) isData = false;
        else if (line === 'DATA') {
          isData = true;
          socket.write('354 go\r\n');
          continue;
        }
        socket.write(`${line.startsWith('RCPT') ? toRecipient : (ANSWERS[line] ?? '250 ok')}\r\n`);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    said,
    url: `smtp://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
