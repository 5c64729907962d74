/**
 * Detects that this command runs in a worker's pane. The command then has the rights of the worker and no others, even
 * if the worker removes variables: the environment of its ancestors is read, too. If worker and person are the same
 * user, the pane's rights are a guard rail (docs/adr/0023-one-user-guard-rails-and-a-cage.md).
 */
import { readFileSync } from 'node:fs';
import { CommandError } from './exit-codes.ts';

/** The worker of this pane, and the access of its commands to the coordinator. */
export interface WorkerPane {
  readonly worker: string;
  /** Undefined if the machine agent could give none. */
  readonly access: WorkerAccess | undefined;
}

/** The file that the machine agent leaves for a worker. */
export interface WorkerAccess {
  readonly url: string;
  readonly token: string;
  /** The identity of the coordinator at this address. */
  readonly coordinator: string;
}

/** Variables that the machine agent sets in each pane. */
const WORKER = 'DROVER_WORKER';
const ACCESS_FILE = 'DROVER_WORKER_FILE';

/** Maximum number of ancestors that are examined. No shell nests that deep; a process table that changes meanwhile must not delay the command. */
const ANCESTORS_MAX = 64;

type Variables = Readonly<Record<string, string | undefined>>;

/** Queries of the process table; Linux alone answers. */
export interface ProcessTable {
  /** Returns the initial environment of a process; undefined if it cannot be read. */
  environmentOf(pid: number): Variables | undefined;
  /** Returns the origins of a process: its parent, the leaders of its group and of its session. */
  originsOf(pid: number): readonly number[];
}

/** @returns null outside of every pane. @param pid Id of the process that asks. */
export function findWorkerPane(
  own: Variables,
  { pid, table = linuxProcesses }: { pid: number; table?: ProcessTable },
): WorkerPane | null {
  if (isMarked(own)) return paneOf(own);
  for (const variables of originsOf(pid, table)) if (isMarked(variables)) return paneOf(variables);
  return null;
}

/** @throws {CommandError} if the machine agent gave this worker no token. */
export function accessOf({ worker, access }: WorkerPane): WorkerAccess {
  if (access !== undefined) return access;
  throw new CommandError(
    'unauthorized',
    `The worker "${worker}" has no token yet: it gets one when its machine agent is connected. Run the command in a terminal of your own, outside of the pane`,
  );
}

function* originsOf(pid: number, table: ProcessTable): Generator<Variables> {
  const seen = new Set<number>([pid]);
  const waiting = [...table.originsOf(pid)];
  for (let next = waiting.shift(); next !== undefined && seen.size < ANCESTORS_MAX; next = waiting.shift()) {
    if (next <= 0 || seen.has(next)) continue;
    seen.add(next);
    const variables = table.environmentOf(next);
    if (variables !== undefined) yield variables;
    waiting.push(...table.originsOf(next));
  }
}

function isMarked(variables: Variables): boolean {
  return (variables[WORKER] ?? '') !== '';
}

function paneOf(variables: Variables): WorkerPane {
  return { worker: variables[WORKER] ?? '', access: accessIn(variables[ACCESS_FILE]) };
}

function accessIn(file: string | undefined): WorkerPane['access'] {
  if (file === undefined || file === '') return undefined;
  try {
    const found: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof found !== 'object' || found === null) return undefined;
    const { url, token, coordinator } = found as Partial<Record<keyof WorkerAccess, unknown>>;
    const isWhole = typeof url === 'string' && typeof token === 'string' && typeof coordinator === 'string';
    return isWhole ? { url, token, coordinator } : undefined;
  } catch {
    return undefined;
  }
}

const linuxProcesses: ProcessTable = {
  environmentOf: (pid) => {
    const text = textOf(`/proc/${pid}/environ`);
    if (text === undefined) return undefined;
    const pairs = text.split('\0').map((pair): [string, string] => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)];
    });
    return Object.fromEntries(pairs);
  },
  // Fields after the name, which may hold anything: state, parent, process group, session.
  originsOf: (pid) => {
    const text = textOf(`/proc/${pid}/stat`) ?? '';
    const [, ...origins] = text.slice(text.lastIndexOf(')') + 2).split(' ', 4);
    return origins.map(Number).filter((one) => one > 0);
  },
};

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
