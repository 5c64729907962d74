/** Supplies a worktree with what it needs beside its commits, and reports what it got. */
import type { Git } from '../git/git.ts';
import { filtersIn, missingAmong } from '../project/converters.ts';
import { type LfsReport, pullLfs } from '../project/lfs.ts';
import { type CopyReport, copyFiles } from './copy-files.ts';

/** Things that a worktree got beside its commits, and those that it did not get. */
export interface SupplyReport {
  readonly copied: CopyReport;
  readonly lfs: LfsReport;
  /** Names of filters that its attributes ask for, and that nothing sets up there. */
  readonly filters: readonly string[];
}

/** Copies the ignored files that the project names, and fetches LFS files. Safe to repeat. @throws {GitError} */
export async function supply(context: Git, wanted: Parameters<typeof copyFiles>[1]): Promise<SupplyReport> {
  const copied = await copyFiles(context, wanted);
  const named = await filtersIn(context, wanted.worktree);
  return {
    copied,
    lfs: named.has('lfs') ? await pullLfs(context, wanted.worktree) : { kind: 'not-used' },
    filters: await missingAmong(context, wanted.worktree, named),
  };
}
