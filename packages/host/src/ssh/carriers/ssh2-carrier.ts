/** Carries commands by the library ssh2. The default: 0.3 MB for each machine, and no process. */
import type { Duplex } from 'node:stream';
import { messageOf } from '@drover/base';
import type ssh2 from 'ssh2';
import type {
  AnyAuthMethod,
  AuthenticationType,
  AuthHandlerMiddleware,
  ClientChannel,
  ConnectConfig,
  ParsedKey,
  ServerHostKeyAlgorithm,
} from 'ssh2';

import { type Carrier, CarrierError, type Channel, type ChannelExit } from '../carrier.ts';
import { ConnectError } from '../connect/errors.ts';

/** Milliseconds between two questions whether the server is there; it may leave three unanswered. */
const KEEPALIVE_MS = 5_000;
const KEEPALIVE_MISSES = 3;
/** Milliseconds for the handshake and the login together. */
const READY_MS = 20_000;
/** The reason of a server that forbids a channel (RFC 4254, 5.1); it gives another when nothing listens. */
const PROHIBITED = 1;

/** The library, read when a host is first reached: each `drover up` holds a gateway, and few have hosts. */
export async function loadSsh2(): Promise<typeof ssh2> {
  return (await import('ssh2')).default;
}

export interface Ssh2Options {
  /** Socket that is connected, or the output and input of a program that reaches the server. The socket is closed with the carrier. */
  readonly socket: Duplex;
  readonly user: string;
  /** Offers one way to log in after another. */
  readonly login: AuthHandlerMiddleware;
  /** Decides at once about the key that the server proves; no handshake waits for a person. */
  readonly trusts: (key: Buffer) => boolean;
  /** Kinds of keys that are asked for; undefined: those of the library. */
  readonly keyKinds?: readonly ServerHostKeyAlgorithm[] | undefined;
  readonly compress?: boolean;
  /** Limit of the handshake and the login together, in milliseconds. Default: 20 s. */
  readonly readyMs?: number;
}

/** Credentials of a user. */
export interface Login {
  /** Private keys, parsed before: decrypting one takes up to a second, in which nothing else is done. */
  readonly keys?: readonly (Buffer | ParsedKey)[];
  /** The socket of an ssh-agent, which is asked last. */
  readonly agent?: string | undefined;
}

/** Offers one key after another, then those of the agent. */
export function offerKeys(user: string, { keys = [], agent }: Login): AuthHandlerMiddleware {
  const offers: AnyAuthMethod[] = keys.map((key) => ({ type: 'publickey', username: user, key }));
  if (agent !== undefined) offers.push({ type: 'agent', username: user, agent });
  return (_left, _partial, next) => {
    const offer = offers.shift();
    // The types do not know that `false` ends the attempts.
    next(offer ?? (false as unknown as AuthenticationType));
  };
}

/** A connection that is up, and the keys that the server proved to have. */
export interface Ssh2Connection {
  readonly carrier: Carrier;
  /** Public keys in the form of the wire, as far as the server has told them: some never do. */
  readonly provenKeys: () => readonly Buffer[];
}

/** @throws ConnectError `unreachable`, `denied`, `no-common-method` or `host-key-refused`. */
export async function connectSsh2(options: Ssh2Options): Promise<Ssh2Connection> {
  const { Client } = await loadSsh2();
  const client = new Client();
  const { promise: closed, resolve: tellClosed } = Promise.withResolvers<string>();
  let proven: readonly Buffer[] = [];
  let isRefused = false;
  let why: string | undefined;
  client.on('hostkeys', (keys) => (proven = keys.map((key) => key.getPublicSSH())));
  client.on('close', () => tellClosed(why ?? 'The server closed the connection'));
  const ready = new Promise<void>((resolve, reject) => {
    client.once('ready', resolve);
    // The listener stays: an error without a listener would end the process.
    client.on('error', (error) => {
      why ??= error.message;
      reject(error);
    });
    client.once('close', () => reject(new Error(why ?? 'The server closed the connection')));
  });
  const trusts = (key: Buffer): boolean => {
    const trusted = options.trusts(key);
    isRefused = !trusted;
    return trusted;
  };
  client.connect(configuration(options, trusts));
  const end = (reason: string): void => {
    why ??= reason;
    client.destroy();
    options.socket.destroy();
  };
  try {
    await ready;
  } catch (cause) {
    end('The connection failed');
    if (isRefused) throw new ConnectError('host-key-refused', 'The key of the server is not trusted', { cause });
    throw whyNot(cause);
  }
  const carrier: Carrier = {
    closed,
    end,
    open: (command) => openChannel(client, closed, command),
    forward: (to) => forward(client, to),
    async [Symbol.asyncDispose]() {
      why ??= 'Drover closed the connection';
      client.end();
      options.socket.destroy();
      await closed;
    },
  };
  return { carrier, provenKeys: () => proven };
}

