/** A real sshd for tests: on a port of loopback, with its own keys and configuration in a directory of its own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Paths where systems keep sshd: it is not in the PATH of most users, and it starts itself again by its path. */
const SSHD_PLACES = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/usr/bin/sshd'];
const LISTEN_MS = 60_000;

/** Options of a test's server. */
export interface SshdOptions {
  /** Lines for its configuration. */
  readonly lines?: readonly string[];
  /** Logins at once, as in its configuration. Default: 100. */
  readonly maxStartups?: string;
  /** Tells whether an authority signs its key: `ca_config` and `other_ca_config` of its directory are for clients who trust that one, or another. */
  readonly certificate?: boolean;
  /** Tells whether it takes no keys of users but those that an authority has signed, such as its `keyFile`. */
  readonly userAuthority?: boolean;
  /** Login shells: each gets a port of its own, on which commands run as they would for a user who has it. */
  readonly loginShells?: readonly string[];
  /** Tells whether it has a boot id of its own, in the file `boot-id` of its directory. Default: that of the machine of the tests. */
  readonly ownBootId?: boolean;
  /** Kinds of keys that it has beside its first, of the kind `ed25519`. */
  readonly moreHostKeys?: readonly ('ecdsa' | 'rsa')[];
}

/** A server that runs. */
export interface TestSshd extends AsyncDisposable {
  readonly directory: string;
  readonly user: string;
  readonly port: number;
  /** The port of a login shell. */
  portOf(loginShell: string): number;
  /** The file of a key that may log in. */
  readonly keyFile: string;
  /** The public key of the server, as in `known_hosts` after the host's name. */
  readonly hostKey: string;
  /** Home directory of the users who log in. */
  readonly home: string;
  readonly process: ChildProcess;
  /** Kills the processes that serve the connections, as a fault of the machine would. */
  killSessions(): Promise<void>;
  /** @returns the processes that serve the connections, which were sent the signal. */
  signalSessions(signal: NodeJS.Signals): readonly number[];
  readonly log: () => string;
}

/** The path of sshd, or undefined where it is not installed. */
export function sshdProgram(): string | undefined {
  return SSHD_PLACES.find((place) => existsSync(place));
}

/** The path of a program of this machine, or undefined. */
export function programPath(name: string): string | undefined {
  const places = (process.env['PATH'] ?? '').split(':').map((place) => join(place, name));
  return [...places, `/usr/sbin/${name}`].find((place) => existsSync(place));
}

