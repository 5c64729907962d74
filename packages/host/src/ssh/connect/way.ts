/** Reaches the socket of a server: straight, through other hosts, or by a command. */
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { Duplex } from 'node:stream';
import type { LocalClock } from '@drover/base';

import type { Resolved } from './destination.ts';
import { endWhenAborted } from './end-when-aborted.ts';
import { ConnectError } from './errors.ts';

/** Milliseconds until a server has to take the connection. */
const CONNECT_MS = 15_000;

export interface WayTools {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: LocalClock;
  /** Gives the way up while it is opened. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** @throws ConnectError `unreachable`. */
export function openWay(tools: WayTools, resolved: Resolved): Promise<Duplex> {
  const { host, port, jump, proxyCommand, user, destination } = resolved;
  if (jump !== undefined) {
    const hosts = jump.split(',');
    const last = hosts.pop() ?? '';
    // `ssh -G` writes `user@[host]:port`, which is a destination only in this form.
    const by = last.startsWith('ssh://') ? last : `ssh://${last}`;
    const before = hosts.length === 0 ? [] : ['-J', hosts.join(',')];
    const config = destination.configFile === undefined ? [] : ['-F', destination.configFile];
    const options = [...config, '-T', '-o', 'BatchMode=yes', '-o', 'ServerAliveInterval=5', '-o', 'ForwardAgent=no'];
    const target = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
    return Promise.resolve(program(tools, 'ssh', [...options, ...before, '-W', target, '--', by]));
  }
  if (proxyCommand !== undefined) {
    const words: Readonly<Record<string, string>> = { h: host, p: String(port), r: user, '%': '%' };
    const command = proxyCommand.replaceAll(/%([hpr%])/gu, (_, letter: string) => words[letter] ?? '');
    return Promise.resolve(program(tools, '/bin/sh', ['-c', `exec ${command}`]));
  }
  return straight(tools, resolved);
}

/** Sends without delay: small lines would wait for the answer to those before. */
function straight({ clock, signal }: WayTools, { host, port }: Resolved): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    const fail = (why: string): void => {
      cancel();
      given?.[Symbol.dispose]();
      socket.destroy();
      reject(new ConnectError('unreachable', `"${host}" port ${port} was not reached: ${why}`));
    };
    const cancel = clock.after(CONNECT_MS, () => fail('it did not answer within 15 s'));
    socket.once('error', (error) => fail(error.message));
    const given = endWhenAborted(signal, () => fail('its caller gave up'));
    socket.once('connect', () => {
      cancel();
      given?.[Symbol.dispose]();
      resolve(socket);
    });
  });
}

/** The output and input of a program, as one stream. */
function program({ env }: WayTools, name: string, args: readonly string[]): Duplex {
  const known = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
  const child = spawn(name, [...args], { env: known, stdio: ['pipe', 'pipe', 'pipe'] });
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-500)));
  child.stdin.on('error', () => {});
  const way = new Duplex({
    read: () => void child.stdout.resume(),
    write: (chunk: Buffer, _encoding, done) => void child.stdin.write(chunk, () => done()),
    final: (done) => void child.stdin.end(done),
    destroy(error, done) {
      child.kill('SIGKILL');
      done(error);
    },
  });
  child.stdout.on('data', (chunk: Buffer) => {
    if (!way.push(chunk)) child.stdout.pause();
  });
  child.on('error', (error) => way.destroy(error));
  child.once('close', (status) => {
    if (status === 0) way.push(null);
    else way.destroy(new Error(`the way there ended: ${words.trim() || `${name} left with status ${status}`}`));
  });
  return way;
}
