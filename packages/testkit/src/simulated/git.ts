/**
 * Git as far as Drover's promises need it: commits with the work they hold, one default branch, a worktree for each
 * worker. Works are names; that each is in the default branch at most once is what simulations check.
 */
import type { GitFacts } from '@drover/core';
import { BOTCHED, swapStash } from './worktree.ts';
import type { SimSave, SimWorktree, Working } from './worktree.ts';

interface Commit {
  readonly parent: string | null;
  readonly works: readonly string[];
}

const [BREAKS, MENDS] = ['others-break-', 'others-mend-'] as const;

/** Two works like this, the one right after the other, do not go together. */
function isTouchy(work: string): boolean {
  return Number(/\d+$/.exec(work)?.[0] ?? 1) % 3 === 0;
}

/** What all clones have in common: the default branch, and commits, whose names say what they are. */
interface Origin {
  /** The first digit of its commits. */
  readonly lane: string;
  readonly owners: Map<string, string>;
  readonly commits: Map<string, Commit>;
  readonly trees: Map<string, string>;
  /** Work that names a repository of its own, whose files it has not. */
  readonly nested: Set<string>;
  tip: string;
  sourceIsDirty: boolean;
  hasQuarrels: boolean;
  breaks: number;
  /** Work that somebody took out of the default branch by rewriting it. */
  readonly dropped: Set<string>;
  onMoved: ((from: string) => void) | null;
  onRewritten: ((from: string, dropped: readonly string[]) => void) | null;
}

/** The clone of one machine: its worktrees and what was set aside in it, beside the source that all share. */
export class SimGit {
  readonly worktrees = new Map<string, SimWorktree>();
  /** Work that was set aside under a ref. */
  readonly kept: string[] = [];
  /** Where the branch of a worker stands whose worktree was deleted. */
  readonly branches = new Map<string, string>();
  /** What the checkpoints in this clone hold, by their commits. */
  readonly saves = new Map<string, SimSave>();
  /** Where this clone has seen the default branch. */
  readonly mains = new Set<string>();
  readonly #origin: Origin;

  /** @param lane The first digit of all commits: those of two repositories are never the same. */
  constructor(other?: SimGit, lane = 0) {
    this.#origin =
      other === undefined
        ? {
            lane: lane.toString(16),
            owners: new Map(),
            commits: new Map(),
            trees: new Map(),
            nested: new Set(),
            tip: '',
            sourceIsDirty: false,
            hasQuarrels: false,
            breaks: 0,
            dropped: new Set(),
            onMoved: null,
            onRewritten: null,
          }
        : other.#origin;
    if (other === undefined) this.tip = this.commit(null, []);
  }

  /** The default branch. */
  get tip(): string {
    return this.#origin.tip;
  }

  set tip(commit: string) {
    const from = this.#origin.tip;
    this.#origin.tip = commit;
    this.#origin.onMoved?.(from);
  }

  /** Called each time that the default branch has moved forward, by whomever, with the commit that it was at. */
  onMoved(hear: (from: string) => void): void {
    this.#origin.onMoved = hear;
  }

  /** Called each time that somebody has rewritten the default branch, with the commit that it was at and the work that was dropped. */
  onRewritten(hear: (from: string, dropped: readonly string[]) => void): void {
    this.#origin.onRewritten = hear;
  }

  /** Somebody puts the default branch elsewhere by force. */
  rewrite(tip: string): void {
    const { tip: from, dropped } = this.#origin;
    const before = this.merged();
    this.#origin.tip = tip;
    const left = new Set(this.merged());
    const gone = before.filter((work) => !left.has(work));
    for (const work of gone) dropped.add(work);
    this.#origin.onRewritten?.(from, gone);
  }

  /** All work that somebody ever took out of the default branch. */
  get dropped(): ReadonlySet<string> {
    return this.#origin.dropped;
  }

  /** Somebody has files in the way of the default branch. */
  get sourceIsDirty(): boolean {
    return this.#origin.sourceIsDirty;
  }

  set sourceIsDirty(is: boolean) {
    this.#origin.sourceIsDirty = is;
  }

  /** Whose work a candidate is, by its commit. */
  get owners(): Map<string, string> {
    return this.#origin.owners;
  }

  /** A clone of the same source, on another machine. */
  cloneElsewhere(): SimGit {
    return new SimGit(this);
  }

  /** All work that is in the place of a worker here, or in checkpoints and what was set aside. */
  worksHeld(workerId: string): ReadonlySet<string> {
    const tree = this.worktrees.get(workerId);
    const held = new Set(this.kept);
    for (const { head, dirty } of [...(tree === undefined ? [] : [tree]), ...this.saves.values()])
      for (const work of [...this.worksAt(head), ...dirty]) held.add(work);
    const branch = this.branches.get(workerId);
    if (branch !== undefined) for (const work of this.worksAt(branch)) held.add(work);
    for (const work of [...(tree?.rebase?.works ?? []), ...(tree?.stash ?? [])]) held.add(work);
    return held;
  }

  /** Makes a commit. */
  commit(parent: string | null, works: readonly string[]): string {
    const { commits, lane } = this.#origin;
    const id = lane + (commits.size + 1).toString(16).padStart(39, '0');
    commits.set(id, { parent, works });
    return id;
  }

  /** The same works on the same commit are the same commit, however often it is made. */
  commitOnce(parent: string, works: readonly string[]): string {
    const known = [...this.#origin.commits].find(
      ([, one]) => one.parent === parent && one.works.join(' ') === works.join(' '),
    );
    return known?.[0] ?? this.commit(parent, works);
  }

