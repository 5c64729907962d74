/** What does `drover doctor --repair` put right in a worker's row? Only what destroys nothing and contradicts no fact. */
import type { GitFacts } from './op.ts';
import type { Worker } from './worker.ts';

/** One repair. The facts that it rests on were asked of the machine just before. */
export type Repair =
  /** In review without a commit on record, and the worktree has one: that is the work. */
  | { readonly kind: 'take-head'; readonly git: GitFacts }
  /** In a state that its facts do not bear: a person looks. */
  | { readonly kind: 'hand-over'; readonly why: string }
  /** The row was lost, and was made anew from what the machine has. */
  | { readonly kind: 'rebuilt'; readonly from: string }
  /** Times of the past that lie in the future become now. */
  | { readonly kind: 'times' }
  /** The machine has seen orders that the row does not know of: it would refuse the next ones. */
  | { readonly kind: 'orders'; readonly atLeast: number };

/** Times, by the coordinator's clock, at which something happened: none of them can be later than now. */
export function timesOf(worker: Worker): Readonly<Record<string, number>> {
  const { pane, task, inFlight, progress, crashes, trouble, incident, accept } = worker;
  return {
    ...(pane.kind === 'up' || pane.kind === 'starting' ? { 'pane.since': pane.since } : {}),
    ...(task === null ? {} : { 'task.startedAt': task.startedAt }),
    ...(inFlight === null ? {} : { 'inFlight.since': inFlight.since }),
    ...(trouble === null ? {} : { 'trouble.since': trouble.since }),
    ...(incident === null ? {} : { 'incident.openedAt': incident.openedAt }),
    ...(accept === null ? {} : { 'accept.since': accept.since }),
    'progress.at': progress.at,
    'crashes.lastAt': crashes.lastAt,
  };
}

/** The same worker with every such time at `now` at the latest, epoch milliseconds; an order in flight keeps its length. */
export function withoutFuture(worker: Worker, now: number): Worker {
  const { pane, task, inFlight, progress, crashes, trouble, incident, accept } = worker;
  const past = (at: number): number => Math.min(at, now);
  return {
    ...worker,
    pane: pane.kind === 'up' || pane.kind === 'starting' ? { ...pane, since: past(pane.since) } : pane,
    task: task === null ? null : { ...task, startedAt: past(task.startedAt) },
    inFlight:
      inFlight === null
        ? null
        : { ...inFlight, since: past(inFlight.since), dueAt: inFlight.dueAt - (inFlight.since - past(inFlight.since)) },
    progress: { ...progress, at: past(progress.at) },
    crashes: { ...crashes, lastAt: past(crashes.lastAt) },
    trouble: trouble === null ? null : { ...trouble, since: past(trouble.since) },
    incident: incident === null ? null : { ...incident, openedAt: past(incident.openedAt) },
    accept: accept === null ? null : { ...accept, since: past(accept.since) },
  };
}
