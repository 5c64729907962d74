/** Holds a long-lived program as a stream of bytes. */
import type { ByteStream, StreamExit } from '../host.ts';
import { killTree, type Program, startProgram } from './start-program.ts';

/** Bytes of standard error kept for messages to people. */
const STDERR_BYTES_MAX = 4096;

/** @throws HostError when the program could not be started. */
export async function openStream(wanted: Program): Promise<ByteStream> {
  const child = await startProgram(wanted);
  let stderr = Buffer.alloc(0);
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = Buffer.concat([stderr, chunk]).subarray(-STDERR_BYTES_MAX);
  });
  const exit = new Promise<StreamExit>((resolve) => {
    child.once('close', (status, signal) => {
      const text = stderr.toString();
      resolve({ status: status ?? undefined, signal: signal ?? undefined, stderr: text });
    });
  });
  return {
    output: child.stdout,
    exit,
    write(bytes) {
      if (child.stdin.writable) child.stdin.write(bytes);
    },
    end: () => void child.stdin.end(),
    kill: () => {
      // Kills first, or a program that writes may end of its broken pipe before it is killed.
      killTree(child);
      // A reader that gave up must not keep the program's end from being seen.
      child.stdout.destroy();
    },
  };
}
