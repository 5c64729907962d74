/** Rewrites a default branch by force, and finds the work of others that stands on the dropped commits. */
import type { SimGit } from './git.ts';

/** Pushes a mistake of a person. */
export function pushSlip(git: SimGit, work: string): void {
  git.tip = git.commit(git.tip, [work]);
}

/**
 * Takes work out of the default branch by force. `keepsLater`: later commits are put on the commit before that work, under other names; else
 * they are gone too. @returns whether the work was there.
 */
export function takeOut(
  git: SimGit,
  { work, keepsLater }: { readonly work: string; readonly keepsLater: boolean },
): boolean {
  const history = git.history(git.tip);
  const at = history.findIndex((commit) => git.worksOf([commit]).includes(work));
  const before = history[at + 1];
  if (at === -1 || before === undefined) return false;
  const later = keepsLater ? history.slice(0, at).toReversed() : [];
  git.rewrite(later.reduce((tip, commit) => git.commit(tip, git.worksOf([commit])), before));
  return true;
}

/**
 * Newest commit that work shares with a commit at which this clone has seen the default branch, or with one of `known`, and that `base` (else
 * the default branch) does not hold; null: there is none. Work that was in the default branch unchanged counts as work, and what it stands on
 * does not.
 */
export function droppedFrom(
  git: SimGit,
  { head, known, base = git.tip }: { readonly head: string; readonly known: Known; readonly base?: string },
): string | null {
  if (git.dropped.size === 0) return null;
  const now = new Set(git.history(base));
  const mains = [...git.mains, ...known].filter((commit) => commit != null);
  const histories = mains.map((commit) => git.history(commit)).filter((history) => !history.includes(head));
  const were = new Set(histories.flat());
  const shared = git.history(head).find((commit) => were.has(commit) || now.has(commit));
  return shared === undefined || now.has(shared) ? null : shared;
}

type Known = readonly (string | null | undefined)[];

/** Works at `head` beyond a dropped commit. Git leaves out works that the default branch has, under whatever name. */
export function ownWorks(git: SimGit, head: string, dropped: string | null): readonly string[] {
  const merged = new Set(git.merged());
  const beyond = dropped === null ? [] : git.history(dropped);
  const own = git.ahead(head, git.tip).filter((commit) => !beyond.includes(commit));
  return git.worksOf(own).filter((work) => !merged.has(work));
}

/** Works at `head` that a person sees: works that the default branch lacks, beyond its dropped commits. */
export function worksShown(git: SimGit, head: string): readonly string[] {
  return ownWorks(git, head, droppedFrom(git, { head, known: [] }));
}
