/**
 * Carries commands by the system's `ssh`. A process holds the connection, and another is needed for each channel. `ssh` knows what the library ssh2
 * does not: certificates, FIDO keys, GSSAPI, servers with post-quantum key exchange only.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { Duplex } from 'node:stream';
import { type LocalClock, pause } from '@drover/base';

import { type Carrier, CarrierError, type Channel, type ChannelExit } from '../carrier.ts';
import { endWhenAborted } from '../connect/end-when-aborted.ts';
import { ConnectError } from '../connect/errors.ts';

/** Milliseconds for the handshake and the login together, and between two questions whether they are done. */
const READY_MS = 20_000;
const ASK_EVERY_MS = 20;
/** The status of `ssh` for its own errors. */
const OWN_ERROR = 255;
/** Words of a process whose channel was refused. */
const REFUSAL =
  /open failed|Session open refused|administratively prohibited|Connection refused|mux_client_request_session|stdio forwarding/u;

export interface OpensshOptions {
  /** Options and destination, as on the command line: `-p 2222 -i KEY user@host`. */
  readonly destination: readonly string[];
  /** A path for the socket of the connection, of at most 90 bytes, in a directory that only its owner may enter. */
  readonly socket: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: LocalClock;
  /** Gives the attempt up. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Default: `ssh`. */
  readonly program?: string;
}

const ALWAYS = [
  '-T',
  '-o',
  'BatchMode=yes',
  '-o',
  'StrictHostKeyChecking=yes',
  '-o',
  'ServerAliveInterval=5',
  '-o',
  'ServerAliveCountMax=3',
  '-o',
  'ConnectTimeout=20',
  '-o',
  'ForwardAgent=no',
  '-o',
  'ClearAllForwardings=yes',
  '-o',
  'PermitLocalCommand=no',
  '-o',
  'RemoteCommand=none',
  '-o',
  'LogLevel=ERROR',
];

/** @throws ConnectError `unreachable`, `denied` or `host-key-refused`, in the words of `ssh`. */
export async function connectOpenssh(options: OpensshOptions): Promise<Carrier> {
  const { socket, destination, clock } = options;
  await rm(socket, { force: true });
  const master = start(options, ['-N', '-o', 'ControlMaster=yes', '-o', `ControlPath=${socket}`, ...destination]);
  let words = '';
  master.stderr.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-2_000)));
  master.stdout.resume();
  let isOpen = true;
  let why: string | undefined;
  const closed = new Promise<string>((resolve) => {
    master.once('close', () => {
      isOpen = false;
      resolve(why ?? (words.trim() || 'ssh ended'));
    });
  });
  const end = (reason: string): void => {
    why ??= reason;
    master.kill('SIGKILL');
  };
  using _ = endWhenAborted(options.signal, () => end('Its caller gave up'));
  await isReady(options, { isOpen: () => isOpen, closed }, end).catch(async () => {
    await closed;
    throw whyNot(words);
  });
  const connection: Connection = { options, isOpen: () => isOpen };
  return {
    closed,
    end,
    open: (command) => openChannel(connection, command),
    forward: (to) => forward(connection, to),
    async [Symbol.asyncDispose]() {
      why ??= 'Drover closed the connection';
      master.kill('SIGTERM');
      const cancel = clock.after(2_000, () => master.kill('SIGKILL'));
      await closed;
      cancel();
      await rm(socket, { force: true });
    },
  };
}

/** A master that is up. */
interface Connection {
  readonly options: OpensshOptions;
  readonly isOpen: () => boolean;
}

