/** Runs a program to its end within its limits. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';

import { HostError } from '../errors.ts';
import type { RunOptions, RunOutcome } from '../host.ts';
import { killTree, type Program, startProgram } from './start-program.ts';

/** Default for the bytes kept of each output: far above any diff that a person would read. */
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Milliseconds to wait, after a program has exited, for its outputs to close. Outputs stay open when the program left a process behind that
 * inherited them; bytes that came until then are the answer.
 */
const DRAIN_MS = 500;

type Stop = 'none' | 'timed-out' | 'too-large' | 'aborted';

/** @throws HostError when it could not be started, was aborted or wrote too much. */
export async function runProgram(wanted: Program, options: RunOptions): Promise<RunOutcome> {
  if (isAborted(options)) throw aborted(wanted.program, options.signal);
  const child = await startProgram(wanted);
  let stop: Stop = 'none';
  const stopFor = (reason: Stop): void => {
    if (stop === 'none') stop = reason;
    killTree(child);
  };

  const tooLarge = (): void => {
    if (options.excess !== 'drop') stopFor('too-large');
  };
  const limit = options.outputBytesMax ?? OUTPUT_BYTES_MAX;
  const stdout = collect(child.stdout, limit, tooLarge);
  const stderr = collect(child.stderr, limit, tooLarge);
  // oxlint-disable-next-line no-restricted-globals -- the adapter to the operating system: its deadline ends a real process
  const deadline = setTimeout(() => stopFor('timed-out'), options.timeoutMs);
  const onAbort = (): void => stopFor('aborted');
  options.signal?.addEventListener('abort', onAbort);
  if (isAborted(options)) onAbort(); // it fired while the program started
  child.stdin.end(options.input);

  const ended = await waitForEnd(child);
  clearTimeout(deadline);
  options.signal?.removeEventListener('abort', onAbort);

  // Reads through a function: the compiler does not see that callbacks assigned it.
  switch (((): Stop => stop)()) {
    case 'aborted':
      throw aborted(wanted.program, options.signal);
    case 'too-large':
      throw new HostError('output-too-large', `"${wanted.program}" wrote more than ${limit} bytes and was killed`, {
        program: wanted.program,
      });
    default: {
      const bytes = Buffer.concat(stdout);
      const timedOut = ((): Stop => stop)() === 'timed-out';
      const text = Buffer.concat(stderr).toString();
      return { ...ended, stdout: bytes.toString(), stdoutBytes: bytes, stderr: text, timedOut };
    }
  }
}

function collect(stream: NodeJS.ReadableStream, limit: number, onFull: () => void): Buffer[] {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    const room = limit - size;
    size += chunk.length;
    if (room > 0) chunks.push(chunk.subarray(0, room));
    if (size > limit) onFull();
  });
  return chunks;
}

function waitForEnd(
  child: ChildProcessWithoutNullStreams,
): Promise<{ status: number | undefined; signal: string | undefined }> {
  return new Promise((resolve) => {
    let drain: NodeJS.Timeout | undefined;
    const closeOutputs = (): void => {
      child.stdout.destroy();
      child.stderr.destroy();
    };
    child.once('exit', () => {
      // A busy machine can report the end, and let this time pass, before the outputs were read at all. Outputs are read between timers and
      // immediates: without that turn a program that said something would count as one that said nothing.
      // oxlint-disable-next-line no-restricted-globals -- the adapter to the operating system: its deadline ends a real process
      drain = setTimeout(() => setImmediate(closeOutputs), DRAIN_MS);
    });
    child.once('close', (status, signal) => {
      clearTimeout(drain);
      resolve({ status: status ?? undefined, signal: signal ?? undefined });
    });
  });
}

/** Error for a caller that gave up. */
export function aborted(program: string, signal: AbortSignal | undefined): HostError {
  const message = `"${program}" was stopped because its caller gave up`;
  return new HostError('aborted', message, { program, cause: signal?.reason });
}

/** A function, because the compiler does not expect the answer to change while one waits. */
export function isAborted({ signal }: RunOptions): boolean {
  return signal?.aborted === true;
}
