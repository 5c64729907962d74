/** Examines whether a worktree on this machine would get the files that the project needs beside its commits. For `doctor`, without a worktree. */
import { tellFilters, tellForbidden, tellRefused, tellUnmatched } from '@drover/core';
// oxlint-disable-next-line no-restricted-imports -- for commands of a person, on the machine of that person
import { createLocalHost } from '@drover/host';
import { findCopyFiles, gitOn, hasLfs, missingFilters, usesLfs } from '@drover/worktree';
import type { Git } from '@drover/worktree';
import { installHint, type Finding } from './local-project.ts';

/** Sources of a worktree. */
interface SuppliesWanted {
  readonly source: string;
  /** Patterns of `repo.copy_files`. */
  readonly patterns: readonly string[];
  /** Patterns of `agent.allowed_copy_files`; null: any. */
  readonly allowed: readonly string[] | null;
}

/** Makes one finding for the files to copy, one for Git LFS and one for other filters; none for unused features. @throws {GitError} */
export async function examineSupplies(
  env: Readonly<Record<string, string | undefined>>,
  wanted: SuppliesWanted,
): Promise<readonly Finding[]> {
  const git = gitOn(createLocalHost({ env }));
  const { source } = wanted;
  return [
    ...(await examineCopies(git, wanted)),
    ...(await examineLfs(git, source)),
    ...(await examineFilters(git, source)),
  ];
}

async function examineCopies(git: Git, { source, patterns, allowed }: SuppliesWanted): Promise<readonly Finding[]> {
  if (patterns.length === 0) return [];
  const isAllowed = (pattern: string): boolean => allowed?.includes(pattern) ?? true;
  const forbidden = patterns.filter((pattern) => !isAllowed(pattern));
  const { copied, refused, unmatched } = await findCopyFiles(git, { source, patterns: patterns.filter(isAllowed) });
  const lacks = [
    ...(unmatched.length === 0 ? [] : [tellUnmatched(unmatched)]),
    ...(forbidden.length === 0 ? [] : [tellForbidden(forbidden)]),
    ...tellRefused({ count: refused.length, files: refused }),
  ];
  const found = `${copied.length} file(s) of the source match repo.copy_files`;
  return [{ what: 'copy_files', ok: lacks.length === 0, says: lacks.length === 0 ? found : lacks.join(' ') }];
}

async function examineFilters(git: Git, source: string): Promise<readonly Finding[]> {
  const missing = await missingFilters(git, source);
  return missing.length === 0 ? [] : [{ what: 'filters', ok: false, says: tellFilters(missing) }];
}

async function examineLfs(git: Git, source: string): Promise<readonly Finding[]> {
  if (!(await usesLfs(git, source))) return [];
  const what = 'Git LFS';
  if (await hasLfs(git, source)) return [{ what, ok: true, says: 'the repository uses it, and git-lfs is installed' }];
  const says = `the repository uses it, and git-lfs is not installed on this machine: agents get pointers instead of files, and large files of theirs cannot be merged to an address. Install it (${installHint('git-lfs')})`;
  return [{ what, ok: false, says }];
}