/** Starts it. @throws when it does not listen in time. */
export async function startSshd({
  lines = [],
  maxStartups = '100',
  certificate = false,
  userAuthority = false,
  loginShells = [],
  moreHostKeys = [],
  ownBootId = false,
}: SshdOptions = {}): Promise<TestSshd> {
  const program = sshdProgram();
  if (program === undefined) throw new Error('sshd is not installed: install openssh-server');
  // The path is short: the path of a control socket below it has to fit.
  const directory = await mkdtemp(join(tmpdir(), 'dsshd-'));
  const home = join(directory, 'home');
  await mkdir(home);
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  for (const key of ['host_key', 'key'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(directory, key)]);
  for (const kind of moreHostKeys)
    execFileSync('ssh-keygen', ['-q', '-t', kind, '-N', '', '-f', join(directory, `host_key_${kind}`)]);
  await writeFile(join(directory, 'authorized_keys'), await readFile(join(directory, 'key.pub')));
  const [port = 0, ...shellPorts] = await freePorts(1 + loginShells.length);
  const matches = loginShells.flatMap((shell, at) => [
    `Match LocalPort ${shellPorts[at]}`,
    `  ForceCommand exec ${shell} -c "$SSH_ORIGINAL_COMMAND"`,
  ]);
  const configuration = [
    ...[port, ...shellPorts].map((each) => `Port ${each}`),
    'ListenAddress 127.0.0.1',
    `HostKey ${directory}/host_key`,
    ...moreHostKeys.map((kind) => `HostKey ${directory}/host_key_${kind}`),
    `AuthorizedKeysFile ${directory}/authorized_keys`,
    'PidFile none',
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin yes',
    `MaxStartups ${maxStartups}`,
    ...(certificate ? await signKey(directory) : []),
    ...(userAuthority ? await signUser(directory) : []),
    'PrintMotd no',
    // The tests' own user logs in, and must not use what it has at home; programs find the Node and git of the tests.
    `SetEnv HOME=${home} PATH=${process.env['PATH'] ?? '/usr/bin:/bin'}`,
    ...lines,
    ...matches,
  ];
  await writeFile(join(directory, 'sshd_config'), `${configuration.join('\n')}\n`);
  await appendFile(join(home, '.profile'), ownBootId ? await ownStart(directory) : '');
  const child = spawn(program, ['-D', '-e', '-f', join(directory, 'sshd_config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-20_000)));
  await untilListening(
    port,
    () => child.exitCode !== null,
    () => log,
  );
  const hostKey = (await readFile(join(directory, 'host_key.pub'), 'utf8')).split(' ').slice(0, 2).join(' ');
  return {
    directory,
    user: userInfo().username,
    port,
    portOf: (shell) => shellPorts[loginShells.indexOf(shell)] ?? 0,
    keyFile: join(directory, 'key'),
    hostKey,
    home,
    process: child,
    log: () => log,
    killSessions: () => new Promise((resolve) => resolve(void signalChildren(child.pid ?? 0, 'SIGKILL'))),
    signalSessions: (signal) => signalChildren(child.pid ?? 0, signal),
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once('close', resolve));
      if (child.exitCode === null && child.signalCode === null) {
        // Sessions outlive their server, and hold its output open.
        signalChildren(child.pid ?? 0, 'SIGKILL');
        child.kill('SIGKILL');
        await ended;
      }
      // A program that a session started, a hook of an agent for one, may still write its last file here.
      await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

/** @returns a line for the startup files of its users: their `cat` knows another boot id. */
async function ownStart(directory: string): Promise<string> {
  const programs = join(directory, 'bin');
  await mkdir(programs);
  await writeFile(join(directory, 'boot-id'), 'first\n');
  const asked = `[ "$1" = /proc/sys/kernel/random/boot_id ] && exec /bin/cat ${directory}/boot-id`;
  await writeFile(join(programs, 'cat'), `#!/bin/sh\n${asked}\nexec /bin/cat "$@"\n`, { mode: 0o755 });
  return `PATH=${programs}:$PATH\n`;
}

/** @returns lines for the configuration. */
async function signKey(directory: string): Promise<readonly string[]> {
  for (const name of ['ca', 'other_ca']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(directory, name)]);
    const key = await readFile(join(directory, `${name}.pub`), 'utf8');
    await writeFile(join(directory, `${name}_known`), `@cert-authority [127.0.0.1]:* ${key}`);
    const lines = [`UserKnownHostsFile ${directory}/${name}_known`, 'GlobalKnownHostsFile none'];
    await writeFile(join(directory, `${name}_config`), `${lines.join('\n')}\n`);
  }
  const sign = ['-q', '-s', join(directory, 'ca'), '-I', 'host', '-h', '-n', '127.0.0.1'];
  execFileSync('ssh-keygen', [...sign, join(directory, 'host_key.pub')]);
  return [`HostCertificate ${directory}/host_key-cert.pub`];
}

/** @returns lines for the configuration. */
async function signUser(directory: string): Promise<readonly string[]> {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(directory, 'user_ca')]);
  const sign = ['-q', '-s', join(directory, 'user_ca'), '-I', 'user', '-n', userInfo().username];
  execFileSync('ssh-keygen', [...sign, join(directory, 'key.pub')]);
  await writeFile(join(directory, 'authorized_keys'), '');
  return [`TrustedUserCAKeys ${directory}/user_ca.pub`];
}

/** Ports that were free a moment ago, all at once so that they differ. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve, reject) => {
          server.once('error', reject);
          server.listen(0, '127.0.0.1', () => {
            const address = server.address();
            resolve(typeof address === 'object' && address !== null ? address.port : 0);
          });
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function signalChildren(pid: number, signal: NodeJS.Signals): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  const pids = children.filter((each) => each !== '').map(Number);
  return pids.filter((each) => {
    try {
      return process.kill(each, signal);
    } catch {
      return false; // it ended by itself
    }
  });
}

/** Waits until something listens at a port. */
export async function untilListening(port: number, hasEnded: () => boolean, log: () => string): Promise<void> {
  const deadline = Date.now() + LISTEN_MS;
  for (;;) {
    const answers = await new Promise<boolean>((resolve) => {
      const socket = connect({ host: '127.0.0.1', port });
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (answers) return;
    if (hasEnded() || Date.now() > deadline) throw new Error(`sshd does not listen:\n${log()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
