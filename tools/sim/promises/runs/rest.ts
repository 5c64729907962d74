/** Checks that runs are at rest once the faults are over: ended, or waiting for a person, with workers free and messages accounted for. */
import { allItems, isOver, planOf, runOf, unreadTexts } from '@drover/core';
import type { Item } from '@drover/core';
import type { DueWork, RunRow, WorkerRow } from '@drover/store';
import type { MemoryDatabase } from '@drover/store/testing';

/** Returns why a run is not at rest yet; null: all are. */
export function runUnrest(database: MemoryDatabase): string | null {
  for (const row of database.runs.values()) {
    const why = unrestOf(row, database);
    if (why !== null) return `run ${row.id.slice(-4)} (${row.status}: ${row.state.why}) ${why}`;
  }
  return null;
}

function unrestOf(row: RunRow, database: MemoryDatabase): string | null {
  const { id, state } = row;
  const { dueWork, workers } = database;
  const waits = [...dueWork.values()].find(
    (due) =>
      due.key.startsWith(`${id} `) &&
      (due.kind === 'run-event' || (due.kind === 'run-request' && isOpen(due, database))),
  );
  if (waits !== undefined) return `has ${waits.kind} ${waits.key} to come`;
  if (isOver(state)) return null;
  for (const item of allItems(state)) {
    const { name, progress, worker } = item;
    if (progress.kind === 'settled') continue;
    if (progress.kind === 'waiting') {
      const free = progress.on === 'worker' && state.paused === null ? freeFor(row, item, database) : null;
      if (free !== null) return `${name} waits for a worker (${progress.why}), and ${free} is free`;
      continue;
    }
    if (progress.kind === 'pinning' && progress.retryAt !== null) return `${name} is to be kept again`;
    if (progress.kind !== 'running') return `${name} is ${progress.kind}`;
    const { status, takenOver } = workers.get(worker?.workerId ?? '')?.state.lifecycle ?? {
      status: 'gone',
      takenOver: false,
    };
    if (!takenOver && !WAITS_FOR_PERSON.has(status)) return `${name} is running, and its worker is ${status}`;
  }
  return null;
}

const WAITS_FOR_PERSON: ReadonlySet<string> = new Set(['needs_input', 'error', 'offline']);

/**
 * Names a worker that is free for an item; null: there is none. A fleet in which nobody has the role lets anybody do it. A worker whose own budget
 * is spent is not waited for while others have room.
 */
function freeFor({ projectId, state }: RunRow, { name, failedOn }: Item, { workers }: MemoryDatabase): string | null {
  const plan = planOf(state, name.split('/')[0] ?? name);
  const authors = plan.kind === 'review' ? allItems(state).flatMap((item) => item.authors) : [];
  const hands = [...workers.values()].filter((row) => row.projectId === projectId);
  const hasRole = (row: WorkerRow): boolean => 'role' in plan && row.options.role === plan.role;
  const free = hands.find(
    (row) =>
      row.state.lifecycle.status === 'idle' &&
      row.state.lifecycle.wanted === 'up' &&
      !row.options.excludedFromPool &&
      row.state.budget.mark.kind !== 'spent' &&
      (hasRole(row) || !hands.some(hasRole)) &&
      !failedOn.includes(row.id) &&
      !authors.some(({ workerId }) => workerId === row.id),
  );
  return free?.name ?? null;
}

/** Tells whether a request has no outcome yet. Commits of a run that is over are let go much later. */
function isOpen({ key, payload }: Pick<DueWork, 'key' | 'payload'>, { runEvents }: MemoryDatabase): boolean {
  const [runId, request] = key.split(' ');
  const isForget = (payload as { readonly request?: { readonly kind?: string } }).request?.kind === 'forget';
  return !isForget && ![...runEvents.values()].some((row) => row.runId === runId && row.eventId === request);
}

/** Broken promises of runs that only the end shows. */
export function* runProblems({ runs, workers, runMessages }: MemoryDatabase): Generator<string> {
  for (const { id, state } of runs.values()) {
    if (!isOver(state)) continue;
    const open = allItems(state).find(({ progress, worker }) => progress.kind !== 'settled' || worker !== null);
    if (open !== undefined) yield `${id} is over, and ${open.name} is not`;
    const busy = [...workers.values()].find((row) => runOf(row.state.task)?.runId === id);
    if (busy !== undefined) yield `${id} is over, and ${busy.name} is not free (W7)`;
  }
  const unread = new Set([...workers.values()].flatMap(({ state }) => unreadTexts(state).map(({ id }) => id)));
  for (const { id, state, sender, receiver } of runMessages.values())
    if (state === 'queued' && !unread.has(id))
      yield `the message of ${sender} to ${receiver} waits for ever, and nobody was told (W12)`;
}
