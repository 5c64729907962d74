/** Runs Dropbear for tests, on a port of loopback. Dropbear knows only the user's real home, so it runs where another directory lies over that. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

import { freePorts, programPath, untilListening } from './sshd.ts';
import type { Reached } from './hosts.ts';

/** A server that runs. */
export interface TestDropbear extends Reached, AsyncDisposable {
  /** Home of users who log in, as seen from outside. */
  readonly home: string;
}

/** Path of Dropbear; undefined where it is not installed, or the system lets no directory be laid over the user's home. */
export function dropbearProgram(): string | undefined {
  const found = programPath('dropbear');
  return found !== undefined && spawnSync('unshare', [...NAMESPACE, 'true']).status === 0 ? found : undefined;
}

const NAMESPACE = process.getuid?.() === 0 ? ['-m'] : ['-r', '-m'];

/** Starts it. @throws when it does not listen in time. */
export async function startDropbear(): Promise<TestDropbear> {
  const directory = await mkdtemp(join(tmpdir(), 'ddrop-'));
  const home = join(directory, 'home');
  await mkdir(join(home, '.ssh'), { recursive: true, mode: 0o700 });
  const keyFile = join(directory, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', keyFile]);
  await copyFile(`${keyFile}.pub`, join(home, '.ssh/authorized_keys'));
  const made = execFileSync('dropbearkey', ['-t', 'ed25519', '-f', join(directory, 'host_key')], { encoding: 'utf8' });
  const hostKey = /^(ssh-ed25519 \S+)/mu.exec(made)?.[1] ?? '';
  const [port = 0] = await freePorts(1);
  const script = 'mount --bind "$1" "$2" && shift 2 && exec "$@"';
  const server = ['dropbear', '-F', '-E', '-e', '-s', '-p', `127.0.0.1:${port}`, '-r', join(directory, 'host_key')];
  const words = ['sh', '-c', script, 'sh', home, homedir(), ...server, '-P', join(directory, 'pid')];
  const child = spawn('unshare', [...NAMESPACE, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-20_000)));
  await untilListening(
    port,
    () => child.exitCode !== null,
    () => log,
  );
  return {
    directory,
    home,
    user: userInfo().username,
    port,
    keyFile,
    hostKey,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await ended;
      }
      child.stderr.destroy();
      await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}
