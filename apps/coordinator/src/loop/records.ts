/** Collects the consequences of a decision beside the new state: each record becomes rows, or the work of a subject. */
import { SAVING } from '@drover/core';
import type { DecisionRecord } from '@drover/core';
import type { DueWork, ErrorRow, IncidentRow, StoreTransaction, WorkerRow } from '@drover/store';
import { accountJoined, accountLeft, accountMoved, accountSaw, hasLeftAccount } from './subjects/accounts.ts';
import { saveCheckpoint } from './subjects/checkpoints.ts';
import { redactorOf } from '../context/context.ts';
import type { Context } from '../context/context.ts';
import { closeEscalation, expireEscalation, noteApplied, withdrawEscalations } from './escalations/close.ts';
import { openEscalation } from './escalations/open.ts';
import { evidenceQuery } from './subjects/evidence.ts';
import { endLooseErrors, endToolIncident, endToolQuestions } from './subjects/tool-failures.ts';
import { carriageDue, leavingDue } from './subjects/moves.ts';
import { endUnfinished, fileItem, followTask, queueDue } from './subjects/queue.ts';
import { saveTrust } from './subjects/trust.ts';
import type { RecordOf, Saving } from './about.ts';
import { workerEventDue } from './event-due.ts';
import { IncidentLog } from './incident-log.ts';
import { incidentRows } from './incidents.ts';
import { episodeRow, errorRow } from './rows.ts';
import { runEventDue } from './runs/due.ts';
import { expireUnread, noteRead } from './runs/unread.ts';
import { workerNews } from './runs/worker.ts';
import type { Shared } from './shared.ts';

/** A transaction, and the parts that its decisions share. */
interface Within {
  readonly ctx: Context;
  readonly tx: StoreTransaction;
  readonly shared: Shared;
}

/** Collects everything in the records of one decision. The caller has locked the worker. @returns the errors among them. */
export async function collectRecords(within: Within, about: Saving): Promise<readonly ErrorRow[]> {
  const { ctx, tx } = within;
  const { changes, records, event } = about;
  const log = new IncidentLog(tx, changes, about.fresh);
  const incidents = incidentRows(about);
  changes.saveIncidents(incidents);
  if (event.kind === 'up-requested') changes.withAccount(() => accountJoined(ctx, tx, about));
  if (hasLeftAccount(about)) changes.withAccount(() => accountLeft(ctx, tx, about));
  for (const news of workerNews(about)) changes.schedule(news);
  for (const entry of records) await collectRecord(within, { about, entry, log });
  expireUnread(tx, about);
  for (const incident of incidents)
    if (incident.closedAt !== null) endIncident(tx, about, { incident, closedAt: incident.closedAt });
  return log.errors;
}

/** Closes the errors and the question of an incident that recovered or that a person's answer ended. */
function endIncident(
  tx: StoreTransaction,
  { changes }: Saving,
  { incident: { id, outcome }, closedAt }: { readonly incident: IncidentRow; readonly closedAt: number },
): void {
  if (outcome === 'recovered' || outcome === 'resolved') changes.endErrors(() => tx.markErrorsRecovered(id, closedAt));
  changes.withSubject(() => expireEscalation(tx, id, closedAt));
}

