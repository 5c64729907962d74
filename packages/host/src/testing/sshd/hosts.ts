/** Hosts over a server of the tests, by either carrier. */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { systemClock } from '@drover/base';

import type { Carrier } from '../../ssh/carrier.ts';
import { connectOpenssh } from '../../ssh/carriers/openssh-carrier.ts';
import { connectSsh2, offerKeys } from '../../ssh/carriers/ssh2-carrier.ts';
import { createSshHost, type SshHost } from '../../ssh/ssh-host.ts';
import type { TestSshd } from './sshd.ts';

/** Fields of a server that reaching it needs. */
export type Reached = Pick<TestSshd, 'directory' | 'user' | 'port' | 'keyFile' | 'hostKey'>;

export interface ReachOptions {
  readonly carrier?: 'ssh2' | 'openssh';
  /** Default: the server's own. A proxy has another. */
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly epoch?: number;
  /** Default: one for each server. A gateway that comes ends what others of the same machine have left, on any server of this user. */
  readonly machine?: string;
  readonly hostId?: string;
  readonly others?: ReadonlyMap<string, string>;
}

/** Names and secrets as Drover makes them. */
export function newSecret(): string {
  return randomBytes(16).toString('hex');
}

/** A host that is not opened yet. */
export function sshHostOn(sshd: Reached, options: ReachOptions = {}): SshHost {
  const { env = {}, epoch = 1, machine = basename(sshd.directory), hostId, others = new Map() } = options;
  return createSshHost({
    connect: () => reach(sshd, options),
    machine,
    epoch,
    hostId,
    others: () => others,
    env,
    clock: systemClock,
    chance: Math.random,
    newSecret,
  });
}

export function reach(sshd: Reached, { carrier = 'ssh2', port = sshd.port }: ReachOptions = {}): Promise<Carrier> {
  return carrier === 'ssh2' ? bySsh2(sshd, port) : byOpenssh(sshd, port);
}

async function bySsh2(sshd: Reached, port: number): Promise<Carrier> {
  // Reads the key before there is a socket: an error of the socket has a listener only once the library has it.
  const key = await readFile(sshd.keyFile);
  const { carrier } = await connectSsh2({
    socket: connect({ host: '127.0.0.1', port, noDelay: true }),
    user: sshd.user,
    trusts: (key) => key.toString('base64') === sshd.hostKey.split(' ')[1],
    login: offerKeys(sshd.user, { keys: [key] }),
  });
  return carrier;
}

async function byOpenssh(sshd: Reached, port: number): Promise<Carrier> {
  const known = join(sshd.directory, `known-${port}`);
  await writeFile(known, `[127.0.0.1]:${port} ${sshd.hostKey}\n`);
  const options = ['-F', 'none', '-i', sshd.keyFile, '-o', 'IdentitiesOnly=yes', '-o', `UserKnownHostsFile=${known}`];
  return connectOpenssh({
    destination: [...options, '-p', String(port), `${sshd.user}@127.0.0.1`],
    socket: join(sshd.directory, `c-${newSecret().slice(0, 8)}`),
    env: process.env,
    clock: systemClock,
  });
}
