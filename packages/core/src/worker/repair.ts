/** Repairs a worker's row for `drover doctor --repair`. Each repair destroys nothing and contradicts no fact. */
import type { GitFacts } from '../machine/reading.ts';
import type { InFlight } from './command.ts';
import { changeAccept } from '../merge/state.ts';
import { acceptOf } from '../merge/step.ts';
import { isAlive } from './session.ts';
import type { WorkerStatus } from './status.ts';
import { newWorker } from './worker.ts';
import type { Worker } from './worker.ts';

/** A repair. The machine was asked for its facts just before. */
export type Repair =
  /** Takes the worktree's commit as the work of a worker in review that has none on record. */
  | { readonly kind: 'take-head'; readonly git: GitFacts }
  /** Asks a person about a status that the facts do not support. */
  | { readonly kind: 'ask'; readonly why: string }
  /** Rebuilds a lost row from the machine's facts. */
  | { readonly kind: 'rebuilt'; readonly from: string }
  /** Sets past times that lie in the future to now. */
  | { readonly kind: 'times' }
  /** Raises the command number: the machine has seen commands that the row does not know of, and would refuse the next ones. */
  | { readonly kind: 'commands'; readonly atLeast: number };

/** Returns the times, by the coordinator's clock, of past events: none of them can be later than now. */
export function timesOf({ session, task, command, turn, incident, merge }: Worker): Readonly<Record<string, number>> {
  const { pane } = session;
  const { open, trouble } = incident;
  const accept = acceptOf(merge.step);
  return {
    ...(isAlive(pane) ? { 'pane.since': pane.since } : {}),
    ...(task.kind === 'none' ? {} : { 'task.startedAt': task.startedAt }),
    ...(command.inFlight === null ? {} : { 'inFlight.since': command.inFlight.since }),
    ...(trouble === null ? {} : { 'trouble.since': trouble.since }),
    ...(open === null ? {} : { 'incident.openedAt': open.openedAt }),
    ...(accept === null ? {} : { 'accept.since': accept.since }),
    'progress.at': turn.progress.at,
    'crashes.lastAt': session.crashes.lastAt,
  };
}

/** Returns the worker with every future time set to `now`, epoch milliseconds; a command in flight keeps its length. */
export function withoutFuture(worker: Worker, now: number): Worker {
  const { session, task, command, turn, incident, merge } = worker;
  const { pane, crashes } = session;
  const { inFlight } = command;
  const { open, trouble } = incident;
  const past = (at: number): number => Math.min(at, now);
  return {
    ...worker,
    session: {
      ...session,
      pane: isAlive(pane) ? { ...pane, since: past(pane.since) } : pane,
      crashes: { ...crashes, lastAt: past(crashes.lastAt) },
    },
    task: task.kind === 'none' ? task : { ...task, startedAt: past(task.startedAt) },
    command: inFlight === null ? command : { ...command, inFlight: withoutFutureStart(inFlight, past(inFlight.since)) },
    turn: { ...turn, progress: { ...turn.progress, at: past(turn.progress.at) } },
    incident: {
      ...incident,
      open: open === null ? null : { ...open, openedAt: past(open.openedAt) },
      trouble: trouble === null ? null : { ...trouble, since: past(trouble.since) },
    },
    merge: changeAccept(merge, ({ since }) => ({ since: past(since) })),
  };
}

function withoutFutureStart(inFlight: InFlight, since: number): InFlight {
  return { ...inFlight, since, dueAt: inFlight.dueAt - (inFlight.since - since) };
}

/** Facts of a machine about a worker whose row was lost. */
export interface Found {
  /** Status that the work speaks for. */
  readonly before: WorkerStatus;
  readonly note: string;
  readonly base: string;
  readonly git: GitFacts;
  /** Id of the agent's conversation; null: none is known. */
  readonly conversation: string | null;
  /** Sequence number of the last command that the machine has seen. */
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Rebuilds a worker from its machine's facts alone. */
export function rebuiltWorker({ before, note, base, git, conversation, seq, now }: Found): Worker {
  const { lifecycle, worktree, session, command, turn, ...others } = newWorker();
  return {
    ...others,
    lifecycle: { ...lifecycle, before, note },
    worktree: { ...worktree, place: { kind: 'ready', base }, git },
    session: { ...session, conversation: conversation === null ? null : { id: conversation, used: true } },
    command: { ...command, seq },
    turn: { ...turn, progress: { mark: null, at: now, nudges: 0 } },
  };
}
