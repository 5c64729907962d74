/** Carries out the commands about git on the simulated machine, with the outcomes of the real one. */
import type { Command, CommandResult, Gitlink, Pin, Verdict } from '@drover/core';
import { extend } from './extend.ts';
import type { GitLuck, Parts } from './git-parts.ts';
import type { SimGit } from './git.ts';
import type { SimWorktree } from './worktree.ts';
import { droppedFrom, ownWorks } from './rewrites.ts';

/** Command that concerns the worktree alone. */
export type GitCommand = Extract<
  Command,
  {
    kind:
      | 'prepare'
      | 'rebase'
      | 'validate'
      | 'resolution'
      | 'candidate'
      | 'extend'
      | 'publish'
      | 'prove'
      | 'recycle'
      | 'remove'
      | 'checkpoint'
      | 'restore';
  }
>;

export const GIT_COMMANDS: ReadonlySet<string> = new Set([
  'prepare',
  'rebase',
  'validate',
  'resolution',
  'candidate',
  'extend',
  'publish',
  'prove',
  'recycle',
  'remove',
  'checkpoint',
  'restore',
]);

/** Kinds for which the depot asks the position of the default branch, and keeps it. */
const OF_MAIN: ReadonlySet<string> = new Set(['candidate', 'rebase', 'publish', 'prove', 'recycle']);

