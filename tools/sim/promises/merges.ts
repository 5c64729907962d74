// Checks the promises about the default branch: what enters it, and what counts as accepted (docs/git.md).
import { acceptOf, isAccepting, membersOf, needsLease } from '@drover/core';
import type { MergeStep } from '@drover/core';
import type { EventRow, WorkerRow } from '@drover/store';
import type { CheckRun, Merged } from '../machine/parts.ts';
import { count, makeCheck } from '../runs/tally.ts';
import type { Check, Tally } from '../runs/tally.ts';
import type { Repository } from './repository.ts';

/** Promises about merges. */
const PROMISED = {
  known: 'what Drover builds on is, or was, a commit of the default branch (G1)',
  merged: 'no work is merged twice, but for what somebody took out again, or without an accept',
  own: 'no work enters the default branch of another project',
  maker: 'no work of one worker is merged as that of another',
  seen: 'no work is merged that no person had looked at (G2)',
  whole: 'no work is merged that names a repository which nobody has',
  back: 'nothing that somebody took out of the default branch comes back that no person had looked at since',
  checked: 'no files are merged on which the checks did not pass (G3)',
  forward: 'Drover moves the default branch only to a commit that stands on where it was (G4)',
  contained:
    'work counts as accepted only when the default branch contains it, or did until somebody took it out meanwhile (G5)',
  kept: 'a place is made fresh only when the default branch, what was taken out of it, or what is set aside has all that it held (G6)',
  nothing: 'where nothing is merged, only a person ends the task as accepted (G7)',
  blame: 'no work is blamed on a broken default branch, or for one run (G12)',
  place: 'an accept keeps its time, by which its turn comes',
  aboard: 'a train and those aboard of it say the same of one another',
} as const;

const NO_WORKS: ReadonlySet<string> = new Set();

/** A default branch that was at `from` until somebody put it elsewhere. */
interface Rewrite {
  readonly projectId: string;
  readonly from: string;
}

interface Around {
  readonly before: WorkerRow | undefined;
  readonly workers: ReadonlyMap<string, WorkerRow>;
}

/** A default branch that work was put on, and the one on which it was begun; null: its place is not ready. */
interface Bases {
  readonly base: string;
  readonly began: string | null;
}

function basesOf({ state: { merge, worktree } }: Pick<WorkerRow, 'state'>): Bases | null {
  if (merge.candidate === null) return null;
  return { base: merge.candidate.base, began: worktree.place.kind === 'ready' ? worktree.place.base : null };
}

/** The default branch on which accepted work is built; null: none is. */
function builtOn(step: MergeStep): string | null {
  return needsLease(step) && step.kind !== 'building' ? step.own.base : null;
}

/** Watches the merges of one schedule. */
export class MergeChecks {
  readonly #tally: Tally;
  readonly #repository: Repository;
  /** The project in which each work was made. */
  readonly #projects = new Map<string, string>();
  /** The worker in whose place each work was made. */
  readonly #makers = new Map<string, string>();
  readonly #merged = new Set<string>();
  /** Works that a run gave to a worker to go on with, by worker. */
  readonly #given = new Set<string>();
  /** Workers whose work was merged, and whose accept has not come to its end. */
  readonly #landed = new Set<string>();
  /** Work that somebody took out of a default branch. */
  readonly #dropped = new Set<string>();
  readonly #rewrites: Rewrite[] = [];
  /** Rewrites before the last step of an accept, by worker. */
  readonly #recycling = new Map<string, number>();
  /** Works that a person has looked at, by worker. */
  readonly #reviewed = new Set<string>();
  /** Accepts that were asked for, less merges, by worker. */
  readonly #accepts = new Map<string, number>();
  /** Files on which the checks passed. */
  readonly #passed = new Set<string>();
  /** Failed runs by worker and files with its work on top, and the files before. */
  readonly #failed = new Map<string, { times: number; readonly before: string | null }>();
  /** Default branches by worker: the one that its work was last put on, and the one on which it was begun. */
  readonly #bases = new Map<string, Bases>();
  readonly #check: Check<typeof PROMISED>;

  constructor(tally: Tally, repository: Repository) {
    this.#tally = tally;
    this.#repository = repository;
    this.#check = makeCheck(this.#tally, PROMISED);
  }

  /** An agent made work. */
  noteWork(work: string, { projectId, workerId }: { readonly projectId: string; readonly workerId: string }): void {
    this.#projects.set(work, projectId);
    this.#makers.set(work, workerId);
  }

