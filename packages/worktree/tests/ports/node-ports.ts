/** The two ports on node. `npm run test:ssh` has others in their place. */
import { type ChildProcess, fork } from 'node:child_process';
import { cp, lstat, mkdir, readFile, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Files, RunCommand } from '../../src/index.ts';
import { runHere } from './run-here.ts';
import type { Answer } from './starter.ts';

/** A process that starts programs for this one, as `packages/host` has one: it is small, so that a start costs half as much. */
let starter: ChildProcess | undefined;
let programs = 0;
const waiting = new Map<number, (answer: Answer) => void>();

/** Runs programs for the tests; `environment` replaces the one inherited. */
export function nodeRunner(environment: NodeJS.ProcessEnv = process.env): RunCommand {
  return async (program, args, { signal, ...options }) => {
    const env = { ...environment, ...options.env };
    if (signal !== undefined) return runHere(program, args, { ...options, signal, env });
    starter ??= start();
    programs += 1;
    const id = programs;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    waiting.set(id, resolve);
    starter.channel?.ref();
    starter.send({ id, program, args, options: { ...options, env } });
    const answer = await promise;
    waiting.delete(id);
    if (waiting.size === 0) starter.channel?.unref();
    if ('result' in answer) return answer.result;
    throw new Error(answer.failed);
  };
}

/** Starts a process that ends with this one. */
function start(): ChildProcess {
  const execArgv = ['--max-semi-space-size=1'];
  const stdio: ['ignore', 'ignore', 'inherit', 'ipc'] = ['ignore', 'ignore', 'inherit', 'ipc'];
  const child = fork(join(import.meta.dirname, 'starter.ts'), { cwd: '/', execArgv, serialization: 'advanced', stdio });
  child.on('message', (message) => {
    // Message of the starter, which answers with nothing else.
    const answer = message as Answer;
    waiting.get(answer.id)?.(answer);
  });
  child.on('exit', () => {
    starter = undefined;
    for (const [id, tell] of waiting) tell({ id, failed: 'The process that starts programs for these tests died' });
  });
  child.unref();
  child.channel?.unref();
  return child;
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