async function collectRecord(
  { ctx, tx, shared }: Within,
  { about, entry, log }: { readonly about: Saving; readonly entry: DecisionRecord; readonly log: IncidentLog },
): Promise<void> {
  const { row, project, now, changes } = about;
  switch (entry.kind) {
    case 'error':
      return collectError(ctx, { about, entry, log });
    case 'lease':
      if (entry.action === 'acquire') return shared.setMergeWorker(project, row.id, changes);
      return project.mergeWorkerId === row.id ? shared.setMergeWorker(project, null, changes) : undefined;
    case 'receipt':
      noteRead(tx, entry, about);
      return changes.addReceipt({ workerId: row.id, ...receiptOf(entry, now) });
    case 'task':
      changes.endErrors(() => endLooseErrors(tx, { about, entry }));
      changes.withSubject(async () => {
        await tx.setTaskStatus(entry.id, entry.status, now);
        if (entry.status === 'started') await tx.dropReviews(row.id);
        await followTask(ctx, tx, { about, entry });
        await endToolQuestions(tx, { about, entry });
      });
      return log.addEpisode(episodeRow(about, entry));
    case 'default-branch-moved':
      return changes.withSubject(() => scheduleRebases(tx, row, now));
    case 'gone':
      changes.endErrors(() =>
        tx.endLooseErrors({ workerId: row.id, component: '' }, { outcome: 'cancelled', at: now }),
      );
      return changes.withSubject(async () => {
        await withdrawEscalations(tx, about);
        await endUnfinished(ctx, tx, about);
        await tx.setDeadlines(row.id, {});
        await tx.deleteWorker(row.id);
      });
    case 'recovery':
    case 'recovered':
      return log.addEpisode(episodeRow(about, entry));
    case 'escalated': {
      log.addEpisode(episodeRow(about, entry));
      const told = await log.told(entry.incident);
      const id = ctx.ids.uuid();
      return changes.withSubject(() => openEscalation(ctx, tx, { about, entry, told, id }));
    }
    case 'escalation-closed':
      log.addEpisode(episodeRow(about, entry));
      return changes.withSubject(async () => {
        await endToolIncident(tx, entry.incident, { outcome: entry.how, now });
        await closeEscalation(tx, { about, entry });
      });
    case 'answer-applied':
      return changes.withSubject(() => noteApplied(ctx, tx, { about, entry }));
    case 'trust':
      // The timeout of a question answers one dialog; only a person decides for a project.
      if (about.by.kind !== 'person') return undefined;
      return changes.withSubject(async () => {
        const decisions = { [entry.about]: entry.isTrusted };
        await saveTrust(tx, { projectId: project.id, decisions, by: about.by, now });
      });
    case 'queued':
      return changes.withSubject(() => fileItem(ctx, tx, { about, entry }));
    case 'checkpoint':
      // Work that could not be saved before is saved now.
      changes.endErrors(() =>
        tx.endLooseErrors({ workerId: row.id, component: SAVING }, { outcome: 'recovered', at: now }),
      );
      return changes.withSubject(() => saveCheckpoint(ctx, tx, { about, entry }));
    case 'account':
      return changes.withAccount(() => accountSaw(ctx, tx, { about, entry }));
    case 'account-chosen': {
      const moved = { ...row, options: { ...row.options, account: entry.to } };
      return changes.withAccount(() => accountMoved(ctx, tx, { about, moved }));
    }
    case 'profile-changed': {
      const moved = { ...row, options: { ...row.options, profile: entry.to } };
      return changes.withAccount(() => accountMoved(ctx, tx, { about, moved }));
    }
    case 'carriage':
      return changes.schedule(carriageDue(row.id, { move: entry.move, now }));
    case 'machine-changed':
      return changes.withAccount(async () => {
        await tx.setCheckpointMachine(entry.checkpoint, entry.to);
        await accountMoved(ctx, tx, { about, moved: { ...row, machineId: entry.to } });
      });
    case 'place-left':
      return changes.schedule(leavingDue({ ...row, machineId: entry.machine }, { move: entry.move, now }));
    case 'moved':
      return entry.to === 'idle' ? changes.schedule(queueDue(now)) : undefined;
    // The others decide on the train themselves, each in a decision of its own.
    case 'train':
    case 'accept-ended':
    case 'notice':
      return undefined;
    case 'run':
      return changes.schedule(taskEndedDue(about, entry));
    default:
      return entry satisfies never;
  }
}

/** Tells the run that the task of an item has ended. The version of the row names the event: this decision is saved once. */
function taskEndedDue({ row, by, now }: Saving, { runId, item, attempt, end }: RecordOf<'run'>): DueWork {
  const event = { kind: 'task-ended', item, attempt, workerId: row.id, end } as const;
  return runEventDue({ runId, id: `worker ${row.id} ${row.version}`, event, by }, now);
}

async function collectError(
  ctx: Context,
  { about, entry, log }: { readonly about: Saving; readonly entry: RecordOf<'error'>; readonly log: IncidentLog },
): Promise<void> {
  const cause = entry.incident === null ? null : await log.lastErrorOf(entry.incident);
  const row = redactorOf(ctx).value(errorRow(about, entry, { id: ctx.ids.uuid(), cause }));
  log.addError(row);
  about.changes.ask(evidenceQuery(about, row), about.now);
}

function receiptOf({ textId, purpose, outcome, receipt }: RecordOf<'receipt'>, at: number) {
  return { textId, purpose, outcome, receipt, at };
}

/** Schedules rebases: brings the others that wait for review onto the new default branch, each by an event of its own. */
async function scheduleRebases(tx: StoreTransaction, merged: WorkerRow, now: number): Promise<void> {
  const others = await tx.listRoster({ projectId: merged.projectId, status: 'needs_review' });
  const due = others
    .filter(({ id }) => id !== merged.id)
    .map(({ id }) => workerEventDue(id, 'default-branch-moved', now));
  await tx.schedule(due);
}