function configuration(
  { socket, user, login, keyKinds, compress, readyMs = READY_MS }: Ssh2Options,
  trusts: (key: Buffer) => boolean,
): ConnectConfig {
  return {
    sock: socket,
    username: user,
    authHandler: login,
    hostVerifier: trusts,
    readyTimeout: readyMs,
    keepaliveInterval: KEEPALIVE_MS,
    keepaliveCountMax: KEEPALIVE_MISSES,
    algorithms: {
      compress: compress === true ? ['zlib@openssh.com', 'none'] : ['none'],
      ...(keyKinds === undefined ? {} : { serverHostKey: [...keyKinds] }),
    },
  };
}

function openChannel(client: ssh2.Client, closed: Promise<unknown>, command: string): Promise<Channel> {
  return new Promise((resolve, reject) => {
    try {
      client.exec(command, (error, channel) => {
        if (error === undefined || error === null) resolve(asChannel(channel, closed));
        else reject(sessionError(error));
      });
    } catch (error) {
      reject(sessionError(error)); // "Not connected" is thrown
    }
  });
}

function forward(client: ssh2.Client, to: number | string): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const opened: ssh2.ClientCallback = (error, channel) => {
      if (error === undefined || error === null) resolve(channel.on('error', () => {}));
      else reject(forwardError(error));
    };
    try {
      if (typeof to === 'number') client.forwardOut('127.0.0.1', 0, '127.0.0.1', to, opened);
      else client.openssh_forwardOutStreamLocal(to, opened);
    } catch (error) {
      reject(forwardError(error));
    }
  });
}

function sessionError(error: unknown): CarrierError {
  return new CarrierError(isLost(error) ? 'lost' : 'refused', messageOf(error), { cause: error });
}

function forwardError(error: unknown): CarrierError {
  const reason = error instanceof Error && 'reason' in error ? error.reason : undefined;
  if (reason === PROHIBITED) return new CarrierError('forbidden', messageOf(error), { cause: error });
  return new CarrierError(isLost(error) ? 'lost' : 'no-listener', messageOf(error), { cause: error });
}

function isLost(error: unknown): boolean {
  return /not connected|no response from server/iu.test(messageOf(error));
}

function asChannel(channel: ClientChannel, closed: Promise<unknown>): Channel {
  const exit = new Promise<ChannelExit>((resolve) => {
    let found: ChannelExit = { status: undefined, signal: undefined };
    channel.on('exit', (status: number | null, signal?: string) => {
      found = { status: status ?? undefined, signal };
    });
    channel.once('close', () => resolve(found));
    // An output that no reader takes keeps its channel open, also where there is no connection any more.
    void closed.then(() => resolve(found));
  });
  channel.on('error', () => {}); // writing to a channel that has just ended
  return {
    input: channel,
    output: channel,
    stderr: channel.stderr,
    exit,
    signal: (name) => void channel.signal(name),
    close() {
      // Output without a reader is read here: unread output would keep the end of the channel from being seen.
      channel.resume();
      channel.stderr.resume();
      channel.close();
    },
  };
}

/** The library's words, as a reason that says what to do. */
function whyNot(cause: unknown): ConnectError {
  const message = messageOf(cause);
  const level = cause instanceof Error && 'level' in cause ? cause.level : undefined;
  if (level === 'client-authentication') {
    return new ConnectError('denied', 'The server refused every key that was offered', { cause });
  }
  if (/no matching|unsupported/iu.test(message)) {
    const text = `ssh2 supports none of the algorithms of the server (${message}): use the carrier openssh`;
    return new ConnectError('no-common-method', text, { cause });
  }
  return new ConnectError('unreachable', `The server was not reached: ${message}`, { cause });
}
