/** Looks whether something will happen to a run: whether each step that it waits for is on its way (W1). */
import { allItems, isOver, runOf } from '@drover/core';
import type { Run } from '@drover/core';
import type { RunRow } from '@drover/store';
import type { MemoryDatabase } from '@drover/store/testing';

/** For each thing that an open run waits for what is wrong with it; null: nothing. */
export function* deadlock(row: RunRow, database: MemoryDatabase): Generator<string | null> {
  const { id, state } = row;
  if (isOver(state)) return;
  const { dueWork } = database;
  const isOnWay = (request: string): boolean =>
    dueWork.has(`run-request ${id} ${request}`) || dueWork.has(`run-event ${id} ${request}`);
  const waited = requestsOf(state);
  for (const request of waited) yield isOnWay(request) ? null : `${id}: waits for ${request}, which nobody carries out`;
  const next = Math.min(...Object.values(state.deadlines));
  const due = dueWork.get(`run-deadline ${id}`);
  const isArmed = !Number.isFinite(next) || (due !== undefined && due.dueAt <= next);
  yield isArmed ? null : `${id}: its deadline is not due work`;
  const isRunning = allItems(state).some(({ progress }) => progress.kind === 'running');
  const isAlive = waited.length > 0 || state.questions.length > 0 || Number.isFinite(next) || isRunning;
  yield isAlive ? null : `${id}: nothing will ever happen: ${state.why}`;
  if (isRunning) yield* atWork(row, database);
}

function requestsOf(state: Run): readonly string[] {
  return [
    ...state.releasing.map(({ request }) => request),
    ...allItems(state).flatMap(({ progress }) =>
      'request' in progress && (progress.kind !== 'pinning' || progress.retryAt === null) ? [progress.request] : [],
    ),
  ];
}

/** Checks that each running item is in the hands of its worker, unless the run is about to hear otherwise. */
function* atWork({ id, state }: RunRow, { dueWork, workers }: MemoryDatabase): Generator<string | null> {
  for (const key of dueWork.keys()) if (key.startsWith(`run-event ${id} `)) return;
  for (const { name, attempt, worker, progress } of allItems(state)) {
    if (progress.kind !== 'running') continue;
    const hand = runOf(workers.get(worker?.workerId ?? '')?.state.task ?? { kind: 'none' });
    const isAtIt = hand?.runId === id && hand.item === name && hand.attempt === attempt && hand.phase === 'open';
    yield isAtIt ? null : `${id}: ${name} is to be running, and its worker ${worker?.name} is not at it`;
  }
}
