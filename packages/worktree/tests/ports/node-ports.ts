/** The two ports on node. `npm run test:ssh` has others in their place. */
import { spawn } from 'node:child_process';
import { cp, lstat, mkdir, readFile, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import type { Files, RunCommand, RunOptions, RunResult } from '../../src/index.ts';

/** Runs programs for the tests; `environment` replaces the one inherited. */
export function nodeRunner(environment: NodeJS.ProcessEnv = process.env): RunCommand {
  return (program, args, options) =>
    new Promise((resolve, reject) => {
      const child = spawn(program, [...args], {
        ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
        env: { ...environment, ...options.env },
        ...(options.signal ? { signal: options.signal } : {}),
        timeout: options.timeoutMs,
        killSignal: 'SIGKILL',
      });
      const out = collect(child.stdout, options);
      const err = collect(child.stderr, options);
      child.on('error', (error) => {
        if (!('code' in error && error.code === 'ENOENT')) reject(error);
        else resolve({ status: 127, signal: null, stdout: '', stderr: '', timedOut: false });
      });
      child.stdin.on('error', () => undefined);
      child.stdin.end(options.input ?? '');
      child.on('close', (status, signal) => {
        const result: RunResult = { status, signal, stdout: out(), stderr: err(), timedOut: signal === 'SIGKILL' };
        resolve(result);
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

async function orUndefined<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  }
}

/** The file port on node. */
export const nodeFiles: Files = {
  readFile: async (path, { maxBytes }) => (await orUndefined(readFile(path)))?.subarray(0, maxBytes).toString('utf8'),
  writeFile: async (path, text) => writeFile(path, text),
  stat: async (path) => {
    const facts = await orUndefined(lstat(path));
    if (facts === undefined) return undefined;
    const kind = facts.isSymbolicLink()
      ? 'symlink'
      : facts.isDirectory()
        ? 'directory'
        : facts.isFile()
          ? 'file'
          : 'other';
    return { kind, sizeBytes: facts.size };
  },
  realpath: async (path) => orUndefined(realpath(path)),
  list: async (path) => (await orUndefined(readdir(path))) ?? [],
  mkdir: async (path) => void (await mkdir(path, { recursive: true })),
  rm: async (path) => rm(path, { recursive: true, force: true }),
  copy: async (from, to) => cp(from, to, { preserveTimestamps: true }),
  rename: async (from, to) => rename(from, to),
};
