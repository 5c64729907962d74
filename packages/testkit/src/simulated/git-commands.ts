/** How does the simulated machine carry out the orders about git? With the outcomes of the real one. */
import type { Command, CommandResult, Pin } from '@drover/core';
import type { SeededRandom } from '../random.ts';
import type { SimGit, SimWorktree } from './git.ts';

/** An order that concerns the worktree alone. */
export type GitCommand = Extract<
  Command,
  {
    kind:
      | 'prepare'
      | 'rebase'
      | 'validate'
      | 'squash'
      | 'fast-forward'
      | 'recycle'
      | 'remove'
      | 'checkpoint'
      | 'restore';
  }
>;

/** The kinds of `GitOp`. */
export const GIT_COMMANDS: ReadonlySet<string> = new Set([
  'prepare',
  'rebase',
  'validate',
  'squash',
  'fast-forward',
  'recycle',
  'remove',
  'checkpoint',
  'restore',
]);

/** How often things go wrong. */
export interface GitLuck {
  readonly random: SeededRandom;
  readonly conflict: number;
  readonly invalid: number;
  readonly failing: number;
}

/** Told when work enters the default branch. */
type OnMerged = (workerId: string, works: readonly string[]) => void;

interface Parts {
  readonly git: SimGit;
  readonly workerId: string;
  readonly luck: GitLuck;
  readonly onMerged: OnMerged;
}

/** Carries out one order, at once and whole. */
export function carryOutGit(parts: Parts, command: GitCommand): CommandResult {
  const { git, workerId, luck } = parts;
  if (luck.random.chance(luck.failing))
    return { kind: 'failed', code: 'disk-full', message: 'no space left on device', retry: true };
  const tree = git.worktrees.get(workerId);
  if (command.kind === 'prepare') return prepare(git, workerId, command);
  if (command.kind === 'remove') return remove(git, workerId, command.force);
  if (command.kind === 'recycle') return recycle(git, workerId, command.commit);
  if (command.kind === 'restore') return restore(git, luck, { workerId, op: command });
  if (tree === undefined) return failed('worktree-missing', 'its worktree is missing', true);
  switch (command.kind) {
    case 'rebase':
      return rebase(git, tree, { luck, at: command.at });
    case 'validate':
      if (tree.head !== command.at.head) return changed(git, tree, command.at.head);
      if (tree.dirty.length > 0) return failed('worktree-dirty', 'changes are not committed', false);
      return luck.random.chance(luck.invalid)
        ? { kind: 'invalid', command: 'npm test', output: 'one test failed' }
        : { kind: 'valid', head: tree.head, tree: git.treeOf(tree.head) };
    case 'squash':
      return squash(git, tree, command);
    case 'fast-forward':
      return fastForward({ ...parts, tree }, command);
    case 'checkpoint':
      return checkpoint(git, tree, command.id);
    default:
      return command satisfies never;
  }
}

function prepare(git: SimGit, workerId: string, command: Extract<Command, { kind: 'prepare' }>): CommandResult {
  const tree = git.ensureWorktree(workerId);
  if (!command.reset) return { kind: 'prepared', base: git.tip, head: tree.head, saved: null };
  const aside = workIn(git, tree);
  git.kept.push(...aside);
  Object.assign(tree, { head: git.tip, dirty: [], rebase: null });
  const saved = aside.length > 0 ? `refs/drover/checkpoints/${command.saveAs}` : null;
  return { kind: 'prepared', base: git.tip, head: git.tip, saved };
}

/** A save is a commit of its own, whose works are those of the worktree at that time. */
function checkpoint(git: SimGit, tree: SimWorktree, id: string): CommandResult {
  const { head, dirty } = tree;
  const last = [...git.saves].findLast(([, save]) => save.head === head && save.dirty.join() === dirty.join());
  const commit = last?.[0] ?? id.replaceAll('-', '');
  git.saves.set(commit, { head, dirty: [...dirty] });
  return { kind: 'checkpointed', commit, head, dirty: dirty.length };
}

/** What stands there is set aside first; a worktree that is gone is made again. */
function restore(
  git: SimGit,
  { random, failing }: GitLuck,
  { workerId, op }: { workerId: string; op: Extract<Command, { kind: 'restore' }> },
): CommandResult {
  const save = git.saves.get(op.commit);
  if (save === undefined || random.chance(failing * DAMAGED_MORE_OFTEN))
    return failed('checkpoint-damaged', `Checkpoint ${op.id} cannot be restored`, false);
  const tree = git.ensureWorktree(workerId);
  const aside = workIn(git, tree);
  git.kept.push(...aside);
  Object.assign(tree, { head: save.head, dirty: [...save.dirty], rebase: null });
  return { kind: 'restored', head: save.head, saved: aside.length > 0 ? `refs/drover/checkpoints/${op.saveAs}` : null };
}

function workIn(git: SimGit, tree: SimWorktree): readonly string[] {
  const merged = new Set(git.merged());
  const all = [...git.worksOf(git.ahead(tree.head, git.tip)), ...tree.dirty, ...(tree.rebase?.works ?? [])];
  return all.filter((work) => !merged.has(work));
}

