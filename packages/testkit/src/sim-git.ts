/**
 * Git as far as Drover's promises need it: commits with the work they hold, one default branch, a worktree for each
 * worker. Works are names; that each is in the default branch at most once is what simulations check.
 */
import type { GitFacts } from '@drover/core';

interface Commit {
  readonly parent: string | null;
  readonly works: readonly string[];
}

/** What stands in a worktree. */
export interface SimWorktree {
  head: string;
  /** Work that is not committed. */
  dirty: string[];
  /** A rebase that waits for its conflicts to be resolved. */
  rebase: { readonly onto: string; readonly works: readonly string[]; unmerged: number } | null;
}

/** The source repository and the worktrees made of it. */
export class SimGit {
  readonly worktrees = new Map<string, SimWorktree>();
  /** Work that was set aside under a ref. */
  readonly kept: string[] = [];
  /** What checkpoints hold, by their ids. */
  readonly saves = new Map<string, { readonly head: string; readonly dirty: readonly string[] }>();
  readonly #commits = new Map<string, Commit>();
  #count = 0;
  /** The default branch. */
  tip: string;
  /** Somebody has files in the way of the default branch. */
  sourceIsDirty = false;

  constructor() {
    this.tip = this.commit(null, []);
  }

  /** Makes a commit. */
  commit(parent: string | null, works: readonly string[]): string {
    this.#count += 1;
    const id = this.#count.toString(16).padStart(12, '0');
    this.#commits.set(id, { parent, works });
    return id;
  }

  /** Whether `descendant` has `ancestor` in its history. */
  isAncestor(ancestor: string, descendant: string): boolean {
    return this.#history(descendant).includes(ancestor);
  }

  /** Commits of `head` that `base` does not have, newest first. */
  ahead(head: string, base: string): readonly string[] {
    const known = new Set(this.#history(base));
    return this.#history(head).filter((id) => !known.has(id));
  }

  /** The work in these commits, oldest first. */
  worksOf(commits: readonly string[]): readonly string[] {
    return commits.toReversed().flatMap((id) => this.#commits.get(id)?.works ?? []);
  }

  /** All work in the default branch. */
  merged(): readonly string[] {
    return this.worksOf(this.#history(this.tip));
  }

  facts(tree: SimWorktree, base: string | null): GitFacts {
    return {
      head: tree.head,
      ahead: this.ahead(tree.head, base ?? this.tip).length,
      dirty: tree.dirty.length,
      subject: this.#commits.get(tree.head)?.works.at(-1) ?? 'base',
      rebasing: tree.rebase !== null,
      unmerged: tree.rebase?.unmerged ?? 0,
    };
  }

  #history(head: string): readonly string[] {
    const found: string[] = [];
    for (let at: string | null = head; at !== null; at = this.#commits.get(at)?.parent ?? null) found.push(at);
    return found;
  }
}
