/** Lists the conflicting files of a rebase, and the type of each conflict. Reads the type from git's stages, the regions from the file. */
import { type Git, gitText } from '../git/git.ts';
import { type ConflictRegion, parseRegions } from './conflict-regions.ts';
import { type RebaseProgress, rebaseProgress } from '../worktrees/facts.ts';
import { reading } from '../git/revisions.ts';
import { type UnmergedEntry, readStatus } from '../git/status.ts';

/**
 * Type of a path's conflict. In a rebase stage 2 ("ours") is the default branch and stage 3 ("theirs") the worker's
 * commit; `deletedBy` says so in plain words. `file-directory` is a file where the other side has a directory, or a
 * path that a rename on the other side moved.
 */
export type ConflictType =
  | { readonly kind: 'content' | 'add-add' | 'binary' | 'submodule' | 'mode' | 'rename-rename' | 'file-directory' }
  | { readonly kind: 'modify-delete'; readonly deletedBy: 'default' | 'worker' };

export interface ConflictFile {
  readonly path: string;
  readonly type: ConflictType;
  /** Regions between markers; empty for types that have none. `regionCount` counts all, `regions` may be fewer. */
  readonly regionCount: number;
  readonly regions: readonly ConflictRegion[];
}

/** Rebase that stopped on conflicts. */
export interface Conflicts {
  readonly progress: RebaseProgress;
  /** The subject of the commit that does not apply. */
  readonly subject: string;
  readonly files: readonly ConflictFile[];
}

/** Bytes of a conflicted file that are read for its regions. */
const FILE_BYTES_MAX = 2 * 1024 * 1024;
const ABSENT = '000000';

/** Reads the conflicts of the rebase that stopped in a worktree, or undefined when none did. @throws {GitError} */
export async function readConflicts(context: Git, at: string): Promise<Conflicts | undefined> {
  const status = await readStatus(context, at, 'no');
  const progress = await rebaseProgress(context, at, status);
  if (progress === undefined) return undefined;
  const hasRename = status.unmerged.some((entry) => entry.letters === 'DD');
  const files: ConflictFile[] = [];
  for (const entry of status.unmerged) files.push(await describe(context, { at, entry, hasRename }));
  return { progress, subject: await stoppedSubject(context, at, status.unmerged.length > 0), files };
}

async function stoppedSubject(context: Git, at: string, stands: boolean): Promise<string> {
  if (!stands) return '';
  const args = ['log', '-1', '--format=%s', 'REBASE_HEAD', '--'];
  return gitText(context, args, reading(at, 'read the commit that does not apply'));
}

async function describe(
  context: Git,
  { at, entry, hasRename }: { at: string; entry: UnmergedEntry; hasRename: boolean },
): Promise<ConflictFile> {
  const type = conflictType(entry, { hasRename });
  const text =
    type.kind === 'content' || type.kind === 'add-add' ? await readPlain(context, `${at}/${entry.path}`) : undefined;
  if (text === undefined) return { path: entry.path, type, regionCount: 0, regions: [] };
  if (text.includes('\0')) return { path: entry.path, type: { kind: 'binary' }, regionCount: 0, regions: [] };
  const regions = parseRegions(text);
  return { path: entry.path, type, regionCount: regions.length, regions };
}

/** The text of a plain file; nothing behind a link is read, for a link in a repository may lead anywhere. */
async function readPlain(context: Git, path: string): Promise<string | undefined> {
  if ((await context.files.stat(path))?.kind !== 'file') return undefined;
  return context.files.readFile(path, { maxBytes: FILE_BYTES_MAX });
}

/** The type by stages alone. Pure. Binary files look like `content` here. */
function conflictType(entry: UnmergedEntry, { hasRename }: { readonly hasRename: boolean }): ConflictType {
  const { letters, modes, blobs } = entry;
  if (modes.includes('160000')) return { kind: 'submodule' };
  switch (letters) {
    case 'UD':
      return { kind: 'modify-delete', deletedBy: 'worker' };
    case 'DU':
      return { kind: 'modify-delete', deletedBy: 'default' };
    case 'DD':
      return { kind: 'rename-rename' };
    case 'AU':
    case 'UA':
      if (hasRename) return { kind: 'rename-rename' };
      return { kind: 'file-directory' };
    default:
      break;
  }
  const sameContent = blobs[1] === blobs[2] && modes[1] !== modes[2];
  if (sameContent || fileType(modes[1]) !== fileType(modes[2])) return { kind: 'mode' };
  return { kind: modes[0] === ABSENT ? 'add-add' : 'content' };
}

/** `100` for plain files, `120` for symbolic links. */
function fileType(mode: string): string {
  return mode.slice(0, 3);
}
