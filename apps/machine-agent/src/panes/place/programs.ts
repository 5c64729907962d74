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
  /** Working directory; null: the system does not tell. */
  readonly directory: string | null;
  /** Command line, as far as it is read. */
  readonly words: readonly string[];
  /** Environment variables as `NAME=value`; none of another user's process. */
  readonly variables: readonly string[];
}

/** Process that names its working directory, or does not. */
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
  const walk = await walkIn(host, directory, []);
  return (
    walk &&
    readAll(
      host,
      walk.inside.filter(({ pid }) => isMeant(pid)),
    )
  );
}

/** Place that is looked around. */
interface Place {
  /** Without links. */
  readonly directory: string;
  /** Variables that programs of its sessions have, and no others, as `NAME=value`. */
  readonly marks: readonly string[];
  /** Recognizes the command line of a coding agent. */
  readonly isAgent: (words: readonly string[]) => boolean;
}

/** Programs about a place. */
export interface Around {
  /** Programs that work in it. */
  readonly inside: readonly Program[];
  /** Coding agents that work elsewhere, but were started by its sessions, or name it in their command lines. */
  readonly elsewhere: readonly Program[];
  /** Coding agents of this user whose directory the system does not tell. */
  readonly unread: readonly Program[];
  /** Command lines of all coding agents of the machine. */
  readonly lines: readonly string[];
}

/** Looks at all processes. @returns `undefined` if the machine has no /proc. */
export async function processesAround(host: Host, { directory, marks, isAgent }: Place): Promise<Around | undefined> {
  const walk = await walkIn(host, directory, marks);
  if (walk === undefined) return undefined;
  const isInside = new Set(walk.inside.map(({ pid }) => pid));
  const agents = (await listAll(host)).filter(({ words }) => isAgent(words));
  const outside = agents.filter(({ pid }) => !isInside.has(pid));
  const related = outside.filter(({ pid, line }) => walk.marked.has(pid) || names(line, directory));
  const unread = outside.filter((one) => one.isOwn && walk.unread.has(one.pid) && !related.includes(one));
  return {
    inside: await readAll(host, walk.inside),
    elsewhere: (await readAll(host, related.map(nowhere))).filter(({ words }) => isAgent(words)),
    unread: (await readAll(host, unread.map(nowhere))).filter(({ words }) => isAgent(words)),
    lines: agents.map(({ line }) => line),
  };
}

function nowhere({ pid }: { readonly pid: number }): Found {
  return { pid, directory: null };
}

/** Tells whether a command line names the directory, or something in it. */
function names(line: string, directory: string): boolean {
  for (let at = line.indexOf(directory); at >= 0; at = line.indexOf(directory, at + 1)) {
    const isWhole = [undefined, ' ', '/'].includes(line[at + directory.length]);
    if (isWhole && [undefined, ' ', '='].includes(line[at - 1])) return true;
  }
  return false;
}

interface Walk {
  readonly inside: readonly Found[];
  /** Processes with one of the marks in their environment. */
  readonly marked: ReadonlySet<number>;
  /** Processes whose working directory the system does not tell. */
  readonly unread: ReadonlySet<number>;
}

/** Compares inodes, too: in a container the directory has another name. */
const WALK = `[ -e /proc/self/cwd ] || exit 3
ls -ld /proc/[0-9]*/cwd 2>/dev/null
for at in /proc/[0-9]*; do [ "$at/cwd" -ef "$1" ] && echo "same $at/cwd"; done
shift
for mark; do grep -lsF -e "$mark" /proc/[0-9]*/environ; done
:`;

/** Stands between a link and its target in the output of `ls -l`. */
const LINK = ' -> ';

async function walkIn(host: Host, directory: string, marks: readonly string[]): Promise<Walk | undefined> {
  const call = { env: { LC_ALL: 'C' }, timeoutMs: LIST_MS };
  const { status, stdout } = await host.run('sh', ['-c', WALK, 'sh', directory, ...marks], call);
  if (status === 3) return undefined;
  const inside = new Map<number, Found>();
  const [marked, unread] = [new Set<number>(), new Set<number>()];
  for (const line of stdout.split('\n')) {
    const at = line.indexOf(LINK);
    const name = at === -1 ? line : line.slice(0, at);
    const target = at === -1 ? undefined : line.slice(at + LINK.length);
    const [, id = '', of = ''] = /\/proc\/(\d+)\/(cwd|environ)$/u.exec(name) ?? [];
    const pid = Number(id);
    const worksIn = target?.replace(/ \(deleted\)$/u, '');
    if (of === 'environ') marked.add(pid);
    else if (line.startsWith('same ')) inside.set(pid, { pid, directory });
    else if (of === 'cwd' && worksIn === undefined) unread.add(pid);
    else if (worksIn === directory || worksIn?.startsWith(`${directory}/`) === true)
      inside.set(pid, { pid, directory: worksIn });
  }
  return { inside: [...inside.values()], marked, unread };
}

/** Command line of a process in one line. `isOwn`: it runs as the same user. */
interface Listed {
  readonly pid: number;
  readonly isOwn: boolean;
  readonly line: string;
  readonly words: readonly string[];
}

async function listAll(host: Host): Promise<readonly Listed[]> {
  const { stdout } = await host.run('sh', ['-c', 'id -u; ps -ww -A -o pid= -o uid= -o args='], { timeoutMs: LIST_MS });
  const [own, ...rows] = stdout.split('\n');
  return rows.flatMap((row) => {
    const [, pid, user, line = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/u.exec(row) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), isOwn: user === own, line, words: line.split(' ') }];
  });
}

async function readAll(host: Host, found: readonly Found[]): Promise<readonly Program[]> {
  const read = await Promise.all(found.slice(0, PROGRAMS_MAX).map(async (one) => readProgram(host, one)));
  return read.filter((program) => program !== undefined);
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

/** Tells whether a process is a root or descends from one. */
export async function descentFrom(host: Host, roots: ReadonlySet<number>): Promise<(pid: number) => boolean> {
  const rootOf = await rootAmong(host, roots);
  return (pid) => rootOf(pid) !== undefined;
}

/** Finds the root from which a process descends, or that it is. Asks for all parents at once. */
export async function rootAmong(
  host: Host,
  roots: { readonly size: number; readonly has: (pid: number) => boolean },
): Promise<(pid: number) => number | undefined> {
  if (roots.size === 0) return () => undefined;
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
      if (roots.has(at)) return at;
      seen.add(at);
    }
    return undefined;
  };
}
