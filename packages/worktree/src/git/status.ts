/** Reads the changes in a worktree from `git status --porcelain=v2 -z`. */
import { listUnchanged, type Unstaged } from './converted.ts';
import { DEADLINES_MS, type Git, type GitCall, git } from './git.ts';

/** Changed path. The two letters are git's: index against HEAD, worktree against index; `.` is unchanged. */
export interface FileChange {
  readonly path: string;
  readonly kind: 'tracked' | 'untracked' | 'unmerged';
  readonly letters: string;
}

/** Unmerged path with its stages: 1 the common ancestor, 2 the default branch, 3 the worker's commit. */
export interface UnmergedEntry {
  readonly path: string;
  /** `DD AU UD UA DU AA UU`. */
  readonly letters: string;
  /** Octal file modes of stages 1, 2, 3; `000000` where a stage is absent. */
  readonly modes: readonly [string, string, string];
  /** Blob ids of stages 1, 2, 3; zeros where a stage is absent. */
  readonly blobs: readonly [string, string, string];
}

/** Answer of one status call. */
export interface Status {
  /** The commit at HEAD; undefined before the first commit. */
  readonly head: string | undefined;
  /** The branch checked out; undefined when HEAD is detached. */
  readonly branch: string | undefined;
  readonly changes: readonly FileChange[];
  readonly unmerged: readonly UnmergedEntry[];
  /** Files that git calls changed, with the bytes of the index: a checkout that writes them needs `--force`, and git begins no rebase. */
  readonly converted: readonly FileChange[];
}

/** Listing of untracked files: `all` one by one, `normal` directories as one, `no` none. */
type Untracked = 'all' | 'normal' | 'no';

/**
 * Reads the state of a worktree without taking a lock. A file whose bytes are those of the index is no change, whatever git says of it.
 *
 * @throws {GitError}
 */
export async function readStatus(context: Git, at: string, untracked: Untracked = 'all'): Promise<Status> {
  const args = ['status', '--porcelain=v2', '-z', '--branch', '--no-renames', `--untracked-files=${untracked}`];
  return statusBy(context, args, { at, action: 'read the status', timeoutMs: DEADLINES_MS.read, reads: true });
}

/** The same by a call of the caller's own, whose arguments print NUL-separated records of version 2. @throws {GitError} */
export async function statusBy(context: Git, args: readonly string[], call: GitCall): Promise<Status> {
  const { unstaged, ...status } = parseStatus((await git(context, args, call)).stdout);
  const unchanged = unstaged.length === 0 ? NONE : await listUnchanged(context, call, unstaged);
  const changes = status.changes.filter(({ path }) => !unchanged.has(path));
  return { ...status, changes, converted: status.changes.filter(({ path }) => unchanged.has(path)) };
}

/** Files for which git begins no rebase. */
export function inTheWay({ changes, converted }: Status): readonly FileChange[] {
  return [...changes, ...converted];
}

const NONE: ReadonlySet<string> = new Set();

/** A status as git tells it. */
interface TextStatus extends Omit<Status, 'converted'> {
  /** Changes whose content alone differs, in the worktree alone. */
  readonly unstaged: readonly Unstaged[];
}

/** Parses the NUL-separated records. Pure; unknown records are passed over, as git's manual asks. */
export function parseStatus(text: string): TextStatus {
  let head: string | undefined;
  let branch: string | undefined;
  const changes: FileChange[] = [];
  const unmerged: UnmergedEntry[] = [];
  const unstaged: Unstaged[] = [];
  for (const record of text.split('\0')) {
    if (record.startsWith('# branch.oid ')) head = valueUnless(record.slice(13), '(initial)');
    else if (record.startsWith('# branch.head ')) branch = valueUnless(record.slice(14), '(detached)');
    else if (record.startsWith('? ')) changes.push({ path: record.slice(2), kind: 'untracked', letters: '??' });
    else if (record.startsWith('1 ')) {
      const { change, blob } = trackedChange(record);
      changes.push(change);
      if (blob !== undefined) unstaged.push({ path: change.path, blob });
    } else if (record.startsWith('u ')) {
      const entry = unmergedEntry(record);
      unmerged.push(entry);
      changes.push({ path: entry.path, kind: 'unmerged', letters: entry.letters });
    }
  }
  return { head, branch, changes, unmerged, unstaged };
}

function valueUnless(value: string, absent: string): string | undefined {
  return value === absent ? undefined : value;
}

/** `1 XY sub mH mI mW hH hI path`. `blob`: the one of the index, where the content of a plain file is all that differs from it. */
function trackedChange(record: string): { readonly change: FileChange; readonly blob: string | undefined } {
  const { fields, rest } = split(record, 8);
  const [, letters = '', , , indexMode = '', mode, , blob] = fields;
  const isContent = letters === '.M' && indexMode === mode && mode.startsWith('100');
  return { change: { path: rest, kind: 'tracked', letters }, blob: isContent ? blob : undefined };
}

/** Parses `u XY sub m1 m2 m3 mW h1 h2 h3 path`. */
function unmergedEntry(record: string): UnmergedEntry {
  const { fields, rest } = split(record, 10);
  const field = (index: number): string => fields[index] ?? '';
  return {
    path: rest,
    letters: field(1),
    modes: [field(3), field(4), field(5)],
    blobs: [field(7), field(8), field(9)],
  };
}

/** The first `count` words and what follows them, which may hold spaces. */
function split(record: string, count: number): { fields: string[]; rest: string } {
  const words = record.split(' ');
  return { fields: words.slice(0, count), rest: words.slice(count).join(' ') };
}
