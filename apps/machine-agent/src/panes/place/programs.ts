/** Programs that work in a directory, whoever started them: read from /proc of the machine with the panes. */
import type { Host } from '@drover/host';

/** Milliseconds to list the working directories of all processes. */
const LIST_MS = 10_000;
/** Bytes of a process's variables, and of its arguments, that are read. */
const VARIABLES_BYTES_MAX = 256 * 1024;
const ARGUMENTS_BYTES_MAX = 200;
/** Programs of one directory that are looked at; a fork bomb needs other means. */
const PROGRAMS_MAX = 500;

/** Process. Another process may get its id: only together with the start the id is unique. */
export interface Program {
  readonly pid: number;
  /** Start word, see `startOf` of the host. */
  readonly started: string;
  readonly directory: string;
  /** Command line, as far as it is read. */
  readonly words: readonly string[];
  /** Environment variables as `NAME=value`; none of another user's process. */
  readonly variables: readonly string[];
}

/** Process that names its working directory. */
type Found = Pick<Program, 'pid' | 'directory'>;

/**
 * Walks /proc once, and reads each process that works in the directory, or in a removed one of the same name.
 *
 * @param directory Without links.
 * @param isMeant Selects the processes to read.
 * @returns `undefined` if the machine has no /proc.
 */
export async function programsIn(
  host: Host,
  directory: string,
  isMeant: (pid: number) => boolean = () => true,
): Promise<readonly Program[] | undefined> {
  const found = await findIn(host, directory);
  if (found === undefined) return undefined;
  const meant = found.filter(({ pid }) => isMeant(pid)).slice(0, PROGRAMS_MAX);
  const read = await Promise.all(meant.map(async (one) => readProgram(host, one)));
  return read.filter((program) => program !== undefined);
}

async function findIn(host: Host, directory: string): Promise<readonly Found[] | undefined> {
  const script = '[ -e /proc/self/cwd ] || exit 3; ls -ld /proc/[0-9]*/cwd 2>/dev/null || :';
  const { status, stdout } = await host.run('sh', ['-c', script], { env: { LC_ALL: 'C' }, timeoutMs: LIST_MS });
  if (status === 3) return undefined;
  return stdout.split('\n').flatMap((line) => {
    const at = line.indexOf(' /proc/');
    const [, pid = '', target = ''] = /^\/proc\/(\d+)\/cwd -> (.*)$/u.exec(line.slice(at + 1)) ?? [];
    const worksIn = target.replace(/ \(deleted\)$/u, '');
    return worksIn === directory || worksIn.startsWith(`${directory}/`)
      ? [{ pid: Number(pid), directory: worksIn }]
      : [];
  });
}

async function readProgram(host: Host, found: Found): Promise<Program | undefined> {
  const { pid } = found;
  // The start comes first: later reads are of that process, or of none that is ended.
  const started = await host.processes.startOf(pid);
  if (started === undefined) return undefined;
  const [variables, words] = await Promise.all([
    readWords(host, `/proc/${pid}/environ`, VARIABLES_BYTES_MAX),
    readWords(host, `/proc/${pid}/cmdline`, ARGUMENTS_BYTES_MAX),
  ]);
  return { ...found, started, variables, words: words.filter((word) => word !== '') };
}

/**
 * Reads the beginning of the file: command lines of cages and builds are longer than people need. Returns nothing of a process that has ended,
 * or of another user. Uses `head`, because these files have no size for a reader.
 */
async function readWords(host: Host, path: string, bytes: number): Promise<readonly string[]> {
  const { stdout } = await host.run('head', ['-c', String(bytes), path], { timeoutMs: LIST_MS });
  return stdout.split('\0');
}

/** Tells whether a process is a root or descends from one. Asks for all parents at once. */
export async function descentFrom(host: Host, roots: ReadonlySet<number>): Promise<(pid: number) => boolean> {
  if (roots.size === 0) return () => false;
  const { stdout } = await host.run('ps', ['-A', '-o', 'pid,ppid'], { timeoutMs: LIST_MS });
  const parents = new Map(
    stdout.split('\n').flatMap((line) => {
      const [, pid, parent] = /^\s*(\d+)\s+(\d+)\s*$/u.exec(line) ?? [];
      return pid === undefined ? [] : [[Number(pid), Number(parent)] as const];
    }),
  );
  return (pid) => {
    const seen = new Set<number>();
    for (let at: number | undefined = pid; at !== undefined && !seen.has(at); at = parents.get(at)) {
      if (roots.has(at)) return true;
      seen.add(at);
    }
    return false;
  };
}
