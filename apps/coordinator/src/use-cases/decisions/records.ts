/** Writes what follows from a decision beside the new state: each record becomes rows, in the decision's transaction. */
import { SAVING } from '@drover/core';
import type { DecisionRecord } from '@drover/core';
import type { DueWork, ErrorRow, IncidentRow, StoreTransaction, WorkerRow } from '@drover/store';
import { accountJoined, accountLeft, accountMoved, accountSaw, hasLeftAccount } from '../accounts/accounts.ts';
import { saveCheckpoint } from '../checkpoints/save.ts';
import { redactorOf } from '../context.ts';
import type { Context } from '../context.ts';
import { closeEscalation, expireEscalation, noteApplied, withdrawEscalations } from '../escalations/close.ts';
import { openEscalation } from '../escalations/open.ts';
import { askForEvidence } from '../incidents/evidence.ts';
import { endLooseErrors, endToolIncident, endToolQuestions } from '../incidents/tool-failures.ts';
import { carriageDue, leavingDue } from '../moves/due.ts';
import { endUnfinished, fileItem, followTask, queueDue } from '../queue/records.ts';
import type { About, RecordOf } from './about.ts';
import { IncidentLog } from './incident-log.ts';
import { incidentRows } from './incidents.ts';
import { noteCheckout } from '../projects/checkouts.ts';
import { episodeRow, errorRow } from './rows.ts';
import { workerEventDue } from './event-due.ts';

/** Writes everything that the records of one decision say. The caller has locked the worker and saved it. @returns the errors among them. */
export async function saveRecords(ctx: Context, tx: StoreTransaction, about: About): Promise<readonly ErrorRow[]> {
  const log = new IncidentLog(tx, about.fresh);
  await noteCheckout(tx, about);
  const incidents = incidentRows(about);
  for (const incident of incidents) await tx.saveIncident(incident);
  if (about.event.kind === 'up-requested') await accountJoined(ctx, tx, about);
  if (hasLeftAccount(about)) await accountLeft(ctx, tx, about);
  for (const entry of inLockOrder(about.records))
    if (entry.kind === 'error') await saveError(ctx, tx, { about, entry, log });
    else await saveRecord(ctx, tx, { about, entry, log });
  for (const incident of incidents) if (incident.closedAt !== null) await afterEnd(tx, incident, incident.closedAt);
  return log.errors;
}

/** Closes the errors and the question of an incident that recovered or that a person's answer ended. */
async function afterEnd(tx: StoreTransaction, { id, outcome }: IncidentRow, closedAt: number): Promise<void> {
  if (outcome === 'recovered' || outcome === 'resolved') await tx.markErrorsRecovered(id, closedAt);
  await expireEscalation(tx, id, closedAt);
}

/** Accounts are locked before escalations; otherwise records keep their order. */
function inLockOrder(records: readonly DecisionRecord[]): readonly DecisionRecord[] {
  return [...records.filter(isOfAccount), ...records.filter((entry) => !isOfAccount(entry))];
}

function isOfAccount({ kind }: DecisionRecord): boolean {
  return kind === 'account' || kind === 'profile-changed' || kind === 'machine-changed';
}

async function saveRecord(
  ctx: Context,
  tx: StoreTransaction,
  { about, entry, log }: { about: About; entry: Exclude<DecisionRecord, { kind: 'error' }>; log: IncidentLog },
): Promise<void> {
  const { row, project, now } = about;
  switch (entry.kind) {
    case 'lease':
      if (entry.action === 'acquire') return tx.setMergeWorker(project.id, row.id);
      return project.mergeWorkerId === row.id ? tx.setMergeWorker(project.id, null) : undefined;
    case 'receipt':
      return tx.insertReceipt(row.id, receiptOf(entry, now));
    case 'task':
      await tx.setTaskStatus(entry.id, entry.status, now);
      if (entry.status === 'started') await tx.dropReviews(row.id);
      await followTask(ctx, tx, { about, entry });
      await endToolQuestions(tx, { about, entry });
      await endLooseErrors(tx, { about, entry });
      return log.addEpisode(episodeRow(about, entry));
    case 'default-branch-moved':
      return tx.schedule(await rebasesDue(tx, row, now));
    case 'gone':
      await withdrawEscalations(tx, about);
      await endUnfinished(ctx, tx, about);
      await tx.endLooseErrors({ workerId: row.id, component: '' }, { outcome: 'cancelled', at: now });
      await tx.setDeadlines(row.id, {});
      return tx.deleteWorker(row.id);
    case 'recovery':
    case 'recovered':
      return log.addEpisode(episodeRow(about, entry));
    case 'escalated':
      await log.addEpisode(episodeRow(about, entry));
      return openEscalation(ctx, tx, { about, entry, log });
    case 'escalation-closed':
      await log.addEpisode(episodeRow(about, entry));
      await endToolIncident(tx, entry.incident, { outcome: entry.how, now });
      return closeEscalation(tx, { about, entry });
    case 'answer-applied':
      return noteApplied(ctx, tx, { about, entry });
    case 'queued':
      return fileItem(ctx, tx, { about, entry });
    case 'checkpoint':
      // What could not be saved before is saved now.
      await tx.endLooseErrors({ workerId: row.id, component: SAVING }, { outcome: 'recovered', at: now });
      return saveCheckpoint(tx, { about, entry });
    case 'account':
      return accountSaw(ctx, tx, { about, entry });
    case 'profile-changed':
      return accountMoved(ctx, tx, { about, moved: { ...row, options: { ...row.options, profile: entry.to } } });
    case 'carriage':
      return tx.schedule([carriageDue(row.id, { move: entry.move, now })]);
    case 'machine-changed':
      await tx.setCheckpointMachine(entry.checkpoint, entry.to);
      return accountMoved(ctx, tx, { about, moved: { ...row, machineId: entry.to } });
    case 'place-left':
      return tx.schedule([leavingDue({ ...row, machineId: entry.machine }, { move: entry.move, now })]);
    case 'moved':
      return entry.to === 'idle' ? tx.schedule([queueDue(now)]) : undefined;
    // The others decide on it themselves, each in a decision of its own.
    case 'train':
    case 'accept-ended':
    case 'notice':
      return undefined;
    default:
      return entry satisfies never;
  }
}

async function saveError(
  ctx: Context,
  tx: StoreTransaction,
  { about, entry, log }: { about: About; entry: RecordOf<'error'>; log: IncidentLog },
): Promise<void> {
  const cause = entry.incident === null ? null : await log.lastErrorOf(entry.incident);
  const row = redactorOf(ctx).value(errorRow(about, entry, { id: ctx.ids.uuid(), cause }));
  await log.addError(row);
  await askForEvidence(tx, { about, id: row.id, code: row.code });
}

function receiptOf({ textId, purpose, outcome, receipt }: RecordOf<'receipt'>, at: number) {
  return { textId: textId, purpose, outcome, receipt, at };
}

/** The others that wait for review are brought onto the new default branch, each by an event of its own. */
async function rebasesDue(tx: StoreTransaction, merged: WorkerRow, now: number): Promise<readonly DueWork[]> {
  const others = await tx.listRoster({ projectId: merged.projectId, status: 'needs_review' });
  return others
    .filter(({ id }) => id !== merged.id)
    .map(({ id }) => workerEventDue(id, { kind: 'default-branch-moved' }, now));
}