  /** A run gives a worker a commit to begin on, or to review. */
  noteGiven(workerId: string, commit: string): void {
    for (const work of this.#repository.worksShown(commit)) this.#given.add(`${workerId} ${work}`);
  }

  /** Work of a run enters the default branch. */
  noteRunMerge({ works, projectId }: Pick<Merged, 'works' | 'projectId'>): void {
    for (const work of works) {
      const isOwn = (this.#projects.get(work) ?? projectId) === projectId;
      this.#check('own', isOwn, `${work} of a run enters the default branch of another project`);
      this.#check('merged', !this.#merged.has(work), `${work} was merged twice`);
      this.#landed.add(this.#makers.get(work) ?? '');
      this.#merged.add(work);
    }
  }

  /** A person asked for an accept. */
  noteAcceptRequest(workerId: string): void {
    count(this.#accepts, workerId);
  }

  /** A person was shown this commit. */
  noteReview(workerId: string, seen: string): void {
    for (const work of this.#repository.worksShown(seen)) this.#reviewed.add(`${workerId} ${work}`);
  }

  /** The task of a worker was cancelled: what people had seen and accepted of it before does not count. */
  noteCancel(workerId: string): void {
    for (const key of this.#reviewed) if (key.startsWith(`${workerId} `)) this.#reviewed.delete(key);
    this.#accepts.delete(workerId);
    this.#landed.delete(workerId);
  }

  /** The checks ran. */
  noteRun({ isPassed, tree, before, worker }: CheckRun): void {
    if (isPassed) this.#passed.add(tree);
    if (isPassed || worker === undefined) return;
    const key = `${worker} ${tree} ${before}`;
    this.#failed.set(key, { times: (this.#failed.get(key)?.times ?? 0) + 1, before });
  }

  /** An event was decided: perhaps work was sent back on its way into the default branch. `row`: what that made of its worker. */
  checkBlame(
    { workerId, workerName, rules }: Pick<EventRow, 'workerId' | 'workerName' | 'rules'>,
    row: Pick<WorkerRow, 'state'> | undefined,
  ): void {
    // The row says nothing of it any more if the task ended with that event.
    const bases = (row === undefined ? null : basesOf(row)) ?? this.#bases.get(workerId);
    if (rules.includes('review:invalid') && bases !== undefined) this.#checkSentBack(workerName, bases);
    if (!rules.includes('train:blame') && !rules.includes('train:culprit')) return;
    const isFair = [...this.#failed].some(
      ([key, { times, before }]) =>
        key.startsWith(`${workerId} `) && times > 1 && before !== null && this.#passed.has(before),
    );
    this.#check(
      'blame',
      isFair,
      `${workerName}: blamed without two runs that failed with it and one that passed before it`,
    );
  }

  /**
   * Checks that work was sent back fairly. A single run is enough before a review, on a default branch that passes, or on which the work was begun.
   */
  #checkSentBack(name: string, { base, began }: Bases): void {
    const isFair = began === base || this.#passed.has(this.#repository.treeOf(base));
    this.#check('blame', isFair, `${name}: sent back for a check that never passed on the default branch at ${base}`);
  }

  /** A row was written. `workers`: all of them, as they are from now on. */
  checkRow(row: WorkerRow, around: Around): void {
    const bases = basesOf(row);
    if (bases !== null) this.#bases.set(row.id, bases);
    this.#checkBase(row, around.before);
    this.#checkEnd(row, around.before);
    if (row.state.merge.step.kind !== 'recycling') this.#recycling.delete(row.id);
    else if (!this.#recycling.has(row.id)) this.#recycling.set(row.id, this.#rewrites.length);
    this.#checkPlace(row, around);
  }

  /** The default branch has moved, by whomever. */
  mainMoved(from: string, projectId: string): void {
    this.#check(
      'forward',
      this.#repository.contains(from, projectId),
      `the default branch does not contain ${from} any more`,
    );
  }

  /**
   * Notes that somebody took work out of the default branch by force: others do not bring it back. The maker of that work was perhaps accepted with
   * it just now.
   */
  mainRewritten(
    from: string,
    { projectId, dropped }: { readonly projectId: string; readonly dropped: readonly string[] },
  ): void {
    this.#rewrites.push({ projectId, from });
    for (const work of dropped) {
      this.#dropped.add(work);
      this.#merged.delete(work);
      const maker = `${this.#makers.get(work)} ${work}`;
      for (const key of this.#reviewed) if (key.endsWith(` ${work}`) && key !== maker) this.#reviewed.delete(key);
    }
  }

  /** A place was made fresh. `lost`: what was in it, and is not on its machine any more. */
  madeFresh(workerId: string, lost: readonly string[]): void {
    const merged = lost.length === 0 ? NO_WORKS : this.#repository.mergedOrDropped();
    const gone = lost.filter((work) => !merged.has(work));
    this.#check('kept', gone.length === 0, `${workerId}: its place is fresh, and nothing has ${gone.join(', ')}`);
  }

  #checkBase({ name, projectId, state }: WorkerRow, before: WorkerRow | undefined): void {
    const { step, candidate } = state.merge;
    const bases: readonly (readonly [string | null | undefined, string | null | undefined])[] = [
      [builtOn(step), before === undefined ? null : builtOn(before.state.merge.step)],
      [candidate?.base, before?.state.merge.candidate?.base],
    ];
    for (const [base, was] of bases)
      if (base != null && base !== was)
        this.#check('known', this.#wasIn(base, projectId, 0), `${name}: builds on ${base}, which main never was`);
  }

  #checkPlace({ id, name, state }: WorkerRow, { before, workers }: Around): void {
    const { step } = state.merge;
    if (!isAccepting(step)) return;
    const { accept } = step;
    const was = before === undefined ? null : acceptOf(before.state.merge.step);
    if (was !== null && was.pin.head === accept.pin.head)
      this.#check('place', was.since === accept.since, `${name}: its accept is of another time by now`);
    if (step.kind === 'aboard') {
      const conductor = workers.get(step.conductor.id);
      const members = conductor === undefined ? [] : membersOf(conductor.state.merge.step);
      this.#check(
        'aboard',
        members.some((member) => member.id === id),
        `${name} is aboard of no train`,
      );
    }
    for (const member of membersOf(step)) {
      const other = workers.get(member.id)?.state.merge.step;
      const isAboard =
        other?.kind === 'aboard' && other.conductor.id === id && other.accept.pin.head === member.pin.head;
      this.#check('aboard', isAboard, `${name} has ${member.name} in its train, who is not aboard`);
    }
  }

  /** Tells whether the default branch has a commit, or had it when somebody rewrote that after so many rewrites. */
  #wasIn(commit: string, projectId: string, since: number): boolean {
    const { contains, isIn } = this.#repository;
    const rewrites = this.#rewrites.slice(since).filter((rewrite) => rewrite.projectId === projectId);
    return contains(commit, projectId) || rewrites.some(({ from }) => isIn(commit, from));
  }

