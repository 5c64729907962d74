/** How does a program run for long, as two streams of bytes, on a channel of its own? */
import type { Readable } from 'node:stream';

import type { ByteStream, StreamExit } from '../host.ts';
import type { Channel } from './carrier.ts';
import { notStarted } from './programs.ts';
import { lost, notRun } from './run-body.ts';
import { lastLine, type Note, NOTES, type ProgramCall, streamBody } from './shell/lines.ts';
import type { LoneShell, ShellPool } from './shell/shell-pool.ts';

/** Bytes of standard error kept for messages to people. */
const STDERR_BYTES_MAX = 4096;
const LINE_FEED = 0x0a;

/** @throws HostError when it could not be started. */
export async function openStream(pool: ShellPool, wanted: ProgramCall): Promise<ByteStream> {
  const shell = await pool.lone().catch((error: unknown): never => {
    throw notRun(wanted.program, error);
  });
  const { channel, mark } = shell;
  channel.input.write(lastLine(streamBody(wanted)));
  const note = await firstNote(channel, channel.output, mark);
  if (note !== 'go') {
    channel.close();
    throw note === undefined ? lost(wanted.program) : notStarted(wanted, note);
  }
  await firstNote(channel, channel.stderr, mark);
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
      void pool.kill(greeting.pid, (name) => channel.signal(name)).finally(() => channel.close());
    },
  };
}

/** Reads up to the word behind the second mark, and leaves what comes after it in the stream. @returns undefined when the channel ended before. */
function firstNote(channel: Channel, from: Readable, mark: string): Promise<Note | undefined> {
  return new Promise((resolve) => {
    const wanted = Buffer.from(`${mark}!`);
    let held: Buffer = Buffer.alloc(0);
    const onData = (chunk: Buffer): void => {
      held = Buffer.concat([held, chunk]);
      const at = held.indexOf(wanted);
      const end = at < 0 ? -1 : held.indexOf(LINE_FEED, at);
      if (end < 0) return;
      from.off('data', onData).pause();
      const word = held.toString('latin1', at + wanted.length, end);
      if (end + 1 < held.length) from.unshift(held.subarray(end + 1));
      resolve(NOTES.find((note) => note === word));
    };
    from.on('data', onData).resume();
    void channel.exit.then(() => resolve(undefined));
  });
}
