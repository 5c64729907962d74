// Checks that a machine serves on servers that allow little or speak otherwise, or that the error is named.
import { systemClock } from '@drover/base';
import { connectTo, ConnectError } from '@drover/host/ssh';
import { createLocalHost } from '@drover/host';
import { dropbearProgram, newSecret, sshHostOn, startDropbear, startSshd } from '@drover/host/testing';
import { describe, expect, test } from 'vitest';
import { expectServes } from './serves.ts';

const CARRIERS = ['ssh2', 'openssh'] as const;

describe.each(CARRIERS)('carried by %s', (carrier) => {
  test.each([3, 5, 10])(
    'given a server that opens %d channels on a connection, then the machine serves',
    async (most) => {
      await using sshd = await startSshd({ lines: [`MaxSessions ${most}`] });
      await using host = sshHostOn(sshd, { carrier });
      await host.open();

      await expectServes(host, sshd.home);
    },
  );

  test('given keys that are exchanged again after each megabyte, when 8 MB come and go, then nothing is lost', async () => {
    await using sshd = await startSshd({ lines: ['RekeyLimit 1M'] });
    await using host = sshHostOn(sshd, { carrier });
    await host.open();
    const content = 'é\n0123456789abcdef'.repeat(400_000);

    await host.writeFile(`${sshd.home}/8mb`, content);

    expect(Buffer.from((await host.readFile(`${sshd.home}/8mb`)) ?? '').toString() === content).toBe(true);
    await expectServes(host, sshd.home);
  });

  test('given a server that asks each second whether the other side is there, when nothing is done for 4 s, then the connection stays', async () => {
    await using sshd = await startSshd({ lines: ['ClientAliveInterval 1', 'ClientAliveCountMax 1'] });
    await using host = sshHostOn(sshd, { carrier });
    await host.open();
    const states: string[] = [];
    host.link.onChange(({ kind }) => states.push(kind));

    await host.run('sleep', ['4'], { timeoutMs: 60_000 });

    await expectServes(host, sshd.home);
    expect(states).toEqual([]);
  });

  test('given a server that takes one login at a time, when six gateways come at once, then each is served in the end', async () => {
    await using sshd = await startSshd({ maxStartups: '1:100:1' });
    await using stack = new AsyncDisposableStack();
    const hosts = Array.from({ length: 6 }, (_, at) => stack.use(sshHostOn(sshd, { carrier, machine: `m${at}` })));

    await Promise.allSettled(hosts.map((host) => host.open()));

    for (const host of hosts) await expect.poll(() => host.link.state.kind).toBe('up');
  });

  test('given dropbear, then the machine serves', async () => {
    if (dropbearProgram() === undefined) throw new Error('NOT RUN: install dropbear-bin, and allow "unshare -m"');
    await using server = await startDropbear();
    await using host = sshHostOn(server, { carrier });
    const { home } = await host.open();

    await expectServes(host, home);
  });
});

test('given a server that exchanges keys by one post-quantum way only, then ssh2 says to use openssh, and openssh serves', async () => {
  const lines = ['KexAlgorithms sntrup761x25519-sha512@openssh.com'];
  await using sshd = await startSshd({ lines });
  await using far = sshHostOn(sshd, { carrier: 'ssh2' });
  await using host = sshHostOn(sshd, { carrier: 'openssh' });

  await expect(far.open()).rejects.toMatchObject({
    code: 'no-common-method',
    message: expect.stringContaining('openssh'),
  });
  await host.open();
  await expectServes(host, sshd.home);
});

test('given a host whose key an authority signs, then openssh reaches it by itself', async () => {
  await using sshd = await startSshd({ certificate: true });
  const env = { PATH: process.env['PATH'], HOME: sshd.home };
  const { directory, user, port, keyFile } = sshd;
  const tools = { local: createLocalHost({ env }), env, clock: systemClock, directory, newSecret };
  const destination = { name: `${user}@127.0.0.1`, port, identity: keyFile, configFile: `${directory}/ca_config` };

  const { carrier } = await connectTo(tools, { destination, pinned: [] });
  const channel = await carrier.open('echo signed');

  const chunks: Uint8Array[] = [];
  for await (const chunk of channel.output) chunks.push(chunk as Uint8Array);
  expect(Buffer.concat(chunks).toString()).toBe('signed\n');
  await carrier[Symbol.asyncDispose]();
  const other = { ...destination, configFile: `${directory}/other_ca_config` };
  await expect(connectTo(tools, { destination: other, pinned: [] })).rejects.toThrow(ConnectError);
});
