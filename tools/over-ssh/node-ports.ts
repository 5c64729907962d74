// The ports of the tests of packages/worktree, over SSH.
import type { Files, RunCommand } from '@drover/worktree';
import { HostError, type RunOutcome } from '@drover/host';
import { openHost } from './host.ts';

const sshHost = await openHost();

/** Runs programs for the tests; `environment` replaces the one inherited. */
export function nodeRunner(environment: NodeJS.ProcessEnv = process.env): RunCommand {
  return async (program, args, { cwd, env, input, timeoutMs, signal, maxOutputBytes = 64 * 1024 * 1024 }) => {
    const inherited = Object.keys(await sshHost.environment()).map((name) => [name, undefined] as const);
    const running = sshHost.run(program, args, {
      env: { ...Object.fromEntries(inherited), ...environment, ...env },
      timeoutMs,
      outputBytesMax: maxOutputBytes,
      excess: 'drop',
      ...(cwd === undefined ? {} : { cwd }),
      ...(input === undefined ? {} : { input }),
      ...(signal === undefined ? {} : { signal }),
    });
    const outcome = await running.catch(missing);
    const { status, signal: ended, stdout, stderr, timedOut } = outcome;
    return { status: status ?? null, signal: ended ?? null, stdout, stderr, timedOut };
  };
}

function missing(error: unknown): Pick<RunOutcome, 'status' | 'signal' | 'stdout' | 'stderr' | 'timedOut'> {
  if (!(error instanceof HostError) || error.code !== 'program-missing') throw error;
  return { status: 127, signal: undefined, stdout: '', stderr: '', timedOut: false };
}

/** The file port. */
export const nodeFiles: Files = {
  async readFile(path, { maxBytes }) {
    const bytes = await sshHost.readFile(path, { bytesMax: maxBytes });
    return bytes === undefined ? undefined : Buffer.from(bytes).toString();
  },
  writeFile: (path, text) => sshHost.writeFile(path, text, { mode: 0o644 }),
  async stat(path) {
    const found = await sshHost.lstat(path);
    return found && { kind: found.kind === 'link' ? 'symlink' : found.kind, sizeBytes: found.size };
  },
  realpath: (path) => sshHost.realpath(path),
  list: async (path) => ((await sshHost.readdir(path)) ?? []).map(({ name }) => name),
  mkdir: (path) => sshHost.mkdir(path, { mode: 0o755 }),
  rm: (path) => sshHost.removeTree(path),
  copy: (from, to, options) => sshHost.copy(from, to, options),
  rename: (from, to) => sshHost.rename(from, to),
};
