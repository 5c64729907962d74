// Announces the change of a row: the same as the triggers of migrations/0001_baseline.sql.
import type { AnnouncementRow } from '../../../port/public/announcements.ts';
import type { EscalationRow } from '../../../port/escalations.ts';
import type { Machine } from '../../../port/machines.ts';
import type { RunRow } from '../../../port/runs/runs.ts';
import type { TaskRow } from '../../../port/tasks.ts';
import type { WebhookEndpoint } from '../../../port/public/webhooks.ts';
import type { WorkerRow } from '../../../port/workers.ts';

/** An announcement without its id. */
export type NewAnnouncement = Omit<AnnouncementRow, 'id'>;

/** A change of a row: null is no row. */
export interface Change<V> {
  readonly before: V | null;
  readonly after: V | null;
  /** Epoch milliseconds, where the row does not say. */
  readonly now: number;
}

/** Announces a question to people. */
export function announceEscalation({ before, after }: Change<EscalationRow>): readonly NewAnnouncement[] {
  if (after === null) return [];
  const { id, workerName: worker, status, asked, severity } = after;
  return kindsOf(before, after).map((type) => ({
    at: after.updatedAt,
    type,
    projectId: after.projectId,
    workerId: after.workerId,
    actor: actorOf(type, after),
    subject: { kind: 'escalation', id, worker, status, asked, severity },
    version: after.version,
  }));
}

function kindsOf(before: EscalationRow | null, after: EscalationRow): readonly string[] {
  if (before === null) return ['escalation.opened'];
  const kinds: string[] = [];
  if (after.asked > before.asked || (after.status === 'open' && before.status !== 'open'))
    kinds.push('escalation.reopened');
  else if (after.status === 'acked' && before.status !== 'acked') kinds.push('escalation.acked');
  else if (after.status === 'resolved' && before.status !== 'resolved') kinds.push('escalation.resolved');
  else if (after.status !== before.status) kinds.push('escalation.closed');
  if (after.application === 'applied' && before.application !== 'applied') kinds.push('escalation.applied');
  return kinds.length === 0 && after.version !== before.version ? ['escalation.changed'] : kinds;
}

function actorOf(type: string, { resolution, ackedBy }: EscalationRow): AnnouncementRow['actor'] {
  if (type === 'escalation.acked') return { kind: 'person', name: ackedBy ?? '' };
  const actor = type === 'escalation.resolved' ? resolution?.actor : undefined;
  return actor === undefined || actor.kind === 'policy' ? null : actor;
}

/** Announces that a worker came, changed its state, or went. */
export function announceWorker({ before, after }: Change<WorkerRow>): readonly NewAnnouncement[] {
  const row = after ?? before;
  if (row === null) return [];
  const [from, status] = [before?.state.lifecycle.status, after?.state.lifecycle.status];
  if (from === status) return [];
  return [
    {
      at: row.updatedAt,
      type: before === null ? 'worker.added' : after === null ? 'worker.removed' : 'worker.status',
      projectId: row.projectId,
      workerId: row.id,
      actor: null,
      subject: {
        kind: 'worker',
        id: row.id,
        worker: row.name,
        ...(status !== undefined && { status }),
        ...(from !== undefined && { from }),
      },
      version: row.version,
    },
  ];
}

export function announceTask({ before, after, now }: Change<TaskRow>): readonly NewAnnouncement[] {
  if (after === null || before?.status === after.status) return [];
  const { id, workerName: worker, status, projectId, workerId, actor } = after;
  const who = before === null && actor !== null && actor.kind !== 'policy' ? actor : null;
  const subject = { kind: 'task', id, worker, status };
  return [
    {
      at: now,
      type: before === null ? 'task.added' : 'task.status',
      projectId,
      workerId,
      actor: who,
      subject,
      version: 0,
    },
  ];
}

/** Announces that a run began, or changed its state. */
export function announceRun({ before, after }: Change<RunRow>): readonly NewAnnouncement[] {
  if (after === null || before?.status === after.status) return [];
  const { id, flowName: flow, status, projectId, actor } = after;
  const from = before?.status;
  return [
    {
      at: after.updatedAt,
      type: from === undefined ? 'run.added' : 'run.status',
      projectId,
      workerId: null,
      actor: from === undefined && actor.kind !== 'policy' ? actor : null,
      subject: { kind: 'run', id, flow, status, ...(from !== undefined && { from }) },
      version: after.seq,
    },
  ];
}

/** Announces that a machine joined, said hello, was revoked, or went. */
export function announceMachine({ before, after, now }: Change<Machine>): readonly NewAnnouncement[] {
  const row = after ?? before;
  const type = machineType(before, after);
  if (row === null || type === null) return [];
  const subject = { kind: 'machine', id: row.id, machine: row.name };
  return [{ at: now, type, projectId: null, workerId: null, actor: null, subject, version: row.epoch }];
}

function machineType(before: Machine | null, after: Machine | null): string | null {
  if (before === null) return 'machine.joined';
  if (after === null) return 'machine.removed';
  if (before.revokedAt === null && after.revokedAt !== null) return 'machine.revoked';
  return before.epoch === after.epoch ? null : 'machine.connected';
}

/** Announces that a webhook is switched off. */
export function announceWebhook({ before, after }: Change<WebhookEndpoint>): readonly NewAnnouncement[] {
  if (before === null || after === null || before.disabledAt !== null || after.disabledAt === null) return [];
  const subject = { kind: 'webhook', id: after.id, webhook: after.name };
  const { projectId, disabledAt: at } = after;
  return [{ at, type: 'delivery.failed', projectId, workerId: null, actor: null, subject, version: 0 }];
}
