/** Runs a program for long, as two streams of bytes, on a channel of its own. */
import type { Readable } from 'node:stream';
import type { LocalClock } from '@drover/base';

import { HostError } from '../errors.ts';
import type { ByteStream, StreamExit } from '../host.ts';
import type { Channel } from './carrier.ts';
import { notStarted } from './programs.ts';
import { lost, notRun } from './run-body.ts';
import { lastLine, type Note, NOTES, type ProgramCall, streamBody } from './shell/lines.ts';
import type { LoneShell, ShellPool } from './shell/shell-pool.ts';

/** Bytes of standard error kept for messages to people. */
const STDERR_BYTES_MAX = 4096;
/** Milliseconds until a shell has said whether the program starts, and bytes that may come before: those of others, which are nobody's. */
const START_MS = 60_000;
const NOISE_BYTES_MAX = 1024 * 1024;
/** Bytes of what the shell says. */
const NOTE_BYTES_MAX = 64;
const LINE_FEED = 0x0a;

export interface StreamTools {
  readonly pool: ShellPool;
  readonly clock: LocalClock;
}

/** @throws HostError when it could not be started. */
export async function openStream({ pool, clock }: StreamTools, wanted: ProgramCall): Promise<ByteStream> {
  const shell = await pool.lone().catch((error: unknown): never => {
    throw notRun(wanted.program, error);
  });
  const { channel, mark } = shell;
  channel.input.write(lastLine(streamBody(wanted)));
  const over = Promise.withResolvers<'late'>();
  const cancel = clock.after(START_MS, () => over.resolve('late'));
  try {
    for (const from of [channel.output, channel.stderr]) {
      const note = await Promise.race([firstNote(channel, from, mark), over.promise]);
      if (note !== 'go') throw whyNot(wanted, note);
    }
  } catch (error) {
    pool.giveUp(channel);
    throw error;
  } finally {
    cancel();
  }
  return asStream(pool, shell);
}

function asStream(pool: ShellPool, { channel, greeting }: LoneShell): ByteStream {
  let stderr: Buffer = Buffer.alloc(0);
  let isKilled = false;
  let isEnded = false;
  channel.stderr
    .on('data', (chunk: Buffer) => {
      stderr = Buffer.concat([stderr, chunk]).subarray(-STDERR_BYTES_MAX);
    })
    .resume();
  const exit = channel.exit.then(({ status, signal }): StreamExit => {
    isEnded = true;
    const ended = isKilled ? { status: undefined, signal: 'SIGKILL' } : { status, signal };
    return { ...ended, stderr: stderr.toString() };
  });
  return {
    output: channel.output,
    exit,
    write(bytes) {
      if (channel.input.writable) channel.input.write(bytes);
    },
    end: () => void channel.input.end(),
    kill() {
      if (isEnded || isKilled) return;
      isKilled = true;
      void pool.kill(greeting.pid, (name) => channel.signal(name)).finally(() => pool.giveUp(channel));
    },
  };
}

/** Note of a shell on a start, or the end of the start instead. */
type Started = Note | 'ended' | 'noise' | 'late';

function whyNot(wanted: ProgramCall, note: Exclude<Started, 'go'>): HostError {
  const { program } = wanted;
  const failed = (what: string): HostError =>
    new HostError('spawn-failed', `Cannot run "${program}": the shell that was to start it ${what}`, { program });
  switch (note) {
    case 'ended':
      return lost(program);
    case 'noise':
      return failed(`printed more than ${NOISE_BYTES_MAX} bytes instead`);
    case 'late':
      return failed(`did not do so within ${START_MS} ms`);
    default:
      return notStarted(wanted, note);
  }
}

/**
 * Reads up to the word behind the second mark, and leaves what comes after it in the stream. A host may lie: no more than the end of what came is
 * held, and not all of it is read again for each piece.
 */
function firstNote(channel: Channel, from: Readable, mark: string): Promise<Started> {
  return new Promise((resolve) => {
    const wanted = Buffer.from(`${mark}!`);
    let held: Buffer = Buffer.alloc(0);
    let size = 0;
    const done = (found: Started): void => {
      from.off('data', onData).pause();
      resolve(found);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      held = Buffer.concat([held, chunk]);
      const at = held.indexOf(wanted);
      const end = at < 0 ? -1 : held.indexOf(LINE_FEED, at);
      if (end < 0) {
        held = held.subarray(-(wanted.length + NOTE_BYTES_MAX));
        if (size > NOISE_BYTES_MAX) done('noise');
        return;
      }
      const word = held.toString('latin1', at + wanted.length, end);
      const rest = held.subarray(end + 1);
      done(NOTES.find((note) => note === word) ?? 'noise');
      if (rest.length > 0) from.unshift(rest);
    };
    from.on('data', onData).resume();
    void channel.exit.then(() => resolve('ended'));
  });
}
