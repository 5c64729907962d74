/** Checks that only the machine that was meant is reached, and only with keys that may log in. */
import { execFileSync, spawn } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@drover/base';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { createLocalHost } from '../../src/index.ts';
import {
  connectTo,
  type ConnectOptions,
  type ConnectTools,
  fingerprintOf,
  readShownKey,
  type HostKey,
} from '../../src/ssh/index.ts';
import type { Carrier } from '../../src/ssh/carrier.ts';
import { sshdProgram, startSshd, type TestSshd } from '../../src/testing/index.ts';
import { newSecret } from '../../src/testing/sshd/hosts.ts';
import { needs } from './needs.ts';

const OTHER: HostKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE1wUm0tLm5vdC1hLWtleS1vZi1hbnktaG9zdC1oZXJl';

needs('sshd', sshdProgram(), () => {
  let sshd: TestSshd;
  beforeAll(async () => {
    sshd = await startSshd({ lines: ['LogLevel VERBOSE'], moreHostKeys: ['ecdsa'] });
  });
  afterAll(() => sshd[Symbol.asyncDispose]());

  test('given a host that was never seen, when its key is looked at, then its fingerprint is told and nothing logs in', async () => {
    const before = sshd.log().split('Accepted').length;

    const shown = await readShownKey(tools(), await options({}));

    expect(shown).toEqual({ key: sshd.hostKey, trust: 'unknown' });
    const printed = execFileSync('ssh-keygen', ['-lf', join(sshd.directory, 'host_key.pub')], { encoding: 'utf8' });
    expect(printed).toContain(fingerprintOf(shown.key));
    expect(sshd.log().split('Accepted').length).toBe(before);
    for (const carrier of ['ssh2', 'openssh'] as const) {
      const made = connectTo(tools(), await options({ carrier }));
      await expect(made).rejects.toMatchObject({ code: 'host-key-unknown', fingerprint: fingerprintOf(shown.key) });
    }
  });

  test('given a hashed known_hosts, when the host in it is reached, then it is trusted, and all its keys are proved', async () => {
    const known = join(sshd.directory, 'hashed');
    await writeFile(known, `[127.0.0.1]:${sshd.port} ${sshd.hostKey}\n`);
    execFileSync('ssh-keygen', ['-Hf', known], { stdio: 'ignore' });

    const { carrier, provenKeys } = await connectTo(tools(), await options({ knownHosts: known }));
    onTestFinished(() => carrier[Symbol.asyncDispose]());

    await expect.poll(() => provenKeys().length).toBe(2);
    expect(provenKeys()).toContain(sshd.hostKey);
    expect(await readFile(known, 'utf8')).not.toContain('127.0.0.1');
  });

  test.each(['ssh2', 'openssh'] as const)(
    'given pinned keys, when the host shows one of them, then it is reached by %s, and with another the machine stops',
    async (carrier) => {
      const made = await connectTo(tools(), await options({ carrier, pinned: [sshd.hostKey as HostKey] }));
      await made.carrier[Symbol.asyncDispose]();

      const changed = connectTo(tools(), await options({ carrier, pinned: [OTHER] }));

      const fingerprint = fingerprintOf(sshd.hostKey as HostKey);
      await expect(changed).rejects.toMatchObject({ code: 'host-key-changed', retry: false, fingerprint });
    },
  );

  test('given a pinned key of a kind that the host has no more, when it is reached, then its key counts as changed', async () => {
    const rsa: HostKey = 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQ';

    const changed = connectTo(tools(), await options({ pinned: [rsa] }));

    await expect(changed).rejects.toMatchObject({ code: 'host-key-changed' });
  });

  test('given a key that the user’s files revoke, when the host shows it, then it is refused', async () => {
    const known = join(sshd.directory, 'revoked');
    await writeFile(known, `@revoked [127.0.0.1]:${sshd.port} ${sshd.hostKey}\n`);

    await expect(connectTo(tools(), await options({ knownHosts: known }))).rejects.toThrow(/revoked/u);
  });

  test('given a key with a passphrase, when it is offered, then an agent is needed, and with it the login works', async () => {
    const locked = join(sshd.directory, 'locked');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', 'secret', '-f', locked]);
    await writeFile(join(sshd.directory, 'authorized_keys'), await readFile(`${locked}.pub`), { flag: 'a' });
    const pinned = [sshd.hostKey as HostKey];
    const refused = connectTo(tools(), await options({ pinned, identity: locked }));
    await expect(refused).rejects.toMatchObject({ code: 'no-identity', message: expect.stringContaining('ssh-add') });

    const agent = await startAgent(locked, 'secret');
    const { carrier } = await connectTo(tools({ SSH_AUTH_SOCK: agent }), await options({ pinned, identity: locked }));

    await carrier[Symbol.asyncDispose]();
  });

  test('given a key that the host does not know, when it is offered, then the login is denied', async () => {
    const stranger = join(sshd.directory, 'stranger');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', stranger]);
    const pinned = [sshd.hostKey as HostKey];

    for (const carrier of ['ssh2', 'openssh'] as const) {
      const made = connectTo(tools(), await options({ pinned, carrier, identity: stranger }));
      await expect(made).rejects.toMatchObject({ code: 'denied', retry: false });
    }
  });

  test('given a key of the user that an authority has signed, when the host takes only such keys, then it is reached by openssh without being told to', async () => {
    await using server = await startSshd({ userAuthority: true });
    const signed = { pinned: [server.hostKey as HostKey], identity: server.keyFile };
    const { destination, ...rest } = await options(signed);
    const there = { ...destination, port: server.port };

    const { carrier } = await connectTo(tools(), { ...rest, destination: there });

    expect(await saidBy(carrier, 'echo signed')).toBe('signed\n');
    await carrier[Symbol.asyncDispose]();
    const bySsh2 = connectTo(tools(), { ...rest, destination: there, carrier: 'ssh2' });
    await expect(bySsh2).rejects.toMatchObject({ code: 'denied' });
  });

  test('given a server that exchanges keys by a post-quantum way only, when it is added, then its key is told, and it is reached by openssh without being told to', async () => {
    await using server = await startSshd({ lines: ['KexAlgorithms sntrup761x25519-sha512@openssh.com'] });
    const { destination } = await options({ identity: server.keyFile });
    const there = { ...destination, port: server.port };

    const shown = await readShownKey(tools(), { destination: there, pinned: [] });
    const { carrier } = await connectTo(tools(), { destination: there, pinned: [shown.key] });

    expect(shown).toEqual({ key: server.hostKey, trust: 'unknown' });
    expect(await saidBy(carrier, 'echo reached')).toBe('reached\n');
    await carrier[Symbol.asyncDispose]();
  });

  test('given a key file that is not there, when a person names it, then that is said, and no other key is offered', async () => {
    const missing = join(sshd.directory, 'no such key');
    const before = sshd.log().length;
    const known = { pinned: [sshd.hostKey as HostKey], identity: missing };

    for (const carrier of ['ssh2', 'openssh'] as const) {
      const made = connectTo(tools(), await options({ ...known, carrier, configured: sshd.keyFile }));
      await expect(made).rejects.toMatchObject({ code: 'no-identity', message: expect.stringContaining(missing) });
    }
    await expect(readShownKey(tools(), await options(known))).rejects.toMatchObject({ code: 'no-identity' });
    expect(sshd.log().slice(before)).not.toContain('Accepted');
  });

  test('given a host behind another one, when it is reached through that, then commands run', async () => {
    const known = join(sshd.directory, 'of-jump');
    await writeFile(known, `[127.0.0.1]:${sshd.port},[localhost]:${sshd.port} ${sshd.hostKey}\n`);
    const jump = `${sshd.user}@127.0.0.1:${sshd.port}`;
    const { destination, ...rest } = await options({ knownHosts: known, jump });

    const { carrier } = await connectTo(tools(), {
      ...rest,
      destination: { ...destination, name: `${sshd.user}@localhost` },
    });

    expect(await saidBy(carrier, 'echo through')).toBe('through\n');
    await carrier[Symbol.asyncDispose]();
  });

  test.each(['ssh2', 'openssh'] as const)(
    'given a host behind one whose key is not known, when it is reached by %s, then that one is named with its fingerprint',
    async (carrier) => {
      const jump = `${sshd.user}@127.0.0.1:${sshd.port}`;
      const { destination, ...rest } = await options({ jump, carrier, pinned: [sshd.hostKey as HostKey] });
      const behind = { ...rest, destination: { ...destination, name: `${sshd.user}@localhost` } };

      for (const reach of [connectTo, readShownKey])
        await expect(reach(tools(), behind)).rejects.toMatchObject({
          code: 'misconfigured',
          retry: false,
          message: expect.stringContaining(`:${sshd.port}" shows a key that is not known`),
          fingerprint: fingerprintOf(sshd.hostKey as HostKey),
        });
    },
  );

  test.each(['ssh2', 'openssh'] as const)(
    'given a host that is far away, when it is reached by %s, then bytes are compressed, and not to one that is near',
    async (carrier) => {
      await using server = await startSshd({ lines: ['LogLevel DEBUG1'] });
      const reached = await options({ carrier, pinned: [server.hostKey as HostKey], identity: server.keyFile });
      const destination = { ...reached.destination, port: server.port };

      for (const roundTripMs of [1, 20]) {
        const before = server.log().length;
        const { carrier: made } = await connectTo(tools(), { ...reached, destination, roundTripMs });
        await made[Symbol.asyncDispose]();
        const said = roundTripMs < 20 ? 'compression: none' : 'compression: zlib@openssh.com';
        await expect.poll(() => server.log().slice(before)).toContain(said);
      }
    },
  );

  test('given a name that is an option, when it is resolved, then it is refused and nothing is run', async () => {
    const marker = join(sshd.directory, 'run');
    const made = connectTo(tools(), {
      ...(await options({})),
      destination: { name: `-oProxyCommand=touch ${marker}` },
    });

    await expect(made).rejects.toMatchObject({ code: 'misconfigured' });
    await expect(readFile(marker)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('given a port at which nothing listens, when it is reached, then it says so and may be tried again', async () => {
    const { destination, pinned } = await options({});

    const made = connectTo(tools(), { pinned, destination: { ...destination, port: 1 } });

    await expect(made).rejects.toMatchObject({ code: 'unreachable', retry: true });
  });

  function tools(env: Readonly<Record<string, string>> = {}): ConnectTools {
    const own = { PATH: process.env['PATH'], HOME: sshd.home, ...env };
    return { local: createLocalHost({ env: own }), env: own, clock: systemClock, directory: sshd.directory, newSecret };
  }

  async function options({
    knownHosts = '/dev/null',
    pinned = [],
    identity = sshd.keyFile,
    configured = identity,
    carrier,
    jump,
  }: {
    knownHosts?: string;
    pinned?: readonly HostKey[];
    identity?: string;
    /** The key that the configuration names. */
    configured?: string;
    carrier?: 'ssh2' | 'openssh';
    jump?: string;
  }): Promise<ConnectOptions> {
    const configFile = join(sshd.directory, `config-${newSecret().slice(0, 8)}`);
    const lines = [
      `UserKnownHostsFile ${knownHosts}`,
      'GlobalKnownHostsFile /dev/null',
      `IdentityFile "${configured}"`,
    ];
    await writeFile(configFile, `${lines.join('\n')}\n`);
    const destination = { name: `${sshd.user}@127.0.0.1`, port: sshd.port, identity, jump, configFile };
    return { destination, pinned, carrier };
  }

  /** An agent that holds one key. @returns its socket. */
  async function startAgent(key: string, passphrase: string): Promise<string> {
    const socket = join(sshd.directory, 'agent');
    const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' });
    onTestFinished(() => void agent.kill());
    const ask = join(sshd.directory, 'ask');
    await writeFile(ask, `#!/bin/sh\necho ${passphrase}\n`);
    await chmod(ask, 0o700);
    const env = {
      ...process.env,
      SSH_AUTH_SOCK: socket,
      SSH_ASKPASS: ask,
      SSH_ASKPASS_REQUIRE: 'force',
      DISPLAY: ':0',
    };
    await expect.poll(() => addKey(key, env)).toBe(true);
    return socket;
  }
});

async function saidBy(carrier: Carrier, command: string): Promise<string> {
  const channel = await carrier.open(command);
  const chunks: Buffer[] = [];
  for await (const chunk of channel.output) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString();
}

function addKey(key: string, env: NodeJS.ProcessEnv): boolean {
  try {
    execFileSync('ssh-add', [key], { env, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
