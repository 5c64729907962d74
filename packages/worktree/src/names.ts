/** Names Drover's branches, directories and refs, and refuses unsafe names. */
import { branchOfWorker } from '@drover/core';
import type { Git } from './git/git.ts';
import { GitError } from './git/git-error.ts';

/** Refs that keep uncommitted work. Hidden from `git branch`. */
export const CHECKPOINTS = 'refs/drover/checkpoints';
/** Refs that keep what a person requested to be deleted. */
export const TRASH = 'refs/drover/trash';
/** Refs in the source repository that hold a commit while its default branch is being advanced. */
export const INCOMING = 'refs/drover/incoming';

/** The person git names for commits that Drover makes for itself (checkpoints, trash). */
export const KEEPER = { name: 'Drover', email: 'drover@localhost' } as const;

/** Names become branches, directories, refs and tmux sessions. */
const WORKER_NAME = /^[a-z][a-z0-9-]{0,30}$/;
const REF_COMPONENT = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
// The rules of git-check-ref-format that a plain revision or branch name can break, and a leading dash.
// oxlint-disable-next-line eslint/no-control-regex
const UNSAFE_REVISION = /^-|^$|[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\.lock$|\/$/;
// oxlint-disable-next-line eslint/no-control-regex
const UNSAFE_DIRECTORY = /[\u0000\n\r:]/;

/** The branch of a worker, in the repository that a git works for. @throws {GitError} `bad-name`. */
export function workerBranch({ branchPrefix }: Pick<Git, 'branchPrefix'>, worker: string): string {
  return branchOfWorker(workerName(worker), branchPrefix);
}

/** The directory that holds the places of the project's workers. */
export function placesIn(root: string): string {
  return `${root}/.worktrees`;
}

/** Path of a worker's place under the project's root. @throws {GitError} `bad-name`. */
export function worktreePath(root: string, worker: string): string {
  return `${placesIn(root)}/${workerName(worker)}`;
}

/** The ref of one checkpoint. @throws {GitError} `bad-name`. */
export function checkpointRef(worker: string, id: string): string {
  return `${CHECKPOINTS}/${workerName(worker)}/${refComponent(id)}`;
}

/** The ref of one piece of trash. @throws {GitError} `bad-name`. */
export function trashRef(worker: string, id: string): string {
  return `${TRASH}/${workerName(worker)}/${refComponent(id)}`;
}

/** @throws {GitError} `bad-name` unless it can be a worker's name. */
export function workerName(name: string): string {
  if (WORKER_NAME.test(name)) return name;
  throw new GitError(
    'bad-name',
    `${quote(name)} cannot name a worker: use a-z, 0-9 and "-", a letter first, at most 31`,
  );
}

/** @throws {GitError} `bad-name` unless it can be the last part of a ref. */
export function refComponent(id: string): string {
  if (REF_COMPONENT.test(id)) return id;
  throw new GitError('bad-name', `${quote(id)} cannot be an id: use letters, digits, "-" and "_", at most 64`);
}

/** Refuses revisions and branch names that git would read as an option or as an expression. */
export function safeRevision(revision: string): string {
  if (!UNSAFE_REVISION.test(revision)) return revision;
  throw new GitError('bad-name', `${quote(revision)} is not a plain branch name or commit`);
}

/** Says why git cannot work in a directory: its files hold one path on each line, and its lists of paths are split at `:`. Null: it can. */
export function directoryProblem(path: string): string | null {
  if (path.startsWith('/') && !UNSAFE_DIRECTORY.test(path)) return null;
  return `${quote(path)} cannot be used as a directory: give an absolute path without line breaks or ":"`;
}

/** Refuses a directory in which git cannot work. @throws {GitError} `bad-name`. */
export function safeDirectory(path: string): string {
  const problem = directoryProblem(path);
  if (problem !== null) throw new GitError('bad-name', problem);
  return path;
}

/** A name in quotes with control characters escaped, for messages and prompts. */
export function quote(name: string): string {
  return JSON.stringify(name);
}