  /** Somebody deletes a worktree: its branch stays, what was not committed is in checkpoints at best, and the stash is gone. */
  loseWorktree(workerId: string): void {
    const tree = this.worktrees.get(workerId);
    if (tree === undefined) return;
    this.kept.push(...tree.dirty, ...tree.stash);
    this.branches.set(workerId, tree.head);
    this.worktrees.delete(workerId);
  }

  /** The worktree of a worker, made again on its branch where it is gone. */
  ensureWorktree(workerId: string): SimWorktree {
    const head = this.branches.get(workerId) ?? this.tip;
    const tree = this.worktrees.get(workerId) ?? { head, dirty: [], stash: [], rebase: null };
    this.branches.delete(workerId);
    this.worktrees.set(workerId, tree);
    return tree;
  }

  /** What an agent does in its worktree. @returns whether new work came into being there. */
  work(workerId: string, how: Working, work: string): boolean {
    const tree = this.worktrees.get(workerId);
    if (tree === undefined) return false;
    if (tree.rebase !== null) {
      const botched = BOTCHED[how];
      if (botched !== undefined) Object.assign(tree.rebase, { botched, unmerged: 0 });
      if (how === 'abort') tree.rebase = null;
      if (how !== 'resolve' || tree.rebase === null) return false;
      tree.head = this.commit(tree.rebase.onto, tree.rebase.works);
      tree.rebase = null;
      return false;
    }
    tree.signs = how === 'leave-unsigned';
    if (how === 'leave-dirty' || how === 'leave-unsigned') {
      tree.dirty.push(work);
      return true;
    }
    if (how === 'stash') {
      const popped = swapStash(tree, { work, there: this.worksAt(tree.head) });
      if (popped.length > 0) tree.head = this.commit(tree.head, popped);
      return true;
    }
    if (how === 'nest') this.#origin.nested.add(work);
    tree.isAstray = how === 'stray';
    tree.head = this.commit(tree.head, [...tree.dirty, work]);
    tree.dirty = [];
    return true;
  }

  /** Whether `descendant` has `ancestor` in its history. */
  isAncestor(ancestor: string, descendant: string): boolean {
    return this.history(descendant).includes(ancestor);
  }

  /** Commits of `head` that `base` does not have, newest first. */
  ahead(head: string, base: string): readonly string[] {
    const known = new Set(this.history(base));
    return this.history(head).filter((id) => !known.has(id));
  }

  /** The work in these commits, oldest first. */
  worksOf(commits: readonly string[]): readonly string[] {
    return commits.toReversed().flatMap((id) => this.#origin.commits.get(id)?.works ?? []);
  }

  /** The name of the files at a commit: the same works in the same order are the same files. */
  treeOf(head: string): string {
    const files = this.worksAt(head).join(' ');
    const { lane, trees } = this.#origin;
    const known = trees.get(files) ?? `f${lane}${trees.size.toString(16).padStart(38, '0')}`;
    trees.set(files, known);
    return known;
  }

  /** Whether the newest of these works names a repository that nobody has: the next one puts that right. */
  namesLost(works: readonly string[]): boolean {
    return this.#origin.nested.has(works.at(-1) ?? '');
  }

  /** From now on some work passes the checks by itself, and not right on top of some other work. */
  beginQuarrels(): void {
    this.#origin.hasQuarrels = true;
  }

  /** Somebody else pushes what fails the checks with whatever comes on it. */
  breakTip(): void {
    this.#origin.breaks += 1;
    this.tip = this.commit(this.tip, [`${BREAKS}${this.#origin.breaks}`]);
  }

  /** Somebody else mends all of that. */
  mendTip(): void {
    const mends = this.#breaksAt(this.tip).map((work) => work.replace(BREAKS, MENDS));
    if (mends.length > 0) this.tip = this.commit(this.tip, mends);
  }

  /** Whether the checks cannot pass at a commit: it depends on its files alone. */
  isBroken(head: string): boolean {
    if (this.#breaksAt(head).length > 0) return true;
    return this.#origin.hasQuarrels && this.worksAt(head).slice(-2).filter(isTouchy).length === 2;
  }

  #breaksAt(head: string): readonly string[] {
    if (this.#origin.breaks === 0) return [];
    const works = this.worksAt(head);
    return works.filter((work) => work.startsWith(BREAKS) && !works.includes(work.replace(BREAKS, MENDS)));
  }

  /** The commit before this one. */
  parentOf(head: string): string | null {
    return this.#origin.commits.get(head)?.parent ?? null;
  }

  /** All work at a commit. */
  worksAt(head: string): readonly string[] {
    return this.worksOf(this.history(head));
  }

  /** All work in the default branch. */
  merged(): readonly string[] {
    return this.worksAt(this.tip);
  }

  facts(tree: SimWorktree, base: string | null): GitFacts {
    return {
      head: tree.head,
      ahead: this.ahead(tree.head, base ?? this.tip).length,
      dirty: tree.dirty.length,
      subject: this.#origin.commits.get(tree.head)?.works.at(-1) ?? 'base',
      rebasing: tree.rebase !== null && tree.rebase.botched === null,
      unmerged: tree.rebase?.unmerged ?? 0,
      ...(tree.isAstray === true && { astray: { branch: 'own', expected: 'drover/own', holdsExpected: true } }),
      ...(tree.signs === true && tree.dirty.length > 0 && { signs: true }),
    };
  }

  /** A commit and all before it, newest first. */
  history(head: string): readonly string[] {
    const found: string[] = [];
    for (let at: string | null = head; at !== null; at = this.#origin.commits.get(at)?.parent ?? null) found.push(at);
    return found;
  }
}
