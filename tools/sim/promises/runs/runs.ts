/**
 * Checks the promises of runs (W1 to W13) at each commit: by what the database holds, and by what machines and agents really did. The promises of
 * its rest are in rest.ts.
 */
import { isDeepStrictEqual } from 'node:util';
import { allItems, planOf, runOf } from '@drover/core';
import type { Item, Run } from '@drover/core';
import type { RunEventRow, RunRow } from '@drover/store';
import type { EventRecord, MemoryDatabase } from '@drover/store/testing';
import type { RunWatch } from '../../machine/parts.ts';
import type { LeftResult, Took } from '../../machine/runs/agents.ts';
import type { Used } from '../../machine/runs/usage.ts';
import { count } from '../../runs/tally.ts';
import type { Tally } from '../../runs/tally.ts';
import { deadlock } from './alive.ts';
import { BudgetChecks } from './budgets.ts';
import { LimitChecks } from './limits.ts';
import { keyOf, type Moment } from './moment.ts';

const PROMISED = {
  alive: 'an open run has a deadline, a task, a request or a question (W1)',
  passed: 'an item passes only by a valid result of its agent and a passed check on the same commit (W2)',
  inTurn: 'a stage begins once those before it have ended (W3)',
  live: 'an item has one live task (W5)',
  terms: 'the terms of a run never change (W6)',
  pinned: 'what a worker made is kept by the machine of the run before the worker is freed (W7)',
  there: 'a worker begins where the commits of its run are',
  once: 'an attempt is given to one worker, once (W8)',
  other: 'no author reviews own work (W9)',
  agreed: "work of a run merges only by a person's yes to that commit (W10, W13)",
} as const;

/** The repository, as far as runs need it. */
export interface RunRepository {
  /** Tells whether the machine of this name keeps a commit for a run, or one that stands on it. */
  readonly isPinned: (run: Pick<RunRow, 'id' | 'projectId'> & { readonly machine: string }, commit: string) => boolean;
  /** Works at a commit that the base of the run lacks. */
  readonly worksBeyond: (commit: string, base: string) => readonly string[];
}

type RunParts = {
  readonly database: MemoryDatabase;
  readonly tally: Tally;
  /** Tells whether each commit is seen by itself. */
  readonly isExact: boolean;
  readonly repository: RunRepository;
};

/** Watches the runs of one schedule. */
export class RunChecks implements RunWatch {
  readonly #parts: RunParts;
  readonly #budgets: BudgetChecks;
  readonly #limits: LimitChecks;
  readonly #merged: (merged: { readonly works: readonly string[]; readonly projectId: string }) => void;
  readonly #seen = new Map<string, RunRow>();
  /** Results that agents left, by run, item and attempt. */
  readonly #left = new Map<string, LeftResult['result'][]>();
  /** Commits on which the checks of a run passed. */
  readonly #passed = new Set<string>();
  /** Makers of works. */
  readonly #makers = new Map<string, string>();
  /** Attempts that workers were given. */
  readonly #given = new Map<string, string>();
  /** Commits that ends of tasks named and that runs heard of, by run and worker. */
  readonly #told = new Map<string, Set<string>>();

  /** @param merged Hears of work of a run that entered the default branch. */
  constructor(
    parts: RunParts,
    merged: (merged: { readonly works: readonly string[]; readonly projectId: string }) => void,
  ) {
    this.#parts = parts;
    this.#budgets = new BudgetChecks(parts.database, parts.tally);
    this.#limits = new LimitChecks(parts.database, parts.tally);
    this.#merged = merged;
  }

  took(took: Took): void {
    this.#budgets.took(took);
    this.#limits.took(took);
  }

  /** A program of a worker begins. */
  started(workerId: string): void {
    this.#limits.started(workerId);
  }

  used(used: Used): void {
    this.#budgets.used(used);
  }

  left({ owed, result }: LeftResult): void {
    const key = keyOf(owed);
    this.#left.set(key, [...(this.#left.get(key) ?? []), result]);
  }

  checked({ run, commit, passed }: Parameters<RunWatch['checked']>[0]): void {
    if (passed) this.#passed.add(`${run} ${commit}`);
  }

