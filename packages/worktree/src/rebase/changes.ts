/** Lists the paths that differ between two commits, with what each has there, and the renames. */
import { DEADLINES_MS, git } from '../git/git.ts';
import type { ObjectView } from '../review/object-view.ts';

/** Entry of a commit at a path. Modes are git's: `100755` is executable, `120000` a symbolic link, `160000` a submodule. */
export interface Entry {
  readonly mode: string;
  readonly blob: string;
}

/** A path before and after; null where nothing is there. */
export interface Change {
  readonly before: Entry | null;
  readonly after: Entry | null;
}

/** Differences of two commits. A renamed file is deleted at its old path and added at its new one. */
export interface Changes {
  readonly paths: ReadonlyMap<string, Change>;
  /** Old path → new path. */
  readonly renames: ReadonlyMap<string, string>;
}

/** Compares two commits or trees. @throws {GitError} */
export async function readChanges(
  { git: context, call }: ObjectView,
  [from, to]: readonly [string, string],
): Promise<Changes> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--find-renames', from, to];
  const place = { ...call, action: 'compare two commits', timeoutMs: DEADLINES_MS.write };
  return parseChanges((await git(context, args, place)).stdout);
}

/** `:mode mode id id letter` NUL `path` NUL, with a second path after a rename. Pure. */
function parseChanges(text: string): Changes {
  const paths = new Map<string, Change>();
  const renames = new Map<string, string>();
  const fields = text.split('\0');
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [beforeMode = '', afterMode = '', before = '', after = '', letter = ''] = (fields[index] ?? '')
      .slice(1)
      .split(' ');
    const path = fields[index + 1] ?? '';
    const change = { before: entry(beforeMode, before), after: entry(afterMode, after) };
    if (!letter.startsWith('R')) {
      paths.set(path, change);
      continue;
    }
    index += 1;
    const renamed = fields[index + 1] ?? '';
    renames.set(path, renamed);
    paths.set(path, { before: change.before, after: paths.get(path)?.after ?? null });
    paths.set(renamed, { before: paths.get(renamed)?.before ?? null, after: change.after });
  }
  return { paths, renames };
}

function entry(mode: string, blob: string): Entry | null {
  return mode === '000000' ? null : { mode, blob };
}

/** Tells whether two commits have the same at a path. */
export function isSame(one: Entry | null, other: Entry | null): boolean {
  return one?.mode === other?.mode && one?.blob === other?.blob;
}

/** Tells whether it is a plain file, whose text could be merged. */
export function isFile(entry: Entry | null): entry is Entry {
  return entry !== null && entry.mode.startsWith('100');
}
