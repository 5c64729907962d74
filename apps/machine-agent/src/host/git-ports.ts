/** Implements the ports of the worktree room on a host. */
import { type Host, HostError, type RunOptions, type RunOutcome } from '@drover/host';
import type { WorkerSettings } from '@drover/protocol';
import type { Files, Git, RunCommand } from '@drover/worktree';

/** Bytes kept of each output of a program where the caller gives no limit. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** Git for one project, with its hooks only if the project allows them. */
export function gitFor(host: Host, worker: WorkerSettings, signal: AbortSignal): Git {
  const { runHooks: hooks, branchPrefix, keep } = worker.project;
  return { run: runOn(host), files: filesOn(host), hooks, branchPrefix, keep, signal };
}

/** Git outside of any project's worktrees, without the repository's hooks. */
export function localGit(host: Host): Git {
  return { run: runOn(host), files: filesOn(host), hooks: false };
}

function runOn(host: Host): RunCommand {
  return async (program, args, { cwd, env, input, timeoutMs, signal, maxOutputBytes = KEPT_BYTES }) => {
    const outcome = await runOrMiss(host, [program, ...args], {
      timeoutMs,
      outputBytesMax: maxOutputBytes,
      excess: 'drop',
      ...(cwd === undefined ? {} : { cwd }),
      ...(env === undefined ? {} : { env }),
      ...(input === undefined ? {} : { input }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (outcome === 'missing') return MISSING;
    return {
      status: outcome.status ?? null,
      signal: outcome.signal ?? null,
      stdout: outcome.stdout,
      stderr: outcome.stderr,
      timedOut: outcome.timedOut,
    };
  };
}

async function runOrMiss(
  host: Host,
  [program = '', ...args]: readonly string[],
  options: RunOptions,
): Promise<RunOutcome | 'missing'> {
  try {
    return await host.run(program, args, options);
  } catch (error) {
    if (error instanceof HostError && error.code === 'program-missing') return 'missing';
    throw error;
  }
}

const MISSING = { status: 127, signal: null, stdout: '', stderr: '', timedOut: false } as const;

/** Files for tasks that git has no command for. New files have the modes of the user's own files. */
function filesOn(host: Host): Files {
  return {
    async readFile(path, { maxBytes }) {
      const bytes = await host.readFile(path, { bytesMax: maxBytes });
      return bytes && Buffer.from(bytes).toString('utf8');
    },
    writeFile: (path, text) => host.writeFile(path, text, { inPlace: true, mode: 0o666 }),
    async stat(path) {
      const found = await host.lstat(path);
      return found && { kind: found.kind === 'link' ? 'symlink' : found.kind, sizeBytes: found.size };
    },
    realpath: host.realpath,
    list: async (path) => ((await host.readdir(path)) ?? []).map(({ name }) => name),
    mkdir: (path) => host.mkdir(path, { mode: 0o777 }),
    rm: host.removeTree,
    copy: host.copy,
    rename: host.rename,
  };
}