  landed({ run, commit, ...merged }: Parameters<RunWatch['landed']>[0]): void {
    this.#merged(merged);
    const isAgreed = this.#events(run).some(
      ({ event, actor }) =>
        event.kind === 'answered' &&
        event.option === 'accept' &&
        event.commit === commit &&
        (actor.kind === 'person' || actor.kind === 'bot'),
    );
    this.#check('agreed', isAgreed, `${run}: ${commit} is merged, and nobody has said yes to it`);
    this.#parts.tally.fault('note: work of a run is merged', run);
  }

  /** An agent made work. */
  noteWork(work: string, workerId: string): void {
    this.#makers.set(work, workerId);
  }

  /** A worker heard an event. */
  noteEvent({ workerId, workerName, event, rules }: EventRecord): void {
    const isRefused = rules.some((rule) => rule.startsWith('refused:'));
    if (event.kind === 'start-requested' && event.run !== undefined && !isRefused) {
      const key = keyOf(event.run);
      const known = this.#given.get(key) ?? null;
      this.#check('once', known === null, `${workerName} is given ${key}, which ${known} has`);
      this.#given.set(key, workerId);
      this.#budgets.begins(workerId, event.run);
      this.#checkThere(workerId, { runId: event.run.runId, from: event.from?.commit ?? '' });
    }
    if (event.kind === 'run-released' && rules.includes('run:released')) this.#checkFreed(workerId, event.run.runId);
  }

  /** Checks every commit. */
  committed(): void {
    const { runs } = this.#parts.database;
    for (const row of runs.values()) {
      const before = this.#seen.get(row.id);
      if (before === row) continue;
      this.#seen.set(row.id, row);
      this.#noteNews(row, before);
      this.#checkRow(row, before);
    }
    this.#budgets.committed();
    if (!this.#parts.isExact) return;
    this.#limits.committed();
    for (const row of runs.values())
      for (const problem of deadlock(row, this.#parts.database)) this.#check('alive', problem === null, problem ?? '');
    if (runs.size > 0) this.#checkLive();
  }

  #events(runId: string): readonly RunEventRow[] {
    return [...this.#parts.database.runEvents.values()].filter((row) => row.runId === runId);
  }

  #noteNews(row: RunRow, before: RunRow | undefined): void {
    const { database, tally } = this.#parts;
    for (let seq = (before?.seq ?? 0) + 1; seq <= row.seq; seq += 1) {
      const event = database.runEvents.get(`${row.id} ${seq}`);
      if (event === undefined) continue;
      if (event.kind === 'requested') tally.fault('note: a run has begun', row.flowName);
      for (const rule of event.rules) count(tally.recoveries, `run ${rule.replace(/ .*/, '')}`);
      if (tally.isTraced)
        tally.log(
          `  RUN ${row.id.slice(-4)} ${event.kind} → ${event.rules.join(' ')} (${row.status}: ${row.state.why})`,
        );
      this.#noteEnd(row.id, event);
      this.#budgets.noteEvent(row.id, event);
      if (before !== undefined && seq === row.seq && seq === before.seq + 1)
        this.#checkDecision({ before: before.state, row, event });
    }
  }

  /** A late end changes nothing: nobody has to keep what it names. */
  #noteEnd(runId: string, { event, rules }: RunEventRow): void {
    if (event.kind !== 'task-ended' || event.end.commit === null) return;
    if (!rules.some((rule) => rule.startsWith('task-ended:'))) return;
    const key = `${runId} ${event.workerId}`;
    this.#told.set(key, (this.#told.get(key) ?? new Set()).add(event.end.commit));
  }

  #checkThere(workerId: string, { runId, from }: { readonly runId: string; readonly from: string }): void {
    const { database, repository, tally } = this.#parts;
    const row = database.runs.get(runId);
    const machineId = database.workers.get(workerId)?.machineId ?? '';
    if (row === undefined) return;
    const machine = database.machines.get(machineId)?.name ?? '';
    if (machineId !== row.machineId) tally.fault('note: work of a run begins on another machine', machine);
    const isThere = repository.isPinned({ ...row, machine }, from);
    this.#check('there', isThere, `${runId}: ${workerId} begins on ${from}, which "${machine}" does not have`);
  }

  #checkFreed(workerId: string, runId: string): void {
    const row = this.#parts.database.runs.get(runId);
    if (row === undefined || row.state.merged !== null) return;
    // A commit that could not be kept in five tries is told as an error; the worker's own checkpoint has it.
    if (this.#events(runId).some(({ event }) => event.kind === 'not-pinned')) return;
    const machine = this.#parts.database.machines.get(row.machineId)?.name ?? '';
    for (const commit of this.#told.get(`${runId} ${workerId}`) ?? [])
      this.#check(
        'pinned',
        this.#parts.repository.isPinned({ ...row, machine }, commit),
        `${runId}: ${workerId} is freed, and "${machine}" does not keep its ${commit}`,
      );
  }

  #checkRow(row: RunRow, before: RunRow | undefined): void {
    const { id, state } = row;
    this.#budgets.checkRow(row);
    if (before !== undefined)
      this.#check('terms', same(before.state.terms, state.terms), `${id}: its terms have changed`);
    const open = state.stages.findIndex(({ settled }) => settled === null);
    const later = state.stages.slice(open + 1).find(({ isBegun, settled }) => isBegun && settled === null);
    this.#check('inTurn', open === -1 || later === undefined, `${id}: ${later?.name} has begun too early`);
  }

  #checkDecision(moment: Moment): void {
    const { before, row, event } = moment;
    for (const item of passedNow(before, row.state)) this.#checkPassed(row, item, event);
    this.#limits.checkDecision(moment);
    this.#budgets.checkDecision(moment);
  }

  #checkPassed({ id, state }: RunRow, item: Item, { event }: RunEventRow): void {
    const { name, attempt, result, output, part } = item;
    const plan = planOf(state, name.split('/')[0] ?? name);
    if (plan.kind === 'gate' || plan.kind === 'accept') return;
    this.#parts.tally.fault('note: an item of a run has passed', `${id} ${name}`);
    if (event.kind !== 'answered') this.#budgets.checkPassed(id, item);
    const isChecked = ('check' in plan && plan.check !== null) || (part?.check ?? []).length > 0;
    const commit = output.commit ?? '';
    this.#check(
      'passed',
      !isChecked || this.#passed.has(`${id} ${commit}`),
      `${id}: ${name} has passed, and no check passed on "${commit}"`,
    );
    const isByAgent = plan.kind === 'task' || plan.kind === 'each' || plan.kind === 'review';
    if (!isByAgent || event.kind === 'answered') return;
    const left = this.#left.get(keyOf({ runId: id, item: name, attempt })) ?? [];
    // A database gives fields back in an order of its own.
    const isLeft = result !== null && left.some((one) => isDeepStrictEqual(one, result));
    this.#check('passed', isLeft, `${id}: ${name} has passed by a result that its agent never left`);
    if (plan.kind === 'review') this.#checkReviewer(id, { name, attempt, of: plan.of, state });
  }

  #checkReviewer(
    id: string,
    {
      name,
      attempt,
      of,
      state,
    }: { readonly name: string; readonly attempt: number; readonly of: string; readonly state: Run },
  ): void {
    const reviewer = this.#given.get(keyOf({ runId: id, item: name, attempt }));
    const commit = allItems(state).find((item) => item.name === of)?.output.commit ?? null;
    if (reviewer === undefined || commit === null) return;
    const works = this.#parts.repository.worksBeyond(commit, state.terms.base.commit);
    const own = works.find((work) => this.#makers.get(work) === reviewer);
    this.#check('other', own === undefined, `${id}: ${reviewer} approved its own ${own}`);
  }

  #checkLive(): void {
    const live = new Map<string, string>();
    for (const { name, state } of this.#parts.database.workers.values()) {
      const hand = runOf(state.task);
      if (hand?.phase !== 'open') continue;
      const key = `${hand.runId} ${hand.item}`;
      const other = live.get(key);
      this.#check('live', other === undefined, `${key}: ${name} and ${other} are at it`);
      live.set(key, name);
    }
  }

  #check(promise: keyof typeof PROMISED, holds: boolean, what: string): void {
    const { tally } = this.#parts;
    count(tally.checks, PROMISED[promise]);
    if (!holds) tally.broken(what);
  }
}

function isPassed({ progress }: Item): boolean {
  return progress.kind === 'settled' && progress.as === 'passed';
}

function passedNow(before: Run, after: Run): readonly Item[] {
  const had = new Set(
    allItems(before)
      .filter(isPassed)
      .map(({ name }) => name),
  );
  return allItems(after).filter((item) => isPassed(item) && !had.has(item.name) && !item.isAdopted);
}

function same(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
