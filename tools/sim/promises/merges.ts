// Checks the promises about the default branch: what enters it, and what counts as accepted (docs/git.md).
import type { WorkerRow } from '@drover/store';
import { count } from '../runs/tally.ts';
import type { Tally } from '../runs/tally.ts';

/** What is promised of merges. */
const PROMISED = {
  merged: 'no work is merged twice, or without an accept',
  seen: 'no work is merged that no person had looked at (G2)',
  checked: 'no files are merged on which the checks did not pass (G3)',
  contained: 'work counts as accepted only when the default branch contains it (G5)',
  nothing: 'where nothing is merged, only a person ends the task as accepted (G7)',
} as const;

/** What enters the default branch. */
export interface Merged {
  readonly works: readonly string[];
  /** The files that the default branch has by it. */
  readonly tree: string;
}

/** The repository that is looked into. */
export interface Repository {
  /** All works at a commit. */
  readonly worksAt: (head: string) => readonly string[];
  /** Whether the default branch contains a commit. */
  readonly contains: (commit: string) => boolean;
  /** Work that is merged, or that other machines than this one hold for the worker. */
  readonly worksElsewhere: (workerId: string, machine: string) => ReadonlySet<string>;
}

/** Watches the merges of one schedule. */
export class MergeChecks {
  readonly #tally: Tally;
  readonly #repository: Repository;
  readonly #merged = new Set<string>();
  /** Works that a person has looked at, by worker. */
  readonly #looked = new Set<string>();
  /** Accepts that were asked for, less merges, by worker. */
  readonly #accepts = new Map<string, number>();
  /** Files on which the checks passed. */
  readonly #passed = new Set<string>();

  constructor(tally: Tally, repository: Repository) {
    this.#tally = tally;
    this.#repository = repository;
  }

  /** A person asked for an accept. */
  noteAcceptRequest(workerId: string): void {
    count(this.#accepts, workerId);
  }

  /** A person was shown this commit. */
  noteReview(workerId: string, seen: string): void {
    for (const work of this.#repository.worksAt(seen)) this.#looked.add(`${workerId} ${work}`);
  }

  /** The checks passed on these files. */
  notePassed(tree: string): void {
    this.#passed.add(tree);
  }

  /** Work enters the default branch. */
  checkMerge(workerId: string, { works, tree }: Merged): void {
    for (const work of works) {
      this.#check('merged', !this.#merged.has(work), `${work} was merged twice`);
      this.#check('seen', this.#looked.has(`${workerId} ${work}`), `${workerId}: ${work} is merged unseen`);
    }
    for (const work of works) this.#merged.add(work);
    this.#check('checked', this.#passed.has(tree), `${workerId}: files are merged that no checks passed on`);
    const left = (this.#accepts.get(workerId) ?? 0) - 1;
    this.#check('merged', left >= 0, `${workerId}: merged without an accept by a person`);
    this.#accepts.set(workerId, left);
  }

  /** A row was written: an accept of it may have come to its end. */
  checkEnd({ name, state }: WorkerRow, before: WorkerRow | undefined): void {
    const accept = before?.state.merge.accept ?? null;
    if (accept?.step !== 'recycle' || state.merge.accept !== null || state.task.kind !== 'none') return;
    const { commit, base, nothing } = accept;
    const isIn = commit !== null && this.#repository.contains(commit);
    this.#check('contained', isIn, `${name}: accepted, and the default branch does not contain ${commit}`);
    this.#check('nothing', commit !== base || nothing, `${name}: accepted with nothing merged, and no person said so`);
  }

  #check(promise: keyof typeof PROMISED, holds: boolean, what: string): void {
    count(this.#tally.checks, PROMISED[promise]);
    if (!holds) this.#tally.broken(what);
  }
}
