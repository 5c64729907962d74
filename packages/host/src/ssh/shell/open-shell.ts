/** Turns a channel into a waiting shell, whatever the startup files of the user do. */
import type { LocalClock } from '@drover/base';
import type { Carrier, Channel } from '../carrier.ts';
import { ConnectError } from '../connect/errors.ts';
import { bootstrap, type Greeting, readGreeting, restartInGroup, type ShellOwner } from './bootstrap.ts';

/** Milliseconds for the server to open a channel, or to refuse it. A server that does neither serves nothing more on this connection. */
const OPEN_MS = 20_000;
/** Milliseconds for the user's startup files. */
const GREETING_MS = 10_000;
/** Bytes of what came instead of a greeting, for a message. */
const SHOWN_BYTES = 400;
/** Bytes of a greeting at most: two words of Drover's and two numbers. */
const GREETING_BYTES_MAX = 512;
/** Bytes that startup files may print before they count as a command that floods. */
const NOISE_BYTES_MAX = 4 * 1024 * 1024;

/** Options that the shells of one connection have in common. */
export interface PoolOptions {
  readonly carrier: Carrier;
  readonly owner: ShellOwner;
  readonly clock: LocalClock;
  /** A word that no command can know, another one at each call. */
  readonly newMark: () => string;
  readonly onRoundTrip: (ms: number) => void;
}

/** A shell that has greeted and waits for its first line. */
export interface OpenShell {
  readonly channel: Channel;
  readonly greeting: Greeting;
}

/**
 * @throws ConnectError `no-shell` with what came instead.
 * @throws CarrierError when no channel was opened.
 */
export async function openShell(carrier: Carrier, owner: ShellOwner, clock: LocalClock): Promise<OpenShell> {
  const silent = clock.after(OPEN_MS, () => carrier.end('The server did not open a channel within 20 s'));
  const channel = await carrier.open(bootstrap(owner)).finally(silent);
  const greeting = await greet(channel, owner, clock);
  if (greeting.leadsGroup) return { channel, greeting };
  // The server starts its commands in a group with its own processes: those must live when a command is killed.
  channel.input.write(`${restartInGroup(owner)}\n`);
  return { channel, greeting: await greet(channel, owner, clock) };
}

/** Waits for the greeting before anything is written: a startup file that reads would take it. */
function greet(channel: Channel, owner: ShellOwner, clock: LocalClock): Promise<Greeting> {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    let shown: Buffer = Buffer.alloc(0);
    /** The end of what came: a host that prints bytes one by one must not have all of it read again for each. */
    let tail: Buffer = Buffer.alloc(0);
    let errors: Buffer = Buffer.alloc(0);
    let isDone = false;
    const onOutput = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (shown.length < SHOWN_BYTES) shown = Buffer.concat([shown, chunk]).subarray(0, SHOWN_BYTES);
      tail = Buffer.concat([tail, chunk]);
      const greeting = readGreeting(tail, owner);
      if (greeting !== undefined) return done(() => resolve(greeting));
      tail = tail.subarray(-GREETING_BYTES_MAX);
      if (bytes > NOISE_BYTES_MAX) fail('printed more than 4 MB');
    };
    const onError = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > NOISE_BYTES_MAX) return fail('printed more than 4 MB');
      errors = Buffer.concat([errors, chunk]).subarray(0, SHOWN_BYTES);
    };
    const done = (then: () => void): void => {
      if (isDone) return;
      isDone = true;
      cancel();
      channel.output.off('data', onOutput).pause();
      channel.stderr.off('data', onError).pause();
      then();
    };
    const fail = (what: string): void =>
      done(() => {
        channel.close();
        reject(new ConnectError('no-shell', noShell(what, shown, errors)));
      });
    const cancel = clock.after(GREETING_MS, () => fail('did not begin within 10 s'));
    channel.output.on('data', onOutput).resume();
    channel.stderr.on('data', onError).resume();
    void channel.exit.then(({ status }) => fail(`ended with status ${status ?? 'unknown'}`));
  });
}

function noShell(what: string, first: Buffer, errors: Buffer): string {
  const came = Buffer.concat([first, errors]).toString().trim();
  const shown = came === '' ? 'Nothing came.' : `This came: ${JSON.stringify(came.slice(0, SHOWN_BYTES))}.`;
  return `A shell for commands ${what}. ${shown} Look at the startup files of the user's login shell, at "command=" in authorized_keys and at ForceCommand of sshd`;
}
