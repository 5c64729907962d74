/** How do the ports of the worktree room stand on this machine's host? */
import { cp, lstat, mkdir, open, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import type { Host } from '@drover/host';
import type { WorkerSettings } from '@drover/protocol';
import type { Files, Git, RunCommand } from '@drover/worktree';

/** Bytes kept of each output of a program where the caller gives no limit. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** Git for one project: with its hooks only where the project says so. */
export function gitFor(host: Host, worker: WorkerSettings, signal: AbortSignal): Git {
  return { run: runOn(host), files: localFiles, hooks: worker.project.runHooks, signal };
}

/** Git outside of any project's worktrees, without the repository's hooks. */
export function localGit(host: Host): Git {
  return { run: runOn(host), files: localFiles, hooks: false };
}

function runOn(host: Host): RunCommand {
  return async (program, args, { cwd, env, input, timeoutMs, signal, maxOutputBytes = KEPT_BYTES }) => {
    const outcome = await host.run(program, args, {
      timeoutMs,
      outputBytesMax: maxOutputBytes,
      excess: 'drop',
      ...(cwd === undefined ? {} : { cwd }),
      ...(env === undefined ? {} : { env }),
      ...(input === undefined ? {} : { input }),
      ...(signal === undefined ? {} : { signal }),
    });
    return {
      status: outcome.status ?? null,
      signal: outcome.signal ?? null,
      stdout: outcome.stdout,
      stderr: outcome.stderr,
      timedOut: outcome.timedOut,
    };
  };
}

const localFiles: Files = {
  async readFile(path, { maxBytes }) {
    const file = await absent(open(path, 'r'));
    if (file === undefined) return undefined;
    try {
      const { size } = await file.stat();
      const buffer = Buffer.alloc(Math.min(size, maxBytes));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  },
  writeFile: (path, text) => writeFile(path, text),
  async stat(path) {
    const found = await absent(lstat(path));
    if (found === undefined) return undefined;
    const kind = found.isSymbolicLink() ? 'symlink' : found.isDirectory() ? 'directory' : 'other';
    return { kind: found.isFile() ? 'file' : kind, sizeBytes: found.size };
  },
  realpath: (path) => absent(realpath(path)),
  list: async (path) => (await absent(readdir(path))) ?? [],
  async mkdir(path) {
    await mkdir(path, { recursive: true });
  },
  rm: (path) => rm(path, { recursive: true, force: true }),
  copy: (from, to) => cp(from, to, { preserveTimestamps: true }),
  rename: (from, to) => rename(from, to),
};

async function absent<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
