/** Runs a program for the tests in a process of node. */
import { spawn } from 'node:child_process';
import type { RunOptions, RunResult } from '../../src/index.ts';

/** The status of a program that is not there, as shells have it. */
const NOT_FOUND = 127;

/** Runs it; `env` is its whole environment. */
export function runHere(program: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: { ...options.env },
      ...(options.signal ? { signal: options.signal } : {}),
      timeout: options.timeoutMs,
      killSignal: 'SIGKILL',
    });
    const out = collect(child.stdout, options);
    const err = collect(child.stderr, options);
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') return reject(error);
      resolve({ status: NOT_FOUND, signal: null, stdout: '', stderr: '', timedOut: false });
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
    child.on('close', (status, signal) => {
      resolve({ status, signal, stdout: out(), stderr: err(), timedOut: signal === 'SIGKILL' });
    });
  });
}

function collect(stream: NodeJS.ReadableStream, { maxOutputBytes = Infinity }: RunOptions): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    const kept = chunk.subarray(0, Math.max(0, maxOutputBytes - size));
    size += kept.length;
    chunks.push(kept);
  });
  return () => Buffer.concat(chunks).toString('utf8');
}
