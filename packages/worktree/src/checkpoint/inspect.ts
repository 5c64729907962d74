/** Verifies a checkpoint, and reads what it holds. */
import { readKept } from './checkpoint.ts';
import type { SkippedFile } from './note.ts';
import { DEADLINES_MS, type Git, git } from '../git/git.ts';
import { safeRevision } from '../names.ts';
import type { Operation } from '../rebase/operation.ts';
import { commitOf, reading } from '../git/revisions.ts';
import { type LineCounts, parseNumstat } from '../review/review.ts';

/** Bytes of a list of object ids: those of a million files. */
const OBJECTS_BYTES_MAX = 48 * 1024 * 1024;

/** Tells whether a checkpoint can be restored. */
type Verification = { readonly kind: 'whole' } | { readonly kind: 'damaged'; readonly why: string };

/** A checkpoint in a repository; `path` is the repository or any of its worktrees. */
interface CheckpointPlace {
  readonly path: string;
  readonly commit: string;
}

/**
 * Looks for every object of HEAD, index and files, as `git fsck --connectivity-only` would for this one commit. Does
 * not check the content of objects that are there.
 *
 * @throws {GitError}
 */
export async function verifyCheckpoint(context: Git, { path, commit }: CheckpointPlace): Promise<Verification> {
  if ((await commitOf(context, path, commit)) === undefined) {
    return { kind: 'damaged', why: `its commit ${safeRevision(commit)} is not in "${path}"` };
  }
  const call = {
    ...reading(path, 'verify the checkpoint'),
    timeoutMs: DEADLINES_MS.write,
    allow: [1, 128],
    maxOutputBytes: OBJECTS_BYTES_MAX,
  };
  const roots = [commit, `${commit}^@`];
  const walk = await git(context, ['rev-list', '--objects', '--no-object-names', '--no-walk', ...roots, '--'], call);
  if (walk.status !== 0) return { kind: 'damaged', why: lastLine(walk.stderr) };
  const read = await git(context, ['cat-file', '--batch-check=%(objectname)'], {
    ...call,
    input: walk.stdout,
  });
  const missing = read.stdout.split('\n').filter((line) => line.endsWith(' missing'));
  if (missing.length > 0)
    return { kind: 'damaged', why: `${missing.length} of its objects are missing: ${missing[0]}` };
  return read.status === 0 ? { kind: 'whole' } : { kind: 'damaged', why: lastLine(read.stderr) };
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? 'git gives no reason';
}

/** Content of a checkpoint. */
interface CheckpointContent {
  readonly head: string;
  /** Uncommitted work against that HEAD. */
  readonly files: readonly LineCounts[];
  readonly skipped: readonly SkippedFile[];
  readonly during: Operation | undefined;
  readonly why: string;
}

/** Reads what a checkpoint holds. @throws {GitError} `unknown-revision` when it is not there. */
export async function readCheckpoint(context: Git, { path, commit }: CheckpointPlace): Promise<CheckpointContent> {
  const { head, note } = await readKept(context, path, safeRevision(commit));
  const options = ['--no-ext-diff', '--no-textconv', '--no-color', '--find-renames', '--submodule=short'];
  const call = { ...reading(path, 'count the changes'), timeoutMs: DEADLINES_MS.write };
  const { stdout } = await git(context, ['diff', ...options, '--numstat', '-z', head, commit, '--'], call);
  return { head, files: parseNumstat(stdout), ...note };
}