  /** Work enters the default branch. */
  checkMerge(workerId: string, { works, tree, projectId }: Merged): void {
    for (const work of works) {
      const of = this.#projects.get(work) ?? projectId;
      this.#check('own', of === projectId, `${workerId}: ${work} enters the default branch of another project`);
      this.#check('merged', !this.#merged.has(work), `${work} was merged twice`);
      const maker = this.#makers.get(work) ?? workerId;
      this.#landed.add(maker).add(workerId);
      const isOwn = maker === workerId || this.#given.has(`${workerId} ${work}`);
      this.#check('maker', isOwn, `${workerId}: ${work} is merged as its own, and ${maker} made it`);
      const isSeen = this.#reviewed.has(`${workerId} ${work}`);
      const isBack = this.#dropped.has(work);
      const how = isBack ? 'was taken out of the default branch, and comes back' : 'is merged';
      this.#check(isBack ? 'back' : 'seen', isSeen, `${workerId}: ${work} ${how} unseen`);
    }
    for (const work of works) this.#merged.add(work);
    const isWhole = !this.#repository.namesLost(works);
    this.#check('whole', isWhole, `${workerId}: ${works.at(-1)} is merged, and what it names is nowhere`);
    this.#check('checked', this.#passed.has(tree), `${workerId}: files are merged that no checks passed on`);
    const left = (this.#accepts.get(workerId) ?? 0) - 1;
    this.#check('merged', left >= 0, `${workerId}: merged without an accept by a person`);
    this.#accepts.set(workerId, left);
  }

  /** An accept of it may have come to its end. */
  #checkEnd({ id, name, projectId, state }: WorkerRow, before: WorkerRow | undefined): void {
    const step = before?.state.merge.step;
    if (step?.kind !== 'recycling' || isAccepting(state.merge.step) || state.task.kind !== 'none') return;
    const { commit, how } = step.done;
    const { accept } = step;
    // A merge whose outcome was lost has happened: the next accept finds it in the default branch, and merges nothing more.
    const isMerged = this.#landed.delete(id);
    const isNew = commit !== before?.state.merge.candidate?.base;
    const isIn = this.#wasIn(commit, projectId, this.#recycling.get(id) ?? 0);
    this.#check('contained', isIn, `${name}: accepted, and the default branch does not contain ${commit}`);
    this.#check(
      'nothing',
      accept.nothing || (how !== 'nothing' && (isNew || isMerged)),
      `${name}: accepted with nothing merged, and no person said so`,
    );
  }
}