/** Carries out a command at once and whole. */
export function carryOutGit(parts: Parts, command: GitCommand): CommandResult {
  const { git, workerId, luck } = parts;
  if (luck.random.chance(luck.failing))
    return { kind: 'failed', code: 'disk-full', message: 'no space left on device', retry: true };
  if (OF_MAIN.has(command.kind)) git.mains.add(git.tip);
  const tree = git.worktrees.get(workerId);
  if (command.kind === 'prepare') return prepare(git, workerId, command);
  if (command.kind === 'remove') return remove(git, workerId, command.force);
  if (command.kind === 'recycle') return recycle(git, workerId, command);
  if (command.kind === 'publish') return publish(parts, command);
  if (command.kind === 'extend') return extend(parts, command);
  if (command.kind === 'prove') return prove(git, command.commit);
  if (command.kind === 'restore') return restore(git, luck, { workerId, command });
  if (tree === undefined) return failed('worktree-missing', 'its worktree is missing', true);
  switch (command.kind) {
    case 'rebase':
      return rebase(git, tree, { luck, ...command });
    case 'resolution':
      return resolution(git, tree, command);
    case 'candidate':
      return candidate(parts, tree, command);
    case 'validate':
      return luck.random.chance(luck.invalid) || git.isBroken(command.at.head)
        ? { kind: 'invalid', command: checksOf(parts), output: 'one test failed' }
        : { kind: 'valid', head: command.at.head, tree: git.treeOf(command.at.head), checks: checksOf(parts) };
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
  const head = command.from ?? git.tip;
  Object.assign(tree, { head, dirty: [], rebase: null, isAstray: false, signs: false });
  const saved = aside.length > 0 ? `refs/drover/checkpoints/${command.saveAs}` : null;
  return { kind: 'prepared', base: git.tip, head, saved };
}

/** Saves the worktree in a commit of its own, with the works that the worktree holds at that time. */
function checkpoint(git: SimGit, tree: SimWorktree, id: string): CommandResult {
  const { head, dirty } = tree;
  const last = [...git.saves].findLast(([, save]) => save.head === head && save.dirty.join() === dirty.join());
  const commit = last?.[0] ?? id.replaceAll('-', '').padEnd(40, '0');
  git.saves.set(commit, { head, dirty: [...dirty] });
  return { kind: 'checkpointed', commit, head, dirty: dirty.length };
}

/** Sets aside the work in the worktree first, and makes a missing worktree again. */
function restore(
  git: SimGit,
  { random, failing }: GitLuck,
  { workerId, command }: { workerId: string; command: Extract<Command, { kind: 'restore' }> },
): CommandResult {
  const save = git.saves.get(command.commit);
  if (save === undefined || random.chance(failing * DAMAGED_MORE_OFTEN))
    return failed('checkpoint-damaged', `Checkpoint ${command.id} cannot be restored`, false);
  const tree = git.ensureWorktree(workerId);
  const aside = workIn(git, tree);
  git.kept.push(...aside);
  Object.assign(tree, { head: save.head, dirty: [...save.dirty], rebase: null, isAstray: false, signs: false });
  return {
    kind: 'restored',
    head: save.head,
    saved: aside.length > 0 ? `refs/drover/checkpoints/${command.saveAs}` : null,
  };
}

function workIn(git: SimGit, tree: SimWorktree): readonly string[] {
  const merged = new Set(git.merged());
  const all = [...git.worksOf(git.ahead(tree.head, git.tip)), ...tree.dirty, ...(tree.rebase?.works ?? [])];
  return all.filter((work) => !merged.has(work));
}

/** Says that the worktree is not at the commit that the command names. */
function changed(git: SimGit, { head }: SimWorktree, from: string): CommandResult {
  return { kind: 'changed', head, why: `${git.ahead(head, from).length} commit(s) came after what was reviewed` };
}

/** Facts for a rebase onto the default branch. */
interface Putting {
  readonly luck: GitLuck;
  readonly at: Pin | null;
  readonly began: string | null;
}

/** Makes the work one commit first: an aborted rebase puts the branch back on that commit. */
function rebase(git: SimGit, tree: SimWorktree, { luck: { random, conflict }, at, began }: Putting): CommandResult {
  const from = at?.head ?? tree.head;
  const own = (head: string): readonly string[] => ownWorks(git, head, droppedFrom(git, { head, known: [began] }));
  // A command whose answer was lost has rebased it already.
  if (tree.head !== from && own(tree.head).join(' ') !== own(from).join(' ')) return changed(git, tree, from);
  if (tree.dirty.length > 0) return failed('worktree-dirty', 'changes are not committed', false);
  const beyond = droppedFrom(git, { head: tree.head, known: [began] });
  const merged = new Set(git.merged());
  const works = tree.rebase?.works.filter((work) => !merged.has(work)) ?? own(tree.head);
  const isOn = tree.rebase === null && beyond === null && git.isAncestor(git.tip, tree.head);
  tree.rebase = null;
  const rebased = (): CommandResult => {
    const { head } = tree;
    return { kind: 'rebased', base: git.tip, from, head, moved: head !== from };
  };
  if (isOn) return rebased();
  if (works.length > 0 && random.chance(conflict)) {
    tree.rebase = { onto: git.tip, works, unmerged: 1, botched: null };
    const prompt = `Resolve the conflicts (${tree.head})`;
    const left = beyond === null ? {} : { beyond };
    return { kind: 'conflict', files: ['a.txt'], prompt, onto: git.tip, orig: tree.head, ...left };
  }
  tree.head = works.length > 0 ? git.commit(git.tip, works) : git.tip;
  return rebased();
}

/** Judges in the order of the real machine: a rebase under way, the base of the branch, then its commit. */
function resolution(git: SimGit, tree: SimWorktree, command: Extract<Command, { kind: 'resolution' }>): CommandResult {
  const judged = (verdict: Verdict, why: string): CommandResult => {
    const prompt = ['aborted', 'resolved'].includes(verdict) ? '' : `Mend it (${tree.head})`;
    return { kind: 'judged', verdict, head: tree.head, why, prompt, notes: [] };
  };
  if (tree.rebase?.botched != null) return judged(tree.rebase.botched, 'ended the rebase wrongly');
  if (tree.rebase !== null) return judged('in-progress', 'stopped with 1 file(s) not merged');
  if (git.isAncestor(command.onto, tree.head)) return judged('resolved', 'has resolved the conflicts');
  const isBack = tree.head === command.orig;
  return isBack ? judged('aborted', 'aborted the rebase') : judged('elsewhere', 'ended the rebase on another base');
}

/** Leaves the worktree as it is. The same HEAD on the same default branch gives the same commit. */
function candidate(
  parts: Parts,
  tree: SimWorktree,
  { at, began }: { readonly at: Pin | null; readonly began: string | null },
): CommandResult {
  const { git, workerId, luck } = parts;
  const { random, conflict } = luck;
  const head = at?.head ?? tree.head;
  if (tree.head !== head || tree.rebase !== null) return changed(git, tree, head);
  const base = git.tip;
  const dropped = droppedFrom(git, { head, known: [began, at?.against] });
  if (dropped !== null) return { kind: 'rewritten', head, base, dropped };
  const works = ownWorks(git, head, null);
  if (works.length === 0) return { kind: 'contained', head, base };
  if (!git.isAncestor(base, head) && random.chance(conflict)) return { kind: 'clash', head, base, files: ['a.txt'] };
  const commit = git.commitOnce(base, works);
  git.owners.set(commit, workerId);
  return {
    kind: 'candidate',
    head,
    headTree: git.treeOf(head),
    base,
    commit,
    tree: git.treeOf(commit),
    checks: checksOf(parts),
    notes: [],
    ...(git.namesLost(works) && { gitlinks: [judged(luck)] }),
  };
}

/** A candidate's address fails to answer this many times as often as another command fails. */
const SILENT_MORE_OFTEN = 40;

/** Answer of an address that nobody can fetch from, if the address answers. */
function judged({ random, failing }: GitLuck): Gitlink {
  const about = { path: 'frontend', commit: 'f'.repeat(40) };
  const isSilent = random.chance(Math.min(0.5, failing * SILENT_MORE_OFTEN));
  if (!isSilent) return { ...about, address: null, found: 'nowhere', why: '' };
  return { ...about, address: 'https://host.example/lib', found: 'unknown', why: 'could not be asked' };
}

function checksOf({ checks = 'npm test' }: Parts): string {
  return checks;
}

function publish(
  { git, workerId, onMerged }: Parts,
  { base, commit }: Extract<Command, { kind: 'publish' }>,
): CommandResult {
  if (git.isAncestor(commit, git.tip)) return { kind: 'published', commit };
  if (git.tip !== base) return { kind: 'moved', now: git.tip };
  if (git.sourceIsDirty) return { kind: 'blocked', why: 'the source has changes that would be overwritten' };
  const entering = git.ahead(commit, git.tip).toReversed();
  git.tip = commit;
  for (const one of entering) onMerged(git.owners.get(one) ?? workerId, git.worksOf([one]));
  return { kind: 'published', commit };
}

function prove(git: SimGit, commit: string): CommandResult {
  return git.isAncestor(commit, git.tip) ? { kind: 'proven', commit } : { kind: 'unproven', now: git.tip };
}

function recycle(
  git: SimGit,
  workerId: string,
  { commit, head }: Extract<Command, { kind: 'recycle' }>,
): CommandResult {
  // Without its worktree a worker still has its branch.
  const branch = git.branches.get(workerId);
  const bare = branch === undefined ? undefined : { head: branch, dirty: [], stash: [], rebase: null };
  const tree = git.worktrees.get(workerId) ?? bare;
  if (!git.isAncestor(commit, git.tip)) return failed('not-recycled', `${commit} is not in the default branch`, false);
  // Work that the default branch has is no reason to keep a worktree.
  if (tree !== undefined && workIn(git, tree).length > 0) return changed(git, tree, head ?? commit);
  git.branches.delete(workerId);
  git.worktrees.set(workerId, { head: git.tip, dirty: [], stash: tree?.stash ?? [], rebase: null });
  return { kind: 'recycled', base: git.tip };
}

/** A restore meets a damaged checkpoint this many times as often as another command fails. */
const DAMAGED_MORE_OFTEN = 5;

function remove(git: SimGit, workerId: string, force: boolean): CommandResult {
  const tree = git.worktrees.get(workerId);
  const merged = new Set(git.merged());
  const work = tree === undefined ? [] : [...workIn(git, tree), ...tree.stash.filter((one) => !merged.has(one))];
  if (work.length > 0 && !force)
    return { kind: 'not-removed', why: `it has ${work.length} of work that is not merged` };
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