function start({ env, program = 'ssh' }: OpensshOptions, args: readonly string[]): ChildProcessWithoutNullStreams {
  const known = Object.entries(env).filter(([, value]) => value !== undefined);
  const child = spawn(program, [...ALWAYS, ...args], {
    env: Object.fromEntries(known),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.on('error', () => {}); // not there: it is closed at once, with a status of its own
  child.stdin.on('error', () => {});
  return child;
}

/** The master answers at its socket when the login is done. */
async function isReady(
  options: OpensshOptions,
  { isOpen, closed }: { isOpen: () => boolean; closed: Promise<string> },
  end: (why: string) => void,
): Promise<void> {
  const { clock, socket, destination } = options;
  const deadline = clock.elapsed() + READY_MS;
  for (;;) {
    if (!isOpen()) throw new Error('ssh ended');
    if (clock.elapsed() > deadline) {
      end('The login took more than 20 s');
      throw new Error('too late');
    }
    const asked = start(options, ['-O', 'check', '-o', `ControlPath=${socket}`, ...destination]);
    asked.stdout.resume();
    asked.stderr.resume();
    const status = await new Promise<number | null>((resolve) => asked.once('close', resolve));
    if (status === 0) return;
    await Promise.race([closed, pause(clock, ASK_EVERY_MS)]);
  }
}

/** A process whose channel is refused must not connect by itself. */
function throughMaster(socket: string): readonly string[] {
  return ['-o', 'ControlMaster=no', '-o', `ControlPath=${socket}`, '-o', 'ProxyCommand=false'];
}

async function openChannel({ options, isOpen }: Connection, command: string): Promise<Channel> {
  if (!isOpen()) throw new CarrierError('lost', 'The connection has ended');
  const { socket, destination } = options;
  const child = start(options, [...throughMaster(socket), ...destination, command]);
  let isKilled = false;
  const exit = new Promise<ChannelExit>((resolve) => {
    child.once('close', (status, signal) => {
      // ssh tells by the same status that a signal ended the program and that the connection is lost.
      const isKnown = status !== null && status !== OWN_ERROR && signal === null;
      resolve({ status: isKnown ? status : undefined, signal: undefined });
    });
  });
  // A channel that works is known by the shell's greeting; a refusal ends the process before any.
  let words = '';
  const onWords = (chunk: Buffer): void => void (words = (words + chunk.toString()).slice(-500));
  child.stderr.on('data', onWords);
  const refused = new Promise<CarrierError>((resolve) => {
    child.once('close', () => resolve(new CarrierError(isOpen() ? 'refused' : 'lost', words.trim() || 'ssh ended')));
  });
  const { promise: begun, resolve: begin } = Promise.withResolvers<'begun'>();
  // The end of an output that had nothing is reported in the same way.
  const onReadable = (): void => void (child.stdout.readableLength > 0 && begin('begun'));
  child.stdout.on('readable', onReadable);
  // A startup file may be silent, and wait: readers of the channel give it its time. A refusal comes at once.
  const settled = options.clock.after(CHANNEL_SETTLES_MS, () => begin('begun'));
  const first = await Promise.race([begun, refused]);
  settled();
  child.stdout.off('readable', onReadable);
  child.stderr.off('data', onWords).pause();
  if (first !== 'begun' && (!isOpen() || REFUSAL.test(first.message))) throw first;
  return {
    input: child.stdin,
    output: child.stdout,
    stderr: child.stderr,
    exit,
    signal: () => {}, // ssh sends none on behalf of others
    close() {
      if (isKilled) return;
      isKilled = true;
      child.stdout.resume();
      child.stderr.resume();
      child.kill('SIGKILL');
    },
  };
}

async function forward({ options, isOpen }: Connection, to: number | string): Promise<Duplex> {
  // `-W` of OpenSSH 9.2 takes a path, and then nothing comes through.
  if (typeof to === 'string') throw new CarrierError('forbidden', 'the program ssh connects to no Unix socket');
  if (!isOpen()) throw new CarrierError('lost', 'The connection has ended');
  const { socket, destination } = options;
  const args = [...throughMaster(socket), '-W', `127.0.0.1:${to}`, ...destination];
  const child = start(options, args);
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-500)));
  // The program says nothing when the listener is reached: what that has to say, or the end, comes first.
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  const settled = new Promise<void>((resolve) => options.clock.after(FORWARD_SETTLES_MS, resolve));
  await Promise.race([ended, settled]);
  if (child.exitCode === null && child.signalCode === null) {
    const stream = Duplex.from({ readable: child.stdout, writable: child.stdin });
    stream.on('error', () => {});
    stream.once('close', () => child.kill('SIGKILL'));
    return stream;
  }
  const isForbidden = /prohibited/iu.test(words);
  throw new CarrierError(isForbidden ? 'forbidden' : isOpen() ? 'no-listener' : 'lost', words.trim() || 'ssh ended');
}

/** Milliseconds within which a refused channel is reported. */
const CHANNEL_SETTLES_MS = 5_000;
/** Milliseconds within which a refusing port is reported. */
const FORWARD_SETTLES_MS = 1_000;

function whyNot(words: string): ConnectError {
  const text = words.trim();
  if (/Host key verification failed|IDENTIFICATION HAS CHANGED|key is known/u.test(text))
    return new ConnectError('host-key-refused', `ssh does not trust the key of the server: ${text}`);
  if (/Permission denied|Too many authentication failures/u.test(text))
    return new ConnectError('denied', `The server refused every key that was offered: ${text}`);
  return new ConnectError('unreachable', `The server was not reached: ${text || 'ssh ended without a word'}`);
}
