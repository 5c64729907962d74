/**
 * Git as far as Drover's promises need it: commits with the work they hold, one default branch, a worktree for each worker. Works are names;
 * simulations check that each is in the default branch at most once.
 */
import type { GitFacts } from '@drover/core';
import { BOTCHED, swapStash } from './worktree.ts';
import type { SimSave, SimWorktree, Working } from './worktree.ts';

interface Commit {
  readonly parent: string | null;
  readonly works: readonly string[];
}

const [BREAKS, MENDS] = ['others-break-', 'others-mend-'] as const;

/** Tells whether a work clashes with another such work right before it. */
function isTouchy(work: string): boolean {
  return Number(/\d+$/.exec(work)?.[0] ?? 1) % 3 === 0;
}

/** Data that all clones share: the default branch, and commits, whose names say what they are. */
interface Origin {
  /** First digit of its commits. */
  readonly lane: string;
  readonly owners: Map<string, string>;
  readonly commits: Map<string, Commit>;
  readonly trees: Map<string, string>;
  /** Work that names a repository of its own, whose files nobody has. */
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

/** Clone of one machine: its worktrees and the work set aside in it, beside the source that all share. */
export class SimGit {
  readonly worktrees = new Map<string, SimWorktree>();
  /** Work set aside under a ref. */
  readonly kept: string[] = [];
  /** Branches of workers whose worktree was deleted. */
  readonly branches = new Map<string, string>();
  /** Contents of the checkpoints in this clone, by their commits. */
  readonly saves = new Map<string, SimSave>();
  /** Commits at which this clone has seen the default branch. */
  readonly mains = new Set<string>();
  /** Commits that are kept for each run. */
  readonly pins = new Map<string, Set<string>>();
  readonly #origin: Origin;

  /** @param lane The first digit of all commits: commits of two repositories are never the same. */
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

  get tip(): string {
    return this.#origin.tip;
  }

  set tip(commit: string) {
    const from = this.#origin.tip;
    this.#origin.tip = commit;
    this.#origin.onMoved?.(from);
  }

  /** Calls `hear` each time that the default branch has moved forward, with its previous commit. */
  onMoved(hear: (from: string) => void): void {
    this.#origin.onMoved = hear;
  }

  /** Calls `hear` each time that somebody has rewritten the default branch, with its previous commit and the dropped work. */
  onRewritten(hear: (from: string, dropped: readonly string[]) => void): void {
    this.#origin.onRewritten = hear;
  }

  /** Moves the default branch by force. */
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

  /** True while files in the source are in the way of the default branch. */
  get sourceIsDirty(): boolean {
    return this.#origin.sourceIsDirty;
  }

  set sourceIsDirty(is: boolean) {
    this.#origin.sourceIsDirty = is;
  }

  /** Workers by the commits of their candidates. */
  get owners(): Map<string, string> {
    return this.#origin.owners;
  }

  /** Makes a clone of the same source, on another machine. */
  cloneElsewhere(): SimGit {
    return new SimGit(this);
  }

  /** Finds all work in the worktree of a worker here, in checkpoints, in commits of runs and in what was set aside. */
  worksHeld(workerId: string): ReadonlySet<string> {
    const tree = this.worktrees.get(workerId);
    const held = new Set(this.kept);
    for (const { head, dirty } of [...(tree === undefined ? [] : [tree]), ...this.saves.values()])
      for (const work of [...this.worksAt(head), ...dirty]) held.add(work);
    for (const commits of this.pins.values())
      for (const commit of commits) for (const work of this.worksAt(commit)) held.add(work);
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

  /** Makes a commit once: the same works on the same commit are the same commit. */
  commitOnce(parent: string, works: readonly string[]): string {
    const known = [...this.#origin.commits].find(
      ([, one]) => one.parent === parent && one.works.join(' ') === works.join(' '),
    );
    return known?.[0] ?? this.commit(parent, works);
  }

  /** Deletes a worktree as a person would: its branch stays, the stash is gone, and at best checkpoints hold what was not committed. */
  loseWorktree(workerId: string): void {
    const tree = this.worktrees.get(workerId);
    if (tree === undefined) return;
    this.kept.push(...tree.dirty, ...tree.stash);
    this.branches.set(workerId, tree.head);
    this.worktrees.delete(workerId);
  }

  /** Returns the worktree of a worker, made again on its branch if it is gone. */
  ensureWorktree(workerId: string): SimWorktree {
    const head = this.branches.get(workerId) ?? this.tip;
    const tree = this.worktrees.get(workerId) ?? { head, dirty: [], stash: [], rebase: null };
    this.branches.delete(workerId);
    this.worktrees.set(workerId, tree);
    return tree;
  }

  /** Lets an agent act in its worktree. @returns whether new work came into being there. */
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

  /** Tells whether `descendant` has `ancestor` in its history. */
  isAncestor(ancestor: string, descendant: string): boolean {
    return this.history(descendant).includes(ancestor);
  }

  /** Commits of `head` that `base` does not have, newest first. */
  ahead(head: string, base: string): readonly string[] {
    const known = new Set(this.history(base));
    return this.history(head).filter((id) => !known.has(id));
  }

  /** Works in these commits, oldest first. */
  worksOf(commits: readonly string[]): readonly string[] {
    return commits.toReversed().flatMap((id) => this.#origin.commits.get(id)?.works ?? []);
  }

  /** Names the files at a commit: the same works in the same order are the same files. */
  treeOf(head: string): string {
    const files = this.worksAt(head).join(' ');
    const { lane, trees } = this.#origin;
    const known = trees.get(files) ?? `f${lane}${trees.size.toString(16).padStart(38, '0')}`;
    trees.set(files, known);
    return known;
  }

  /** Tells whether the newest of these works names a repository that nobody has: the next work puts that right. */
  namesLost(works: readonly string[]): boolean {
    return this.#origin.nested.has(works.at(-1) ?? '');
  }

  /** From now on some work passes the checks alone, and fails them right on top of some other work. */
  beginQuarrels(): void {
    this.#origin.hasQuarrels = true;
  }

  /** Pushes, as another person, work that makes the checks fail for everything on top. */
  breakTip(): void {
    this.#origin.breaks += 1;
    this.tip = this.commit(this.tip, [`${BREAKS}${this.#origin.breaks}`]);
  }

  /** Mends all work of {@link breakTip}. */
  mendTip(): void {
    const mends = this.#breaksAt(this.tip).map((work) => work.replace(BREAKS, MENDS));
    if (mends.length > 0) this.tip = this.commit(this.tip, mends);
  }

  /** Tells whether the checks fail at a commit, which depends on its files alone. */
  isBroken(head: string): boolean {
    if (this.#breaksAt(head).length > 0) return true;
    return this.#origin.hasQuarrels && this.worksAt(head).slice(-2).filter(isTouchy).length === 2;
  }

  #breaksAt(head: string): readonly string[] {
    if (this.#origin.breaks === 0) return [];
    const works = this.worksAt(head);
    return works.filter((work) => work.startsWith(BREAKS) && !works.includes(work.replace(BREAKS, MENDS)));
  }

  parentOf(head: string): string | null {
    return this.#origin.commits.get(head)?.parent ?? null;
  }

  worksAt(head: string): readonly string[] {
    return this.worksOf(this.history(head));
  }

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

  /** Lists a commit and all its ancestors, newest first. */
  history(head: string): readonly string[] {
    const found: string[] = [];
    for (let at: string | null = head; at !== null; at = this.#origin.commits.get(at)?.parent ?? null) found.push(at);
    return found;
  }
}