/** What is there is not what the order names. */
function changed(git: SimGit, { head }: SimWorktree, from: string): CommandResult {
  return { kind: 'changed', head, why: `${git.ahead(head, from).length} commit(s) came after what was reviewed` };
}

function rebase(
  git: SimGit,
  tree: SimWorktree,
  { luck: { random, conflict }, at }: { readonly luck: GitLuck; readonly at: Pin | null },
): CommandResult {
  const from = at?.head ?? tree.head;
  if (tree.head !== from && !isRebaseOf(git, tree, from)) return changed(git, tree, from);
  if (tree.dirty.length > 0) return failed('worktree-dirty', 'changes are not committed', false);
  // Git leaves out what the default branch has already, under whatever name.
  const merged = new Set(git.merged());
  const own = tree.rebase?.works ?? git.worksOf(git.ahead(tree.head, git.tip));
  const works = own.filter((work) => !merged.has(work));
  const isOn = tree.rebase === null && git.isAncestor(git.tip, tree.head);
  tree.rebase = null;
  const rebased = (unseen: string | null): CommandResult => {
    const { head } = tree;
    return { kind: 'rebased', base: git.tip, from, head, tree: git.treeOf(head), moved: head !== from, unseen };
  };
  if (isOn) return rebased(null);
  if (works.length > 0 && random.chance(conflict)) {
    tree.rebase = { onto: git.tip, works, unmerged: 1 };
    return { kind: 'conflict', files: ['a.txt'], prompt: `Resolve the conflicts (${tree.head})` };
  }
  tree.head = works.length > 0 ? git.commit(git.tip, works) : git.tip;
  return rebased(works.length > 0 && random.chance(conflict) ? 'the default branch changes the same file' : null);
}

/** An order whose answer was lost has rebased it already. */
function isRebaseOf(git: SimGit, { head }: SimWorktree, from: string): boolean {
  const own = (commit: string): string => git.worksOf(git.ahead(commit, git.tip)).join(' ');
  return own(head) === own(from);
}

function squash(git: SimGit, tree: SimWorktree, { base, at }: Extract<Command, { kind: 'squash' }>): CommandResult {
  if (tree.dirty.length > 0) return failed('worktree-dirty', 'changes are not committed', false);
  if (!git.isAncestor(base, tree.head)) return failed('not-rebased', `the work does not stand on ${base}`, false);
  const ahead = git.ahead(tree.head, base);
  if (ahead.length === 0) return { kind: 'nothing-to-merge' };
  // The same works on the same commit are what an order whose answer was lost has made of it.
  const isSquashed = ahead.length === 1 && git.treeOf(tree.head) === at.tree;
  if (tree.head !== at.head && !isSquashed) return changed(git, tree, at.head);
  if (ahead.length > 1) tree.head = git.commit(base, git.worksOf(ahead));
  return { kind: 'squashed', commit: tree.head, tree: git.treeOf(tree.head), expected: base };
}

function fastForward(
  { git, workerId, onMerged, tree }: Parts & { readonly tree: SimWorktree },
  command: Extract<Command, { kind: 'fast-forward' }>,
): CommandResult {
  const { expected, commit } = command;
  if (git.isAncestor(commit, git.tip)) return { kind: 'merged', commit };
  if (git.tip !== expected) return { kind: 'moved', now: git.tip };
  if (tree.head !== commit) return changed(git, tree, commit);
  if (git.sourceIsDirty) return { kind: 'blocked', why: 'the source has changes that would be overwritten' };
  onMerged(workerId, git.worksOf(git.ahead(commit, git.tip)));
  git.tip = commit;
  return { kind: 'merged', commit };
}

function recycle(git: SimGit, workerId: string, commit: string): CommandResult {
  const tree = git.worktrees.get(workerId);
  if (!git.isAncestor(commit, git.tip)) return failed('not-recycled', `${commit} is not in the default branch`, false);
  if (tree !== undefined && workIn(git, tree).length > 0)
    return git.ahead(tree.head, commit).length > 0
      ? changed(git, tree, commit)
      : failed('not-recycled', 'the worktree holds work that is not merged', false);
  git.worktrees.set(workerId, { head: git.tip, dirty: [], rebase: null });
  return { kind: 'recycled', base: git.tip };
}

/** A restore meets a damaged checkpoint this many times as often as another order fails. */
const DAMAGED_MORE_OFTEN = 5;

function remove(git: SimGit, workerId: string, force: boolean): CommandResult {
  const tree = git.worktrees.get(workerId);
  const work = tree === undefined ? [] : workIn(git, tree);
  if (work.length > 0 && !force) return { kind: 'not-removed', why: `${work.length} commit(s) are not merged` };
  git.kept.push(...work);
  const branch = git.branches.get(workerId);
  if (tree === undefined && branch !== undefined) git.kept.push(...git.worksOf(git.ahead(branch, git.tip)));
  git.branches.delete(workerId);
  git.worktrees.delete(workerId);
  return { kind: 'removed', kept: work.length > 0 ? 'refs/drover/trash' : null };
}

function failed(code: string, message: string, retry: boolean): CommandResult {
  return { kind: 'failed', code, message, retry };
}
