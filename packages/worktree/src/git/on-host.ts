/** Uses a machine as git needs it, whether it is this one or one that is reached over SSH. */
import { type Host, HostError, type RunOptions, type RunOutcome } from '@drover/host';

/** Bytes kept of each output of a program where the caller gives no limit. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** End of a program. A status that is not zero is a result, not an exception; so is 127, as a shell says it: there is no such program. */
export type RunResult = Omit<RunOutcome, 'stdoutBytes'>;

/** Runs a program with an argument array; never a shell. Ends it, and what it started, at the deadline. */
export type RunCommand = (program: string, args: readonly string[], options: RunOptions) => Promise<RunResult>;

/** Files for tasks that git has no command for. Paths are absolute. New files have the modes of the user's own files. */
export interface GitFiles extends Pick<Host, 'realpath' | 'copy' | 'rename'> {
  /** Text (UTF-8) of at most the first `maxBytes` bytes; undefined when there is no such file. */
  readFile(path: string, options: { readonly maxBytes: number }): Promise<string | undefined>;
  /** Writes into the file that is there, which keeps its mode. */
  writeFile(path: string, text: string): Promise<void>;
  readonly stat: Host['lstat'];
  /** Names in a directory; none when there is no such directory. */
  list(path: string): Promise<readonly string[]>;
  mkdir(path: string): Promise<void>;
  readonly rm: Host['removeTree'];
}

/** Programs of a host: of one that writes too much, the first part is kept. */
export function runOn(host: Pick<Host, 'run'>): RunCommand {
  return async (program, args, options) => {
    const running = host.run(program, args, { outputBytesMax: KEPT_BYTES, excess: 'drop', ...options });
    return running.catch((error: unknown) => {
      if (error instanceof HostError && error.code === 'program-missing') return MISSING;
      throw error;
    });
  };
}

const MISSING: RunResult = { status: 127, signal: undefined, stdout: '', stderr: '', timedOut: false };

export function filesOn(host: Host): GitFiles {
  return {
    async readFile(path, { maxBytes }) {
      const bytes = await host.readFile(path, { bytesMax: maxBytes });
      return bytes && Buffer.from(bytes).toString('utf8');
    },
    writeFile: (path, text) => host.writeFile(path, text, { inPlace: true, mode: 0o666 }),
    stat: host.lstat,
    realpath: host.realpath,
    list: async (path) => ((await host.readdir(path)) ?? []).map(({ name }) => name),
    mkdir: (path) => host.mkdir(path, { mode: 0o777 }),
    rm: host.removeTree,
    copy: host.copy,
    rename: host.rename,
  };
}
