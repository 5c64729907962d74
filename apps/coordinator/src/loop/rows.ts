/** Makes the row of one record of a decision. Pure: nothing here reads or writes the store. */
import { inHand, makeError } from '@drover/core';
import type { Cause, CheckpointRow, ErrorRow, QueueItemRow } from '@drover/store';
import { POLICY } from '../facts/people/causes.ts';
import { taskOf } from './about.ts';
import type { About, RecordOf } from './about.ts';
import type { NewEpisode } from './changes.ts';
import { paneOf } from './escalations/bundle.ts';
import { newItem } from '../facts/queue/new-item.ts';

/** Class of an item that is an unfinished task of its worker. */
export const REASSIGNED = 'reassigned';

/** Builds a row of the error log. `cause` is the former error of the same incident. */
export function errorRow(
  about: About,
  entry: RecordOf<'error'>,
  { id, cause }: { id: string; cause: string | null },
): ErrorRow {
  const { row, project, machine, now } = about;
  const task = taskOf(about);
  const error = makeError(entry.code, {
    id,
    now,
    component: entry.component,
    message: entry.message,
    details: entry.details,
    retryCount: entry.retryCount,
    cause,
    context: {
      worker: row.name,
      project: project.name,
      profile: row.options.profile,
      ...(machine === null ? {} : { machine: machine.name }),
      ...(task === null ? {} : { task }),
      ...entry.context,
    },
    ...(entry.strategy === null ? {} : { strategy: entry.strategy }),
    ...(entry.durationMs === null ? {} : { durationMs: entry.durationMs }),
  });
  return {
    ...error,
    incidentId: entry.incident,
    workerId: row.id,
    machineId: row.machineId,
    detectMs: detectMs(about),
    calledOffAt: null,
    evidence: { pane: paneOf(about), git: [] },
  };
}

/** Returns the time to detection, at least zero: the machine's clock and the coordinator's differ a little. */
function detectMs({ event, now }: About): number | null {
  if (event.kind === 'pane-exited') return Math.max(0, now - event.exit.at);
  return event.kind === 'screen-seen' ? Math.max(0, now - event.reading.at) : null;
}

/** Builds the line that a record leaves in the worker's episodes. */
export function episodeRow(
  about: About,
  entry: RecordOf<'recovery' | 'recovered' | 'escalated' | 'escalation-closed' | 'task'>,
): NewEpisode {
  const { row, now } = about;
  const blank: Omit<NewEpisode, 'kind' | 'action'> = {
    workerId: row.id,
    workerName: row.name,
    taskId: taskOf(about),
    incidentId: null,
    at: now,
    code: null,
    level: null,
    attempt: null,
    strategy: null,
    detail: {},
  };
  switch (entry.kind) {
    case 'recovery': {
      const { incident, code, level, attempt, action, strategy, alternative } = entry;
      const detail = alternative === null ? {} : { alternative };
      return { ...blank, kind: 'attempt', incidentId: incident, code, level, attempt, action, strategy, detail };
    }
    case 'recovered': {
      const { incident, code, level, attempts, sinceMs } = entry;
      const action = 'it works again';
      return {
        ...blank,
        kind: 'recovered',
        incidentId: incident,
        code,
        level,
        attempt: attempts,
        action,
        detail: { sinceMs },
      };
    }
    case 'escalated': {
      const { incident, code, why } = entry;
      return { ...blank, kind: 'escalated', incidentId: incident, code, level: 4, action: why, strategy: 'escalate' };
    }
    case 'escalation-closed': {
      const { incident, how, option } = entry;
      const kind = how === 'resolved' ? 'answered' : 'cancelled';
      const action = option === null ? 'no longer needs an answer' : `a person chose "${option}"`;
      return { ...blank, kind, incidentId: incident, level: 4, action };
    }
    case 'task':
      return { ...blank, kind: 'task', taskId: entry.id, action: entry.status };
    default:
      return entry satisfies never;
  }
}

/** Builds the row that keeps the work as it is after the decision. */
export function checkpointRow(about: About, entry: RecordOf<'checkpoint'>, actor: Cause): CheckpointRow {
  const { row, after, project, now, event } = about;
  const result = event.kind === 'command-finished' ? event.result : null;
  return {
    id: entry.id,
    workerId: row.id,
    workerName: row.name,
    projectId: project.id,
    taskId: taskOf(about),
    incidentId: entry.incident,
    type: entry.type,
    why: entry.why,
    files: result?.kind === 'checkpointed' ? result.dirty : null,
    commit: entry.commit,
    base: after.worktree.place.kind === 'ready' ? after.worktree.place.base : null,
    conversation: entry.conversation,
    prompt: inHand(after.task)?.prompt ?? null,
    state: after,
    machineId: row.machineId,
    actor,
    createdAt: now,
  };
}

/** Builds an item: work for later, open for every worker. */
export function queueItemRow(about: About, entry: RecordOf<'queued'>, id: string): QueueItemRow {
  const { row, after, project, now } = about;
  // Whoever takes the task itself begins with the same work.
  const from = entry.class === REASSIGNED ? (inHand(after.task) ?? inHand(row.state.task))?.from : undefined;
  const given = {
    id,
    projectId: project.id,
    priority: entry.priority,
    title: entry.title,
    body: entry.body,
    class: entry.class,
    dedupeKey: entry.dedupe,
    source: {
      worker: row.name,
      workerId: row.id,
      task: taskOf(about),
      incident: after.incident.open?.id ?? null,
      ...(from && { from }),
    },
    actor: POLICY,
  };
  return newItem(given, now);
}
